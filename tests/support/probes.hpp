#pragma once

#include "millrace/scene.hpp"

namespace millrace::test {

/// A probe that is called by its type.
inline Probe probe_of(const std::string& type, const Vector& at = {}, int axis = 0) {
    Probe probe;
    probe.name = probe.type = type;
    probe.at = at;
    probe.axis = axis;
    return probe;
}

}  // namespace millrace::test
