#include "passes/mesh_pass.hpp"

#include <algorithm>

#include "exec/host_threads.hpp"
#include "millrace/error.hpp"
#include "passes/estimate.hpp"
#include "passes/pass_settings.hpp"
#include "passes/surface_frames.hpp"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr double k_bytes_of_frame = 120;  // of a particle, while a frame is read
constexpr int k_first_frames = 6;         // by whose size that of all is estimated

/// Makes the chosen frames of one run.
class MeshPass {
  public:
    MeshPass(const MeshRequest& request, const RecordedRun& run)
        : request_(request),
          run_(run),
          options_(surface_options(request.surface)),
          solids_(load_solids(run.folder, run.scene, options_)) {
        pass_.what = "surface";
        pass_.frames = chosen_frames(run, request.frames);
        pass_.quiet = request.quiet;
        pass_.stop = request.stop;
        pass_.file = [this](int number) { return surface_file(run_.folder, run_.scene, number); };
        pass_.make = [this](int number) { make(number); };
    }

    const std::vector<int>& frames() const { return pass_.frames; }

    PassOutcome run() {
        const auto missing = static_cast<std::size_t>(
            std::ranges::count_if(pass_.frames, [&](int n) { return !fs::exists(pass_.file(n)); }));
        const Pass first = first_of(pass_, k_first_frames);
        PassOutcome outcome = run_pass(first);
        if (outcome.stopped || pass_.frames.empty())
            return outcome;
        if (missing > 0)
            share_threads(first.frames, missing);
        outcome.add(run_pass(pass_));
        return outcome;
    }

  private:
    void make(int number) {
        const ParticleFrame frame = read_frame(run_, number);
        if (threads_of_job_ > 0)
            set_host_threads(threads_of_job_);  // of this thread's loops
        else
            particles_ = std::max(particles_, static_cast<double>(frame.count()));
        const BodyFrame bodies = bodies_at(run_, frame.time);
        const std::vector<PlacedSolid> solids = solids_.placed(bodies.bodies, bodies.walls);
        write_surface_frame(run_.folder, run_.scene, number,
                            make_surface(run_.scene, frame, options_, solids), request_.surface);
    }

    /// Several frames at once are faster than many threads on one: not all of it is parallel.
    void share_threads(const std::vector<int>& examples, std::size_t missing) {
        const int threads = host_threads();
        Estimate estimate{.what = "surfaces", .frames = missing};
        estimate.memory = surface_memory(particles_, options_) + k_bytes_of_frame * particles_;
        estimate.jobs =
            std::min({request_.jobs > 0 ? request_.jobs : threads, fitting_jobs(estimate.memory),
                      static_cast<int>(pass_.frames.size())});
        estimate.disk = mean_size(examples);
        tell(estimate, run_.folder, request_.quiet);
        pass_.jobs = estimate.jobs;
        threads_of_job_ = std::max(1, threads / pass_.jobs);
    }

    /// Of the files of a frame [bytes].
    double mean_size(const std::vector<int>& frames) const {
        double sum = 0, count = 0;
        for (const int number : frames) {
            std::vector<std::string> formats = request_.surface.formats;
            if (std::ranges::find(formats, "vtp") == formats.end())
                formats.push_back("vtp");
            bool is_there = false;
            for (const std::string& format : formats) {
                std::error_code none;
                const auto size =
                    fs::file_size(surface_file(run_.folder, run_.scene, number, format), none);
                is_there |= !none;
                sum += none ? 0 : static_cast<double>(size);
            }
            count += is_there;
        }
        return sum / std::max(count, 1.0);
    }

    const MeshRequest& request_;
    const RecordedRun& run_;
    SurfaceOptions options_;
    SolidsInFrames solids_;
    Pass pass_;
    double particles_ = 0;    ///< the most in the frames that are made first
    int threads_of_job_ = 0;  ///< 0: all, while those are made
};

}  // namespace

PassOutcome mesh_pass(const MeshRequest& request) {
    const RecordedRun run = open_run(request.run);
    if (run.scene.dimension != 3)
        throw InputError(request.run.string() + ": is a run in 2D; surfaces are made of 3D runs");
    check_surface_formats(request.surface.formats);
    MeshPass pass(request, run);
    const fs::path folder = run.folder / "surface";
    const Settings settings = surface_settings(run.identity, request.surface);
    if (request.overwrite)
        remove_made(folder, run.scene.name, settings, pass.frames().front(), pass.frames().back());
    agree_on_settings(folder, settings);
    const PassOutcome outcome = pass.run();
    write_animation(run, "surface", "vtp");
    return outcome;
}

}  // namespace millrace
