#pragma once

#include <string>

#include "millrace/scene.hpp"

namespace millrace::scene_file {

/// The corners of a polygon: it has an area and its edges do not meet.
void check_polygon(const Polygon& polygon, const std::string& file, const std::string& place);

/// The rules of 2D only: outlines, and everything turns about z.
void check_flat_scene(const Scene& scene, const std::string& file);

}  // namespace millrace::scene_file
