#include "surface/marching_cubes.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "exec/host_loops.hpp"
#include "exec/lanes.hpp"
#include "surface/cube_cases.hpp"

namespace millrace {

namespace {

constexpr int k_points = FieldBlock::k_points;
constexpr std::uint32_t k_cells_of_row = (1u << k_block) - 1;

std::uint32_t inside_bits(const float* row, float threshold) {
    std::uint32_t outside = 0;
    for (int x = 0; x < k_points; x += k_lanes)
        outside |= lane_bits(load_pack(row + x) < Pack(threshold)) << x;
    return ~outside & ((1u << k_points) - 1);
}

// Vertices keep off the ends of their edges, or triangles would have no area.
constexpr float k_off_ends = 0.005f;

float cut(float from, float to, float threshold) {
    return std::clamp((threshold - from) / (to - from), k_off_ends, 1 - k_off_ends);
}

// Puts a vertex on the edge from a point along an axis, and tells the number of the solid that it
// lies on, 0 for none.
std::uint16_t cut_at_wall(const std::array<int, 3>& point, int axis, float here, float there,
                          float threshold, const BlockWalls& walls, Vec3& place) {
    std::array<int, 3> next = point;
    ++next[axis];
    const auto is_fluid = [&](const std::array<int, 3>& p, float value) {
        return value >= threshold && !walls.is_solid(p[0], p[1], p[2]);
    };
    const bool starts_fluid = is_fluid(point, here);
    const BlockWalls::Entry entry =
        starts_fluid ? walls.entry(point, next) : walls.entry(next, point);
    const float beyond = starts_fluid ? there : here;
    float part = beyond < threshold ? cut(here, there, threshold) : 2;  // where the field falls
    if (!starts_fluid)
        part = 1 - part;
    const bool ends_on_solid = entry.number != 0 && (beyond >= threshold || entry.part < part);
    if (ends_on_solid)
        part = std::clamp(entry.part, k_off_ends, 1 - k_off_ends);
    place[axis] += starts_fluid ? part : 1 - part;
    return ends_on_solid ? entry.number : 0;
}

// Numbers of the vertices on the edges that start at the points of a block.
using EdgeNumbers = std::vector<std::array<std::uint32_t, 3>>;

std::size_t point_of(int x, int y, int z) {
    return x + k_points * (y + k_points * static_cast<std::size_t>(z));
}

void note_vertices(const BlockSurface& block, int dx, int dy, int dz, EdgeNumbers& numbers) {
    for (std::size_t v = 0; v < block.edges.size(); ++v) {
        const int point = block.edges[v] / 3;
        const int x = point % k_block, y = point / k_block % k_block,
                  z = point / (k_block * k_block);
        if ((dx && x) || (dy && y) || (dz && z))
            continue;
        numbers[point_of(x + dx * k_block, y + dy * k_block, z + dz * k_block)]
               [block.edges[v] % 3] = block.first_vertex + static_cast<std::uint32_t>(v);
    }
}

}  // namespace

BlockSurface cut_block(const FieldBlock& field, float threshold, const BlockWalls* walls) {
    BlockSurface surface;
    std::uint32_t inside[k_points][k_points];
    std::uint32_t any = 0, all = ~0u;
    for (int z = 0; z < k_points; ++z)
        for (int y = 0; y < k_points; ++y) {
            inside[z][y] = inside_bits(field.value[z][y], threshold);
            if (walls)
                inside[z][y] &= ~walls->row(y, z);
            any |= inside[z][y];
            all &= inside[z][y];
        }
    if (any == 0 || all == (1u << k_points) - 1)
        return surface;
    for (int z = 0; z < k_block; ++z)
        for (int y = 0; y < k_block; ++y) {
            const std::uint32_t row[4] = {inside[z][y], inside[z][y + 1], inside[z + 1][y],
                                          inside[z + 1][y + 1]};
            const std::uint32_t on[3] = {row[0] ^ row[0] >> 1, row[0] ^ row[1], row[0] ^ row[2]};
            for (std::uint32_t rest = (on[0] | on[1] | on[2]) & k_cells_of_row; rest;
                 rest &= rest - 1) {
                const int x = std::countr_zero(rest);
                const float here = field.value[z][y][x];
                const float there[3] = {field.value[z][y][x + 1], field.value[z][y + 1][x],
                                        field.value[z + 1][y][x]};
                for (int a = 0; a < 3; ++a)
                    if (on[a] >> x & 1) {
                        Vec3 place{{float(x), float(y), float(z)}};
                        if (walls)
                            surface.walls.push_back(cut_at_wall({x, y, z}, a, here, there[a],
                                                                threshold, *walls, place));
                        else
                            place[a] += cut(here, there[a], threshold);
                        surface.vertices.push_back(place);
                        surface.edges.push_back(
                            static_cast<std::uint16_t>(3 * (x + k_block * (y + k_block * z)) + a));
                    }
            }
            const std::uint32_t or_of = row[0] | row[1] | row[2] | row[3];
            const std::uint32_t and_of = row[0] & row[1] & row[2] & row[3];
            for (std::uint32_t rest =
                     (or_of | or_of >> 1) & ~(and_of & and_of >> 1) & k_cells_of_row;
                 rest; rest &= rest - 1) {
                const int x = std::countr_zero(rest);
                std::uint32_t corners = 0;
                for (int k = 0; k < 4; ++k)
                    corners |= (row[k] >> x & 3) << (2 * k);
                surface.cells.push_back((x + k_block * (y + k_block * z)) | corners << 16);
            }
        }
    return surface;
}

void refine_block(BlockSurface& surface, const FieldBlock& field, float threshold,
                  const ParticleBlocks& particles, const ParticleWeights& weights,
                  const BlockPlace& place) {
    if (surface.vertices.empty())
        return;
    const auto near = particles.index.around(place);
    for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
        const int point = surface.edges[v] / 3, axis = surface.edges[v] % 3;
        const int x = point % k_block, y = point / k_block % k_block,
                  z = point / (k_block * k_block);
        // s from 0 to 1 along the edge; the value passes the threshold between `low` and `high`
        if (!surface.walls.empty() && surface.walls[v] != 0)
            continue;
        Vec3& at = surface.vertices[v];
        const float start = static_cast<float>(axis == 0 ? x : axis == 1 ? y : z);
        float low = 0, high = 1, low_value = field.value[z][y][x] - threshold;
        float high_value =
            field.value[z + (axis == 2)][y + (axis == 1)][x + (axis == 0)] - threshold;
        const float s = at[axis] - start;
        const float value = colour_at(particles, weights, near, at) - threshold;
        if ((value < 0) == (low_value < 0)) {
            low = s;
            low_value = value;
        } else {
            high = s;
            high_value = value;
        }
        const float better = low + (high - low) * low_value / (low_value - high_value);
        at[axis] = start + std::clamp(better, k_off_ends, 1 - k_off_ends);
    }
}

CellMesh join_blocks(const BlockIndex& index, std::vector<BlockSurface>& blocks,
                     const BlockPlace& middle) {
    const CubeCases& cases = CubeCases::get();
    std::size_t vertices = 0, triangles = 0;
    for (BlockSurface& block : blocks) {
        block.first_vertex = static_cast<std::uint32_t>(vertices);
        block.first_triangle = static_cast<std::uint32_t>(triangles);
        vertices += block.vertices.size();
        for (const std::uint32_t cell : block.cells)
            triangles += cases.triangles[cell >> 16];
    }
    if (triangles >= ~0u)
        throw std::length_error("the surface has too many triangles: choose larger cells");
    CellMesh mesh;
    mesh.vertices.resize(vertices);
    if (std::ranges::any_of(blocks, [](const BlockSurface& block) { return !block.walls.empty(); }))
        mesh.walls.resize(vertices, 0);
    mesh.triangles.resize(triangles);
    const auto make_numbers = [] { return EdgeNumbers(k_points * k_points * k_points); };
    parallel_for_with(
        blocks.size(), {.grain = 8, .alone_to = 8}, make_numbers,
        [&](std::size_t b, EdgeNumbers& numbers) {
            BlockSurface& block = blocks[b];
            if (block.cells.empty() && block.vertices.empty())
                return;
            const BlockPlace place = index.place(b);
            Vec3 corner;
            for (int k = 0; k < 3; ++k)
                corner[k] = static_cast<float>(place[k] - middle[k]) * k_block;
            for (std::size_t v = 0; v < block.vertices.size(); ++v)
                mesh.vertices[block.first_vertex + v] = corner + block.vertices[v];
            block.vertices = {};
            std::ranges::copy(block.walls, mesh.walls.begin() + block.first_vertex);
            block.walls = {};
            const auto near = index.around(place);
            for (int d = 0; d < 8; ++d) {
                const int dx = d & 1, dy = d >> 1 & 1, dz = d >> 2;
                const std::uint32_t other = near[(dx + 1) + 3 * (dy + 1) + 9 * (dz + 1)];
                if (other != BlockIndex::k_none)
                    note_vertices(blocks[other], dx, dy, dz, numbers);
            }
            std::uint32_t at = block.first_triangle;
            for (const std::uint32_t cell : block.cells) {
                const int x = cell % k_block, y = cell / k_block % k_block,
                          z = (cell & 0xffff) / (k_block * k_block);
                const std::uint32_t corners = cell >> 16;
                const std::uint8_t* edge = cases.edges[corners];
                for (int t = 0; t < cases.triangles[corners]; ++t, edge += 3, ++at)
                    for (int k = 0; k < 3; ++k) {
                        const CubeEdge e = cube_edge(edge[k]);
                        mesh.triangles[at][k] = numbers[point_of(
                            x + (e.from & 1), y + (e.from >> 1 & 1), z + (e.from >> 2))][e.axis];
                    }
            }
            block.cells = {};
        });
    return mesh;
}

}  // namespace millrace
