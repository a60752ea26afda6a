#include "rigid/rigid_engine.hpp"

#include <algorithm>

#include "geometry/shape_measures.hpp"
#include "math/scene_vectors.hpp"
#include "millrace/error.hpp"
#include "rigid/own_engine.hpp"
#include "rigid/spook_engine.hpp"
#ifdef MILLRACE_BULLET
#include "rigid/bullet_engine.hpp"
#endif

namespace millrace {

namespace {

template <class Description, class Get>
decltype(auto) of_solid(const Description& description, const Get& get) {
    return std::visit(get, description.solid);
}

}  // namespace

const std::string& BodyDescription::name() const {
    return of_solid(*this, [](const auto& s) -> const std::string& { return s.name; });
}
double BodyDescription::friction() const {
    return of_solid(*this, [](const auto& s) { return s.friction; });
}
double BodyDescription::restitution() const {
    return of_solid(*this, [](const auto& s) { return s.restitution; });
}
const std::string& WallDescription::name() const {
    return of_solid(*this, [](const auto& s) -> const std::string& { return s.name; });
}
double WallDescription::friction() const {
    return of_solid(*this, [](const auto& s) { return s.friction; });
}
double WallDescription::restitution() const {
    return of_solid(*this, [](const auto& s) { return s.restitution; });
}
bool WallDescription::moves() const {
    return of_solid(*this, [](const auto& s) { return s.moves; });
}

template <int D>
RigidDescription describe_rigid(const SceneSolids<D>& solids, const Scene& scene,
                                std::vector<BodyState> wall_frames) {
    RigidDescription rigid;
    rigid.gravity = to_vec3d(scene.gravity);
    rigid.joints = scene.joints;
    for (std::size_t w = 0; w < solids.walls.size(); ++w)
        rigid.walls.push_back({solids.walls[w], wall_frames[w]});
    for (const SolidBody<D>& body : solids.bodies)
        rigid.bodies.push_back({body.solid, body.center, body.mass, body.inertia, body.state});
    return rigid;
}

double extent_of(const BodyDescription& body) {
    return std::visit(
        []<int D>(const Solid<D>& solid) {
            const auto around = bounds_of<D>(solid.shape);
            return around ? around->largest_side() : 0;
        },
        body.solid);
}

template <int D>
double tank_thickness(const Solid<D>& tank, std::span<const BodyDescription> bodies) {
    constexpr double k_thickest = 0.5, k_thinnest = 0.01;  // in sizes of the tank
    double size = 0;
    if (const auto* box = std::get_if<PlacedBox<D>>(&tank.shape))
        size = ShapeBounds<D>{box->low, box->high}.largest_side();
    else if (const auto around = bounds_of<D>(tank.shape))
        size = around->largest_side();
    double thickness = k_thickest * size;
    for (const BodyDescription& body : bodies) {
        Vec<D, double> middle;
        for (int k = 0; k < D; ++k)
            middle[k] = body.state.position[k];
        const double out = distance_outside<D>(tank.shape, middle);
        if (out > 0)
            thickness =
                std::min(thickness, out - radius_of<D>(std::get<Solid<D>>(body.solid).shape));
    }
    return std::max(thickness, k_thinnest * size);
}

template RigidDescription describe_rigid<2>(const SceneSolids<2>&, const Scene&,
                                            std::vector<BodyState>);
template RigidDescription describe_rigid<3>(const SceneSolids<3>&, const Scene&,
                                            std::vector<BodyState>);
template double tank_thickness<2>(const Solid<2>&, std::span<const BodyDescription>);
template double tank_thickness<3>(const Solid<3>&, std::span<const BodyDescription>);

const std::vector<std::string>& rigid_engines() {
#ifdef MILLRACE_BULLET
    static const std::vector<std::string> engines{"own", "bullet", "spook"};
#else
    static const std::vector<std::string> engines{"own"};
#endif
    return engines;
}

std::unique_ptr<RigidEngine> make_rigid_engine(const std::string& engine,
                                               const RigidDescription& description) {
#ifdef MILLRACE_BULLET
    if (engine == "bullet" || engine == "auto")
        return make_bullet_engine(description);
    if (engine == "spook")
        return make_spook_engine(description);
#else
    const bool flat = !description.bodies.empty() &&
                      std::holds_alternative<Solid<2>>(description.bodies.front().solid);
    if (engine == "spook" && flat)  // contacts of the plane are our own
        return make_spook_engine(description);
    if (engine == "bullet" || engine == "spook")
        throw InputError("rigid.engine: this build has no Bullet, which finds contacts; use own");
#endif
    if (engine == "own" || engine == "auto")
        return make_own_engine(description);
    throw InputError("rigid.engine: there is no engine \"" + engine +
                     "\"; use own, bullet, spook or auto");
}

}  // namespace millrace
