#include "geometry/mass_properties.hpp"

namespace millrace {

// Sums over the tetrahedra OABC of all triangles ABC, whose signed volumes add up to the solid:
//   V'    = det(A, B, C) / 6                                               S1 Eq. 4.36
//   M_i   = V'/4 (A_i + B_i + C_i)                                         S1 Eq. 4.41
//   M_ij  = V'/20 (S_i S_j + A_i A_j + B_i B_j + C_i C_j), S = A + B + C   S1 Eq. B.15, B.16
//   I_xx  = M_yy + M_zz, I_xy = -M_xy, and cyclic      (S1 Eq. 4.45-4.50 with the errata)
// Zhang, Chen 2001; Tonon 2004. O is the mean vertex: far from the origin nothing cancels.
MassProperties mass_properties(const TriangleMesh& mesh, double density) {
    Vec3d origin = Vec3d::all(0);
    for (const Vec3d& x : mesh.vertices)
        origin += (x - mesh.vertices[0]) / static_cast<double>(mesh.vertices.size());
    if (!mesh.vertices.empty())
        origin += mesh.vertices[0];

    double volume = 0;
    Vec3d first = Vec3d::all(0);
    Mat3d second = Mat3d::zero();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vec3d a = mesh.corner(t, 0) - origin, b = mesh.corner(t, 1) - origin,
                    c = mesh.corner(t, 2) - origin, s = a + b + c;
        const double v = dot(cross(a, b), c) / 6;
        volume += v;
        first += s * (v / 4);
        second += (outer(s, s) + outer(a, a) + outer(b, b) + outer(c, c)) * (v / 20);
    }

    MassProperties body;
    body.volume = volume < 0 ? -volume : volume;
    body.mass = density * body.volume;
    const Vec3d offset = volume != 0 ? first / volume : Vec3d::all(0);
    body.center = origin + offset;
    // about the centre of mass: S1 Eq. B.19, B.20
    const Mat3d central =
        (second - outer(offset, offset) * volume) * (volume < 0 ? -density : density);
    body.inertia = Mat3d::identity() * trace(central) - central;
    return body;
}

}  // namespace millrace
