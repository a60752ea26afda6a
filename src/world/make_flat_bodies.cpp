#include "world/make_flat_bodies.hpp"

#include "millrace/error.hpp"
#ifdef MILLRACE_BOX2D
#include "box2d/scene_bodies.hpp"
#endif

namespace millrace {

#ifdef MILLRACE_BOX2D

bool has_box2d() {
    return true;
}

std::unique_ptr<FlatBodies> make_flat_bodies(const FlatDescription& description) {
    return make_box2d_bodies(description);
}

#else

bool has_box2d() {
    return false;
}

std::unique_ptr<FlatBodies> make_flat_bodies(const FlatDescription&) {
    throw InputError(
        "bodies: in 2D they need Box2D, which is not built in: install it (on Debian: apt install "
        "libbox2d-dev), then configure and build again");
}

#endif

}  // namespace millrace
