#include "analysis/experiment.hpp"
#include "analysis/s0_energy.hpp"
#include "analysis/s0_incompressibility.hpp"
#include "analysis/s0_performance.hpp"
#include "analysis/s0_rigid.hpp"
#include "analysis/s1_controller.hpp"
#include "analysis/s1_scaling.hpp"
#include "analysis/s2_convergence.hpp"
#include "analysis/s2_flush.hpp"
#include "analysis/s2_pile.hpp"
#include "analysis/s2_pillar.hpp"
#include "analysis/s2_pump.hpp"
#include "analysis/s2_stability.hpp"
#include "analysis/s2_steamer.hpp"

namespace millrace {

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all = {
        {"s0-incompressibility", "density over depth in a pillar of water (S0 Fig. 7.1 to 7.8)",
         run_s0_incompressibility},
        {"s0-energy", "how a pillar of water comes to rest (S0 Fig. 7.9 to 7.12)", run_s0_energy},
        {"s0-performance", "the time of an update (S0 Tables 7.1 to 7.4)", run_s0_performance},
        {"s0-rigid", "bodies in water and water on bodies (S0 Fig. 7.13 to 7.16)", run_s0_rigid},
        {"s1-controller", "the search of the fastest step against the best fixed one (S1 Fig. 3.2)",
         run_s1_controller},
        {"s1-scaling", "pressure solvers on columns of growing height (S1 Fig. 6.2 to 6.5)",
         run_s1_scaling},
        {"s2-pillar", "density of a pillar of water solved as constraints (S2 Fig. 1 and 2)",
         run_s2_pillar},
        {"s2-convergence", "what is left after every sweep of the solver (S2 Fig. 4)",
         run_s2_convergence},
        {"s2-pile", "dense bodies sink and light ones float (S2 Fig. 5)", run_s2_pile},
        {"s2-steamer", "the joints of a paddle steamer in a dam break (S2 Fig. 6)", run_s2_steamer},
        {"s2-pump", "the joints and the flow of a piston pump (S2 Fig. 7)", run_s2_pump},
        {"s2-flush", "water flushed into a tank, particles at 10 Hz (S2 Fig. 3, IX.C)",
         run_s2_flush},
        {"s2-stability", "dam breaks over compliance and step (S2 IX)", run_s2_stability},
    };
    return all;
}

}  // namespace millrace
