#pragma once

namespace millrace {

/// What the half of a lattice that a wall takes the place of would add to the density of a particle
/// of the first layer, relative. `support` is in spacings.
template <int D>
double missing_density(double support);

/// How far the centres of the first layer of fluid rest from the plane of a wall's samples, in
/// spacings: where a particle of a lattice over a sampled plane has exactly the density of the
/// lattice, on average over sideways shifts between both. `support` is in spacings.
template <int D>
double wall_standoff(double support);

/// The distance by which samples lie inside the solid, in spacings, so that the water ends at the
/// surface that the user wrote: the first layer rests half a spacing from it.
template <int D>
double sample_depth(double support) {
    return wall_standoff<D>(support) - 0.5;
}

}  // namespace millrace
