#pragma once

#include <string>
#include <string_view>

#include "io/mesh_formats.hpp"

// Surfaces as VTK PolyData, for ParaView.
namespace millrace {

/// XML with inline base64 data compressed by zlib; the point arrays normals, velocity, vorticity
/// and fluid, those that the mesh has; the time as the field `TimeValue`.
std::string mesh_to_vtp(const SurfaceFrame& surface);

/// Throws InputError without a file name.
SurfaceFrame mesh_from_vtp(std::string_view xml);

}  // namespace millrace
