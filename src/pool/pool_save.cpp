#include <cstring>
#include <type_traits>

#include "pool/pool_impl.hpp"

// The whole state of a pool as bytes.
namespace millrace {

namespace {

constexpr std::uint32_t k_magic = 0x33504c4d;  // "MLP3"

/// Member by member: what lies between them has no meaning, and must not be hashed.
template <class Archive>
void visit_emitter(Archive& archive, auto& emitter) {
    auto& o = emitter.options;
    archive(o.fluid), archive(o.position), archive(o.direction), archive(o.width);
    archive(o.speed), archive(o.lifetime), archive(o.max_particles);
    bool rides = o.solid.has_value();
    SolidId solid = o.solid.value_or(0);
    archive(rides), archive(solid);
    if constexpr (Archive::k_reads)
        o.solid = rides ? std::optional(solid) : std::nullopt;
    archive(emitter.travel), archive(emitter.odd), archive(emitter.emitted);
}

class Writer {
  public:
    static constexpr bool k_reads = false;
    std::vector<std::byte> bytes;

    void raw(const void* data, std::size_t size) {
        const auto* from = static_cast<const std::byte*>(data);
        bytes.insert(bytes.end(), from, from + size);
    }
    template <class T>
    void operator()(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        raw(&value, sizeof value);
    }
    template <class T>
    void operator()(const std::vector<T>& values) {
        (*this)(static_cast<std::uint64_t>(values.size()));
        if constexpr (std::is_trivially_copyable_v<T>)
            raw(values.data(), values.size() * sizeof(T));
        else
            for (const T& value : values)
                (*this)(value);
    }
    void operator()(const std::string& text) {
        (*this)(std::vector<char>(text.begin(), text.end()));
    }
    void operator()(const Shape2& shape) {
        (*this)(shape.kind), (*this)(shape.points), (*this)(shape.radius);
    }
    void operator()(const PoolEmitter& emitter) { visit_emitter(*this, emitter); }
};

class Reader {
  public:
    static constexpr bool k_reads = true;
    std::span<const std::byte> left;
    bool good = true;

    bool raw(void* data, std::size_t size) {
        good = good && size <= left.size();
        if (!good)
            return false;
        if (size > 0)  // nothing has no address
            std::memcpy(data, left.data(), size);
        left = left.subspan(size);
        return true;
    }
    template <class T>
    void operator()(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        raw(&value, sizeof value);
    }
    template <class T>
    void operator()(std::vector<T>& values) {
        std::uint64_t size = 0;
        (*this)(size);
        good = good && size <= left.size();  // every entry takes a byte at least
        if (!good)
            return;
        values.resize(size);
        if constexpr (std::is_trivially_copyable_v<T>) {
            if (size > left.size() / sizeof(T))
                good = false;
            else
                raw(values.data(), size * sizeof(T));
        } else {
            for (T& value : values)
                (*this)(value);
        }
    }
    void operator()(std::string& text) {
        std::vector<char> letters;
        (*this)(letters);
        text.assign(letters.begin(), letters.end());
    }
    void operator()(Shape2& shape) {
        (*this)(shape.kind), (*this)(shape.points), (*this)(shape.radius);
    }
    void operator()(PoolEmitter& emitter) { visit_emitter(*this, emitter); }
};

/// FNV-1a, eight bytes at a time.
std::uint64_t hash_of(std::span<const std::byte> bytes) {
    std::uint64_t h = 0xcbf29ce484222325u;
    for (std::size_t k = 0; k < bytes.size(); k += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, &bytes[k], std::min<std::size_t>(8, bytes.size() - k));
        h = (h ^ word) * 0x100000001b3u;
        h ^= h >> 32;
    }
    return h;
}

/// What a pool must share with the one that was saved.
std::vector<std::byte> signature(const PoolOptions& options) {
    Writer w;
    const PoolMethod& m = options.method;
    w(options.spacing), w(options.gravity), w(options.cfl), w(options.longest_substep);
    w(options.max_substeps), w(options.min), w(options.max);
    w(m.name), w(m.kernels), w(m.self_contribution), w(m.iterations), w(m.warm_start);
    w(m.relaxation_time), w(m.compliance), w(m.over_relaxation), w(m.stiffness);
    w(m.near_stiffness), w(m.rest_ratio);
    return w.bytes;
}

/// A solid as it is saved.
struct SavedSolid {
    SolidId id = 0;
    Point2 center;
    SolidKind kind = SolidKind::fixed;
    SolidState state, now;
    std::uint32_t contacts = 0;
};

}  // namespace

/// Visits all state but that of solids, in one order for writing and reading.
template <class Archive>
void Pool::Impl::visit(Archive& archive, auto& self) {
    archive(self.materials);
    PoolParticles::for_each_array(self.particles, [&](auto& array) { archive(array); });
    archive(self.time), archive(self.next_particle);
    archive(self.next_solid), archive(self.next_emitter), archive(self.next_sink);
}

std::vector<std::byte> Pool::save() const {
    const Impl& impl = *impl_;
    Writer w;
    w(k_magic);
    w(signature(impl.options));
    Impl::visit(w, impl);
    w(static_cast<std::uint64_t>(impl.solids.all().size()));
    for (const Solid& solid : impl.solids.all()) {
        w(SavedSolid{solid.id, solid.options.center, solid.options.kind, solid.options.state,
                     *this->solid(solid.id), solid.push.contacts});
        w(solid.options.shapes);
        w(solid.felt);
        w(solid.fluid_density);
    }
    w(static_cast<std::uint64_t>(impl.emitters.size()));
    for (const auto& [id, emitter] : impl.emitters)
        w(id), w(emitter);
    w(static_cast<std::uint64_t>(impl.sinks.size()));
    for (const auto& [id, shape] : impl.sinks)
        w(id), w(shape);
    w(impl.solver->memory());
    w(hash_of(w.bytes));
    return w.bytes;
}

Status Pool::restore(std::span<const std::byte> saved) {
    const Status broken = Status::failed("restore: this is not a saved pool, or it is damaged");
    Reader r{saved};
    std::uint32_t magic = 0;
    std::vector<std::byte> sign;
    r(magic);
    if (!r.good || magic != k_magic)
        return broken;
    std::uint64_t hash = 0;
    if (saved.size() < sizeof magic + sizeof hash)
        return broken;
    std::memcpy(&hash, saved.data() + saved.size() - sizeof hash, sizeof hash);
    if (hash != hash_of(saved.first(saved.size() - sizeof hash)))
        return broken;
    r.left = r.left.first(r.left.size() - sizeof hash);
    r(sign);
    if (!r.good)
        return broken;
    if (sign != signature(impl_->options))
        return Status::failed("restore: the pool was saved with other options");
    auto fresh = std::make_unique<Impl>(impl_->options);
    Impl::visit(r, *fresh);
    std::uint64_t count = 0;
    r(count);
    for (std::uint64_t k = 0; k < count && r.good; ++k) {
        SavedSolid s;
        SolidOptions options;
        r(s);
        r(options.shapes);
        std::vector<std::vector<float>> felt;
        float fluid_density = 0;
        r(felt);
        r(fluid_density);
        options.center = s.center;
        options.kind = s.kind;
        options.state = s.state;
        if (!r.good || !problem_of(options).empty() || !problem_of(s.now).empty())
            return broken;
        fresh->solids.add(s.id, options);
        Solid& solid = fresh->solids.all().back();
        solid.set(s.now);
        solid.options.state = s.state;
        solid.push.contacts = s.contacts;
        solid.felt = std::move(felt);
        solid.fluid_density = fluid_density;
    }
    r(count);
    for (std::uint64_t k = 0; k < count && r.good; ++k) {
        EmitterId id = 0;
        PoolEmitter emitter;
        r(id), r(emitter);
        fresh->emitters[id] = emitter;
    }
    r(count);
    for (std::uint64_t k = 0; k < count && r.good; ++k) {
        SinkId id = 0;
        Shape2 shape;
        r(id), r(shape);
        fresh->sinks[id] = shape;
    }
    std::vector<std::byte> memory;
    r(memory);
    const std::size_t n = fresh->particles.size();
    PoolParticles::for_each_array(fresh->particles,
                                  [&](auto& array) { r.good = r.good && array.size() == n; });
    for (const std::uint8_t fluid : fresh->particles.fluid)
        r.good = r.good && fluid < fresh->materials.size();
    if (!r.good || !r.left.empty() || !fresh->solver->remember(memory))
        return broken;
    impl_ = std::move(fresh);
    return {};
}

std::uint64_t Pool::hash() const {
    const std::vector<std::byte> saved = save();
    std::uint64_t hash = 0;  // its last part: that of all before it
    std::memcpy(&hash, saved.data() + saved.size() - sizeof hash, sizeof hash);
    return hash;
}

}  // namespace millrace
