#include "geometry/iso_surface.hpp"

#include <algorithm>

#include "exec/host_loops.hpp"

namespace millrace {

namespace {

constexpr int k_side = LatticeField::k_side;
constexpr int k_points = LatticeField::k_points;
constexpr std::uint32_t k_none = LatticeField::k_none;

// Corner c of a cell lies at (c & 1, c >> 1 & 1, c >> 2 & 1). Edge 4 a + s runs along axis a; the
// bits of s are its offsets along the two next axes.
struct EdgeEnds {
    int from, to;
};

constexpr EdgeEnds ends(int edge) {
    const int a = edge / 4, b = (a + 1) % 3, c = (a + 2) % 3;
    const int from = (edge & 1) << b | (edge >> 1 & 1) << c;
    return {from, from | 1 << a};
}

constexpr int edge_between(int one, int other) {
    for (int e = 0; e < 12; ++e)
        if ((ends(e).from == one && ends(e).to == other) ||
            (ends(e).from == other && ends(e).to == one))
            return e;
    return -1;
}

// For each of the 256 sets of inside corners: to which patch of surface a cut edge belongs.
struct PatchTable {
    std::int8_t patch[256][12];
    std::int8_t patches[256];

    PatchTable() {
        for (int inside = 0; inside < 256; ++inside) {
            int group[12];
            for (int e = 0; e < 12; ++e)
                group[e] = e;
            const auto join = [&](int e, int f) {
                const int from = group[e], to = group[f];
                for (int& g : group)
                    g = g == from ? to : g;
            };
            for (int face = 0; face < 6; ++face) {
                const int a = face / 2, b = (a + 1) % 3, c = (a + 2) % 3, base = (face & 1) << a;
                const int corner[4] = {base, base | 1 << b, base | 1 << b | 1 << c, base | 1 << c};
                int edge[4], cut[4], cuts = 0;
                for (int k = 0; k < 4; ++k) {
                    edge[k] = edge_between(corner[k], corner[(k + 1) % 4]);
                    if ((inside >> corner[k] & 1) != (inside >> corner[(k + 1) % 4] & 1))
                        cut[cuts++] = edge[k];
                }
                if (cuts == 2)
                    join(cut[0], cut[1]);
                for (int k = 0; k < 4 && cuts == 4; ++k)  // inside corners stay apart
                    if (inside >> corner[k] & 1)
                        join(edge[k], edge[(k + 3) % 4]);
            }
            int number[12], count = 0;
            std::fill(number, number + 12, -1);
            for (int e = 0; e < 12; ++e) {
                const bool is_cut = (inside >> ends(e).from & 1) != (inside >> ends(e).to & 1);
                if (is_cut && number[group[e]] < 0)
                    number[group[e]] = count++;
                patch[inside][e] = static_cast<std::int8_t>(is_cut ? number[group[e]] : -1);
            }
            patches[inside] = static_cast<std::int8_t>(count);
        }
    }
};

struct CutCell {
    std::uint16_t cell;
    std::uint8_t inside;
    std::uint32_t first_vertex;
};

struct BlockSurface {
    std::vector<CutCell> cells;
    std::vector<std::int16_t> cell_at;  // of each point: its place in `cells`, or -1
    std::vector<Vec3d> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::uint32_t first_vertex = 0;
};

// A point of a block or of those around it: coordinates from -1 to 8.
struct Place {
    int neighbor, point;

    Place(int x, int y, int z) {
        const int c[3] = {x, y, z};
        neighbor = point = 0;
        for (int k = 2; k >= 0; --k) {
            const int step = c[k] < 0 ? 0 : c[k] >= k_side ? 2 : 1;
            neighbor = neighbor * 3 + step;
            point = point * k_side + (c[k] - (step - 1) * k_side);
        }
    }
};

void find_vertices(const LatticeField& field, std::uint32_t block, const PatchTable& table,
                   BlockSurface& surface) {
    const auto around = field.around(block);
    const Vec3d corner_place = [&] {
        Vec3d x = field.origin;
        for (int k = 0; k < 3; ++k)
            x[k] += field.blocks[block][k] * (k_side * field.voxel);
        return x;
    }();
    for (int z = 0; z < k_side; ++z)
        for (int y = 0; y < k_side; ++y)
            for (int x = 0; x < k_side; ++x) {
                float value[8];
                int inside = 0;
                bool whole = true;
                for (int c = 0; c < 8 && whole; ++c) {
                    const Place p(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2 & 1));
                    whole = around[p.neighbor] != k_none;
                    if (whole) {
                        value[c] = field.values[around[p.neighbor]][p.point];
                        inside |= (value[c] < 0) << c;
                    }
                }
                if (!whole || inside == 0 || inside == 255)
                    continue;
                if (surface.cell_at.empty())
                    surface.cell_at.assign(k_points, -1);
                const int cell = x + k_side * (y + k_side * z);
                surface.cell_at[cell] = static_cast<std::int16_t>(surface.cells.size());
                surface.cells.push_back({static_cast<std::uint16_t>(cell),
                                         static_cast<std::uint8_t>(inside),
                                         static_cast<std::uint32_t>(surface.vertices.size())});
                Vec3d sum[4] = {};
                int n[4] = {};
                for (int e = 0; e < 12; ++e) {
                    const int patch = table.patch[inside][e];
                    if (patch < 0)
                        continue;
                    const auto [from, to] = ends(e);
                    Vec3d at{{double(from & 1), double(from >> 1 & 1), double(from >> 2 & 1)}};
                    at[e / 4] += double(value[from]) / (double(value[from]) - double(value[to]));
                    sum[patch] += at;
                    ++n[patch];
                }
                const Vec3d base{{double(x), double(y), double(z)}};
                for (int patch = 0; patch < table.patches[inside]; ++patch)
                    surface.vertices.push_back(
                        corner_place + (base + sum[patch] / double(n[patch])) * field.voxel);
            }
}

void find_triangles(const LatticeField& field, std::uint32_t block, const PatchTable& table,
                    std::vector<BlockSurface>& surfaces) {
    const auto around = field.around(block);
    const LatticeField::Values& values = field.values[block];
    for (int point = 0; point < k_points; ++point) {
        const int x[3] = {point % k_side, point / k_side % k_side, point / (k_side * k_side)};
        for (int a = 0; a < 3; ++a) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            const Place next(x[0] + (a == 0), x[1] + (a == 1), x[2] + (a == 2));
            if (around[next.neighbor] == k_none)
                continue;
            const bool inside = values[point] < 0;
            if (inside == (field.values[around[next.neighbor]][next.point] < 0))
                continue;
            // the four cells around the edge, counter-clockwise as seen from its far end
            constexpr int k_back[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
            std::uint32_t v[4];
            Vec3d place[4];
            bool whole = true;
            for (int k = 0; k < 4 && whole; ++k) {
                int cell[3] = {x[0], x[1], x[2]};
                cell[b] -= k_back[k][0];
                cell[c] -= k_back[k][1];
                const Place p(cell[0], cell[1], cell[2]);
                const std::uint32_t owner = around[p.neighbor];
                whole = owner != k_none && !surfaces[owner].cell_at.empty() &&
                        surfaces[owner].cell_at[p.point] >= 0;
                if (!whole)
                    break;
                const BlockSurface& s = surfaces[owner];
                const CutCell& cut = s.cells[s.cell_at[p.point]];
                const int edge = 4 * a + k_back[k][0] + 2 * k_back[k][1];
                const std::uint32_t local = cut.first_vertex + table.patch[cut.inside][edge];
                v[k] = s.first_vertex + local;
                place[k] = s.vertices[local];
            }
            if (!whole)
                continue;
            if (!inside) {
                std::swap(v[1], v[3]);
                std::swap(place[1], place[3]);
            }
            auto& triangles = surfaces[block].triangles;
            if (squared_norm(place[0] - place[2]) <= squared_norm(place[1] - place[3])) {
                triangles.push_back({v[0], v[1], v[2]});
                triangles.push_back({v[0], v[2], v[3]});
            } else {
                triangles.push_back({v[0], v[1], v[3]});
                triangles.push_back({v[1], v[2], v[3]});
            }
        }
    }
}

}  // namespace

std::uint64_t LatticeField::key(const Block& block) {
    std::uint64_t key = 0;
    for (int k = 0; k < 3; ++k)
        key = key << 21 | (static_cast<std::uint32_t>(block[k] + (1 << 20)) & 0x1fffffu);
    return key;
}

std::uint32_t LatticeField::find(const Block& block) const {
    const auto found = index.find(key(block));
    return found == index.end() ? k_none : found->second;
}

bool LatticeField::add(const Block& block) {
    const auto next = static_cast<std::uint32_t>(blocks.size());
    if (!index.try_emplace(key(block), next).second)
        return false;
    blocks.push_back(block);
    values.emplace_back();
    return true;
}

std::array<std::uint32_t, 27> LatticeField::around(std::uint32_t block) const {
    std::array<std::uint32_t, 27> near;
    const Block& b = blocks[block];
    for (int d = 0; d < 27; ++d)
        near[d] = find({b[0] + d % 3 - 1, b[1] + d / 3 % 3 - 1, b[2] + d / 9 - 1});
    return near;
}

TriangleMesh iso_surface(const LatticeField& field) {
    static const PatchTable table;
    const auto n = static_cast<std::int64_t>(field.blocks.size());
    std::vector<BlockSurface> surfaces(field.blocks.size());
    parallel_for(n, {.grain = 16}, [&](std::int64_t b) {
        find_vertices(field, static_cast<std::uint32_t>(b), table, surfaces[b]);
    });
    std::size_t vertices = 0, triangles = 0;
    for (BlockSurface& s : surfaces) {
        s.first_vertex = static_cast<std::uint32_t>(vertices);
        vertices += s.vertices.size();
    }
    parallel_for(n, {.grain = 16}, [&](std::int64_t b) {
        find_triangles(field, static_cast<std::uint32_t>(b), table, surfaces);
    });
    for (const BlockSurface& s : surfaces)
        triangles += s.triangles.size();
    TriangleMesh mesh;
    mesh.vertices.reserve(vertices);
    mesh.triangles.reserve(triangles);
    for (const BlockSurface& s : surfaces) {
        mesh.vertices.insert(mesh.vertices.end(), s.vertices.begin(), s.vertices.end());
        mesh.triangles.insert(mesh.triangles.end(), s.triangles.begin(), s.triangles.end());
    }
    return mesh;
}

}  // namespace millrace
