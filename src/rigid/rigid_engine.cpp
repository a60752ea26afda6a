#include "rigid/rigid_engine.hpp"

#include "millrace/error.hpp"
#include "rigid/own_engine.hpp"
#include "rigid/spook_engine.hpp"
#ifdef MILLRACE_BULLET
#include "rigid/bullet_engine.hpp"
#endif

namespace millrace {

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
    if (engine == "bullet" || engine == "spook")
        throw InputError("rigid.engine: this build has no Bullet, which finds contacts; use own");
#endif
    if (engine == "own" || engine == "auto")
        return make_own_engine(description);
    throw InputError("rigid.engine: there is no engine \"" + engine +
                     "\"; use own, bullet, spook or auto");
}

}  // namespace millrace
