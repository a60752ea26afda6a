#include "surface/contacts.hpp"

#include <algorithm>
#include <cmath>

#include "exec/host_loops.hpp"

namespace millrace {

namespace {

constexpr float k_reach = 1.8f;     // of a vertex that is put onto a solid: a diagonal [cells]
constexpr float k_parallel = 0.8f;  // cosine from which on two surfaces have no edge between them
constexpr int k_rounds = 4;         // of projection where several solids meet

}  // namespace

Vec3 Contacts::world(const Vec3& x) const {
    Vec3 at;
    for (int k = 0; k < 3; ++k)
        at[k] = static_cast<float>((double(middle_[k]) * k_block + x[k]) * cell_);
    return at;
}

SignedDistance<3>::Sample Contacts::sample(std::uint16_t number, const Vec3& x) const {
    auto found = solids_[number - 1].at(world(x));
    found.distance = static_cast<float>(found.distance / cell_);
    return found;
}

void Contacts::adopt(std::uint32_t vertex, std::uint16_t number) {
    if (index_[vertex] == 0) {
        contacts_.emplace_back();
        index_[vertex] = static_cast<std::uint32_t>(contacts_.size());
    }
    Contact& contact = contacts_[index_[vertex] - 1];
    for (std::uint16_t& known : contact.solids) {
        if (known == number)
            return;
        if (known == 0) {
            known = number;
            return;
        }
    }
}

Contacts::Contacts(CellMesh& mesh, std::span<const PlacedSolid> solids, const BlockPlace& middle,
                   double cell)
    : solids_(solids), middle_(middle), cell_(cell) {
    if (mesh.walls.empty())
        return;
    rank_ = std::move(mesh.walls);
    mesh.walls.clear();
    const std::size_t count = mesh.vertices.size();
    index_.assign(count, 0);

    // Normals of the free surface, and which of its vertices have a neighbour on a solid.
    std::vector<Vec3> free_normals(count, Vec3::all(0));
    std::vector<std::uint8_t> touches(count, 0), is_backed(count, 0);
    for (const auto& t : mesh.triangles) {
        const bool is_free = rank_[t[0]] == 0 && rank_[t[1]] == 0 && rank_[t[2]] == 0;
        const Vec3 area = cross(mesh.vertices[t[1]] - mesh.vertices[t[0]],
                                mesh.vertices[t[2]] - mesh.vertices[t[0]]);
        for (const std::uint32_t v : t) {
            if (is_free)
                free_normals[v] += area;
            else
                touches[v] = 1;
        }
    }
    // there must be free surface beyond, three edges off at most: in a corner of a tank
    for (std::uint8_t round = 1; round <= 3; ++round)
        for (const auto& t : mesh.triangles)
            for (int k = 0; k < 3; ++k) {
                const std::uint32_t a = t[k], b = t[(k + 1) % 3];
                const bool is_beyond = round == 1 ? !touches[b] : is_backed[b] == round - 1;
                if (rank_[a] == 0 && rank_[b] == 0 && touches[a] && !is_backed[a] && is_beyond)
                    is_backed[a] = round;
            }

    for (std::uint32_t v = 0; v < count; ++v)
        if (rank_[v] != 0)
            adopt(v, rank_[v]);
    const std::vector<Vec3> start = mesh.vertices;
    const auto consider = [&](std::uint32_t v, std::uint16_t number) {
        const auto there = sample(number, start[v]);
        if (std::abs(there.distance) > k_reach)
            return;
        if (rank_[v] == 0) {
            // a film that runs along the wall and a drop on it stay as thick as they are
            const float length = norm(free_normals[v]);
            const Vec3 m = length > 0 ? free_normals[v] / length : Vec3::all(0);
            const float cosine = dot(there.normal, m);
            if (!is_backed[v] || std::abs(cosine) > k_parallel)
                return;
            const Vec3 along = there.normal - m * cosine;
            if (index_[v] == 0)  // along the surface of the water
                mesh.vertices[v] -= along * (there.distance / squared_norm(along));
        } else if (std::abs(dot(there.normal, sample(rank_[v], start[v]).normal)) > k_parallel) {
            return;
        }
        adopt(v, number);
    };
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k)
            for (const std::uint32_t other : {t[(k + 1) % 3], t[(k + 2) % 3]})
                if (rank_[other] > rank_[t[k]])
                    consider(t[k], rank_[other]);
    for (std::uint32_t v = 0; v < count; ++v) {
        if (index_[v] == 0)
            continue;
        project(v, mesh.vertices[v]);
        Contact& contact = contacts_[index_[v] - 1];
        for (const std::uint16_t number : contact.solids) {
            if (number == 0)
                break;
            Vec3 n = sample(number, mesh.vertices[v]).normal;
            contact.keep_on(n);
            if (const float length = norm(n); length > 0.1f)
                contact.normals[contact.count++] = n / length;
        }
    }
}

void Contacts::project(std::uint32_t vertex, Vec3& x) const {
    const Contact& contact = contacts_[index_[vertex] - 1];
    const bool is_one = contact.solids[1] == 0;
    for (int round = 0; round < (is_one ? 2 : k_rounds); ++round)
        for (const std::uint16_t number : contact.solids) {
            if (number == 0)
                break;
            const auto there = sample(number, x);
            if (std::abs(there.distance) < 2 * k_reach)
                x -= there.normal * there.distance;
        }
}

void Contacts::sharpen_rim(const CellMesh& mesh, std::vector<Vec3>& normals) const {
    if (contacts_.empty())
        return;
    std::vector<Vec3> sums(contacts_.size(), Vec3::all(0));
    for (const auto& t : mesh.triangles) {
        if (rank_[t[0]] != 0 || rank_[t[1]] != 0 || rank_[t[2]] != 0)
            continue;
        const Vec3 area = cross(mesh.vertices[t[1]] - mesh.vertices[t[0]],
                                mesh.vertices[t[2]] - mesh.vertices[t[0]]);
        for (const std::uint32_t v : t)
            if (index_[v] != 0)
                sums[index_[v] - 1] += area;
    }
    for (std::size_t v = 0; v < normals.size(); ++v)
        if (index_[v] != 0 && rank_[v] == 0)
            if (const float length = norm(sums[index_[v] - 1]); length > 0)
                normals[v] = sums[index_[v] - 1] / length;
}

void Contacts::put_on_solids(CellMesh& mesh) const {
    const auto count = static_cast<std::int64_t>(mesh.vertices.size());
    parallel_for(count, {.grain = 0, .alone_to = 4096}, [&](std::int64_t v) {
        Vec3& x = mesh.vertices[v];
        if (!index_.empty() && index_[v] != 0) {
            project(static_cast<std::uint32_t>(v), x);
            return;
        }
        for (std::size_t s = 0; s < solids_.size(); ++s) {
            if (!solids_[s].may_hold(world(x)))
                continue;
            const auto there = sample(static_cast<std::uint16_t>(s + 1), x);
            if (there.distance < 0 && there.distance > -k_reach)
                x -= there.normal * there.distance;
        }
    });
}

}  // namespace millrace
