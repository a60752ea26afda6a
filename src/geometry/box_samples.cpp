#include "geometry/box_samples.hpp"

#include <cmath>

namespace millrace {

namespace {

template <int D>
struct SampledBox {
    double min[D], max[D];
    double intervals[D];
    bool closed[D][2];
};

template <int D>
SampledBox<D> sampled_box(const PlacedBox<D>& placed, bool hollow, double spacing, double depth) {
    SampledBox<D> box;
    for (int k = 0; k < D; ++k) {
        box.min[k] = placed.low[k];
        box.max[k] = placed.high[k];
        for (int side = 0; side < 2; ++side)
            box.closed[k][side] = !placed.is_open(k, side);
        const double outwards = hollow ? depth : -depth;
        if (box.closed[k][0])
            box.min[k] -= outwards;
        if (box.closed[k][1])
            box.max[k] += outwards;
        if (box.max[k] < box.min[k])  // thinner than the depth: a sheet in the middle
            box.min[k] = box.max[k] = (placed.low[k] + placed.high[k]) / 2;
        box.intervals[k] = std::ceil((box.max[k] - box.min[k]) / spacing - 1e-6);
    }
    return box;
}

}  // namespace

template <int D>
double count_box_samples(const PlacedBox<D>& placed, bool hollow, double spacing, double depth) {
    const SampledBox<D> box = sampled_box<D>(placed, hollow, spacing, depth);
    double count = 0;
    for (int k = 0; k < D; ++k)
        for (int side = 0; side < 2; ++side)
            if (box.closed[k][side]) {
                double face = 1;
                for (int other = 0; other < D; ++other)
                    if (other != k)
                        face *= box.intervals[other] + 1;
                count += face;
            }
    return count;
}

template <int D>
std::vector<Vec<D>> box_samples(const PlacedBox<D>& placed, bool hollow, double spacing,
                                double depth) {
    const SampledBox<D> box = sampled_box<D>(placed, hollow, spacing, depth);
    int n[D];
    for (int k = 0; k < D; ++k)
        n[k] = static_cast<int>(box.intervals[k]);

    std::vector<Vec<D>> samples;
    const auto on_face = [&](const int* at, int k, int side) {
        return box.closed[k][side] && at[k] == (side ? n[k] : 0);
    };
    for (int k = 0; k < D; ++k)
        for (int side = 0; side < 2; ++side) {
            if (!box.closed[k][side] || (side == 1 && n[k] == 0 && box.closed[k][0]))
                continue;
            int from[D], to[D], at[D];
            for (int other = 0; other < D; ++other) {
                from[other] = other == k && side ? n[k] : 0;
                to[other] = other == k && !side ? 0 : n[other];
                at[other] = from[other];
            }
            for (bool more = true; more;) {
                // edges and corners belong to the first face that has them
                bool earlier = false;
                for (int f = 0; f < 2 * k + side && !earlier; ++f)
                    earlier = on_face(at, f / 2, f % 2);
                if (!earlier) {
                    Vec<D, double> x;
                    for (int other = 0; other < D; ++other)
                        x[other] = n[other] == 0
                                       ? box.min[other]
                                       : box.min[other] + (box.max[other] - box.min[other]) *
                                                              at[other] / n[other];
                    samples.push_back(Vec<D>::from(placed.of_own(x)));
                }
                more = false;
                for (int other = 0; other < D && !more; ++other) {
                    more = at[other] < to[other];
                    at[other] = more ? at[other] + 1 : from[other];
                }
            }
        }
    return samples;
}

template double count_box_samples<2>(const PlacedBox<2>&, bool, double, double);
template double count_box_samples<3>(const PlacedBox<3>&, bool, double, double);
template std::vector<Vec<2>> box_samples<2>(const PlacedBox<2>&, bool, double, double);
template std::vector<Vec<3>> box_samples<3>(const PlacedBox<3>&, bool, double, double);

}  // namespace millrace
