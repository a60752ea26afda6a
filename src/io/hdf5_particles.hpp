#pragma once

#include <string>
#include <string_view>

#include "io/vtu.hpp"

// Particles as HDF5 files: a dataset `positions` [n, 3] and one a field, [n] or [n, 3]; attributes
// `time` and `dimension` of the file. Built with HDF5 only.
namespace millrace {

/// Throws RunError without a file name.
std::string particles_to_hdf5(const ParticleFrame& frame);

/// Throws InputError without a file name.
ParticleFrame particles_from_hdf5(std::string_view bytes);

}  // namespace millrace
