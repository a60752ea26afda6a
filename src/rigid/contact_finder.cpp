#include "rigid/contact_finder.hpp"

#include "millrace/error.hpp"
#ifdef MILLRACE_BULLET
#include "rigid/bullet_contact_finder.hpp"
#endif

namespace millrace {

#ifdef MILLRACE_BULLET
std::unique_ptr<ContactFinder> make_space_contact_finder(const RigidDescription& description,
                                                         double reach) {
    return make_bullet_contact_finder(description, reach);
}
#else
std::unique_ptr<ContactFinder> make_space_contact_finder(const RigidDescription&, double) {
    throw InputError("rigid: contacts of bodies in space need bullet, which this build has not");
}
#endif

}  // namespace millrace
