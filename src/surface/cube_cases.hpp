#pragma once

#include <cstdint>

namespace millrace {

/// How the surface runs through a cell: the 256 cases of marching cubes (Lorensen and Cline 1987).
///
/// Corner c of a cell lies at (c & 1, c >> 1 & 1, c >> 2 & 1); bit c of a case is set where the
/// corner is inside. Edge 4 a + s runs along axis a; the bits of s are its offsets along the two
/// axes after a.
///
/// On each face the surface leaves lines that depend on the face's corners alone: where opposite
/// corners are inside, each is cut off by itself. So the lines of two cells side by side agree,
/// and the lines of a cell form closed loops. A loop is filled with triangles whose inner edges
/// join no two cut edges of one face: an inner edge belongs to its cell alone, and every edge of
/// the surface has exactly two triangles.
struct CubeCases {
    static constexpr int k_most = 5;  ///< triangles in a cell

    std::uint8_t triangles[256];
    std::uint8_t edges[256][3 * k_most];  ///< counter-clockwise as seen from outside

    CubeCases();
    static const CubeCases& get();
};

struct CubeEdge {
    int axis, from, to;  ///< corners
};

constexpr CubeEdge cube_edge(int edge) {
    const int a = edge / 4, b = (a + 1) % 3, c = (a + 2) % 3;
    const int from = (edge & 1) << b | (edge >> 1 & 1) << c;
    return {a, from, from | 1 << a};
}

}  // namespace millrace
