#pragma once

// What coefficients of SPlisHSPlasH are in physical units, derived from the forces that its methods
// are published with. Its particles of diameter d have the rest volume V = 0.8 d^D and the support
// H = 2 d.
namespace millrace::scene_file::splishsplash {

/// The particles of a scene there.
struct TheirParticles {
    int dimension = 3;
    double diameter = 0.05;  ///< [m]

    double volume() const;  ///< [m^D]
    double support() const { return 2 * diameter; }
};

/// Surface tension [N/m] of Zorilla, Ritter et al. 2020. Every particle of the surface is pushed
/// inwards by the force k kappa, where kappa is 1 / R for a ball; Laplace's pressure there is
/// (D - 1) sigma / R, and a particle of the surface has the area A = V^((D-1)/D):
///
///     sigma = k / ((D - 1) A)
double zorilla_ritter_2020_sigma(double k, const TheirParticles& particles);

/// Surface tension [N/m] of Jeske et al. 2023, a pair force
///
///     f(r) = 10/7 k V r min(W(r), W(d))
///
/// whose surface tension is c_D N^2 int r^(D+1) f dr with N = 1 / V, c_2 = 1/3, c_3 = pi / 8
/// (docs/methods/surface-tension.md).
double jeske_2023_sigma(double k, const TheirParticles& particles);

/// The same of Becker, Teschner 2007: f(r) = k rho0 V r min(W(r), W(d)).
double becker_teschner_2007_sigma(double k, double density, const TheirParticles& particles);

/// The same of Akinci et al. 2013, by its cohesion alone: f(r) = k (rho0 V)^2 C(r), with
/// C = 32 / (pi H^9) (H - r)^3 r^3 beyond H / 2 and twice that less H^6 / 64 below.
double akinci_2013_sigma(double k, double density, const TheirParticles& particles);

/// Kinematic viscosity [m^2/s] of methods that take the part xi of the rate of strain away in a
/// step dt (Peer et al. 2015, 2016; Bender, Koschier 2017). They calm every wave alike, a viscosity
/// calms short ones faster: both agree for the wave that fits a layer of the thickness L,
/// v = cos(pi y / L), if
///
///     1 / (1 + nu (pi / L)^2 dt) = 1 - xi
double strain_damping_nu(double xi, double dt, double thickness);

}  // namespace millrace::scene_file::splishsplash
