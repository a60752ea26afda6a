#pragma once

#include <string>

namespace millrace::test {

/// Water falls on water for 0.25 s: a run in 3D that takes a moment, with foam.
inline std::string splash_scene(int fps) {
    return R"({
  "millrace": 1, "name": "splash", "spacing": 0.05, "end": 0.25,
  "fluids": [ { "velocity": [0, -4, 0], "fill": [
    { "box": { "min": [0, 0, 0], "max": [0.5, 0.2, 0.4] } },
    { "box": { "min": [0.1, 0.3, 0.1], "max": [0.4, 0.6, 0.3] } } ] } ],
  "boundaries": [
    { "box": { "min": [0, 0, 0], "max": [0.5, 1, 0.4] }, "inside": true, "open": ["+y"] } ],
  "output": { "fps": )" +
           std::to_string(fps) + " } }";
}

}  // namespace millrace::test
