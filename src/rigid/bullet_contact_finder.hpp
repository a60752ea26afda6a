#pragma once

#include "rigid/contact_finder.hpp"

namespace millrace {

std::unique_ptr<ContactFinder> make_bullet_contact_finder(const RigidDescription& description,
                                                          double reach);

}  // namespace millrace
