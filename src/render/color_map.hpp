#pragma once

#include "render/image.hpp"

namespace millrace {

/// The colour for t from 0 (deep water, dark blue) over cyan to 1 (foam, nearly white).
///
/// Perceptually even: the lightness of OKLab (Ottosson 2020, "A perceptual color space for image
/// processing") grows linearly with t, so that equal steps of the field look equal and the picture
/// stays readable in grey. Values outside 0..1 take the end colours.
Color water_color(double t);

}  // namespace millrace
