#include "rigid/rigid_engine.hpp"

#include "millrace/error.hpp"
#include "rigid/own_engine.hpp"
#ifdef MILLRACE_BULLET
#include "rigid/bullet_engine.hpp"
#endif

namespace millrace {

const std::vector<std::string>& rigid_engines() {
#ifdef MILLRACE_BULLET
    static const std::vector<std::string> engines{"own", "bullet"};
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
#else
    if (engine == "bullet")
        throw InputError("rigid.engine: this build has no bullet; use own");
#endif
    if (engine == "own" || engine == "auto")
        return make_own_engine(description);
    throw InputError("rigid.engine: there is no engine \"" + engine +
                     "\"; use own, bullet or auto");
}

}  // namespace millrace
