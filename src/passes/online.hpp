#pragma once

#include <filesystem>
#include <memory>

#include "geometry/solids_in_frames.hpp"
#include "io/body_lines.hpp"
#include "io/vtu.hpp"
#include "millrace/simulation.hpp"

namespace millrace {

/// Surfaces and foam made while the run goes on, as `output.surface` and `output.diffuse` ask: the
/// same files as those of the passes after it, given the same thresholds.
class OnlinePasses {
  public:
    struct Request {
        Scene scene;
        std::filesystem::path run;
        Simulation::Options device;
        bool resumed = false;  ///< frames are there already
        bool quiet = false;
    };

    /// For foam in a new run: estimates the thresholds by a run at twice the spacing (S1 5.2).
    /// Throws InputError where a format cannot be written; where the coarse run cannot be built or
    /// fails, prints a warning, and foam is made when the run has ended.
    explicit OnlinePasses(Request request);
    ~OnlinePasses();

    /// After the particle frame has been written.
    void frame(int number, const ParticleFrame& particles, const BodyFrame& bodies);
    /// After the run has ended.
    void finish();

  private:
    struct Foam;
    void make_surface_frame(int number, const ParticleFrame& particles, const BodyFrame& bodies);
    void estimate_thresholds();

    Request request_;
    double identity_;
    std::unique_ptr<SolidsInFrames> solids_;  ///< made with the first surface
    std::unique_ptr<Foam> foam_;
};

}  // namespace millrace
