#pragma once

#include <algorithm>
#include <map>

#include "pool/film.hpp"
#include "pool/method.hpp"
#include "pool/particles.hpp"
#include "pool/solids.hpp"
#include "pool/viscosity.hpp"

namespace millrace {

struct PoolEmitter {
    EmitterOptions options;
    float travel = 0;  ///< of the fluid since the last row [m]
    bool odd = false;  ///< rows are shifted in turn
    std::uint64_t emitted = 0;
};

/// The sub-step in whose time errors are undone: the longest one, but where that is tiny. To undo
/// them in less would hurl particles about.
inline float usual_substep(const PoolOptions& options) {
    constexpr float k_least = 1e-3f;  // [s]
    return std::max(options.longest_substep, k_least);
}

struct Pool::Impl {
    PoolOptions options;
    float volume;  ///< of a particle [m^2]
    Workers workers;
    std::unique_ptr<PoolSolver> solver;
    std::optional<PoolViscosity> viscosity;
    std::vector<FluidMaterial> materials;
    PoolParticles particles;
    Solids solids;
    FilmPressure film;
    std::map<EmitterId, PoolEmitter> emitters;
    std::map<SinkId, Shape2> sinks;
    double time = 0;
    // the next of each kind; ids are never used twice
    ParticleId next_particle = 0;
    SolidId next_solid = 0;
    EmitterId next_emitter = 0;
    SinkId next_sink = 0;

    // of the sub-step at hand, sorted by columns
    Columns<2> columns;
    std::vector<Vec2> places;  ///< not sorted: that the columns are made of
    std::vector<Vec2> velocity;
    std::vector<float> pressure, density, inverse_mass;
    std::vector<std::uint8_t> fluid;
    std::vector<ParticleId> id;
    std::vector<std::vector<std::uint32_t>> swept;  ///< of every strip: whose ways are checked

    mutable std::vector<std::pair<ParticleId, std::uint32_t>> index;  ///< sorted by id
    mutable bool index_is_valid = false;

    explicit Impl(const PoolOptions& options);

    /// Everything but the room for it must have been checked. False: there is no room.
    bool add(const NewParticle& particle);
    bool is_within_bounds(Point2 x) const {  ///< false for NaN
        return x.x >= options.min.x && x.x <= options.max.x && x.y >= options.min.y &&
               x.y <= options.max.y;
    }
    bool has_room() const { return particles.size() < options.max_particles; }
    double places_in(const Shape2& shape) const;  ///< of a lattice in the box around it
    std::size_t fill(const Shape2& shape, const FillOptions& fill);
    /// Removes the particles inside of a shape; returns how many.
    std::size_t remove_inside(const Shape2& shape);
    void remove_gone(float dt, PoolReport& report);
    void emit(float dt, PoolReport& report);
    void emit_row(PoolEmitter& emitter, float ahead, int in_row, PoolReport& report);

    float longest_substep(float wanted) const;
    int substeps_for(float dt, float longest) const;
    float common_speed() const;
    float swing_speed() const;
    void substep(float dt, float natural, float viscous, PoolReport& report);
    Vec2 near_bounds(const Vec2& x) const;
    void sort(float dt);
    void move(float dt);
    void measure(PoolReport& report) const;

    template <class Archive>
    static void visit(Archive& archive, auto& self);
};

// What callers pass, checked: a message that names what is wrong, empty where nothing is.
std::string problem_of(const PoolOptions& options);
std::string problem_of(const FluidMaterial& material);
std::string problem_of(const Shape2& shape, bool is_filled);
std::string problem_of(const SolidOptions& options);
std::string problem_of(const SolidState& state);
std::string problem_of(const EmitterOptions& options);

}  // namespace millrace
