#include "passes/mesh_pass.hpp"

#include <omp.h>

#include <algorithm>

#include "millrace/error.hpp"
#include "passes/estimate.hpp"
#include "passes/pass_settings.hpp"
#include "passes/surface_frames.hpp"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr double k_bytes_of_frame = 120;  // of a particle, while a frame is read

/// Makes the chosen frames of one run.
class MeshPass {
  public:
    MeshPass(const MeshRequest& request, const RecordedRun& run)
        : request_(request), run_(run), options_(surface_options(request.surface)) {
        pass_.what = "surface";
        pass_.frames = chosen_frames(run, request.frames);
        pass_.quiet = request.quiet;
        pass_.stop = request.stop;
        pass_.file = [this](int number) { return surface_file(run_.folder, run_.scene, number); };
        pass_.make = [this](int number) { make(number); };
    }

    const std::vector<int>& frames() const { return pass_.frames; }

    PassOutcome run() {
        // Where surfaces are missing, the last one is made first: it tells what the others take.
        const auto last = std::find_if(pass_.frames.rbegin(), pass_.frames.rend(),
                                       [&](int n) { return !fs::exists(pass_.file(n)); });
        if (last == pass_.frames.rend())
            return run_pass(pass_);
        Pass first = pass_;
        first.frames = {*last};
        first.quiet = true;
        pass_.frames.erase(std::next(last).base());
        PassOutcome outcome = run_pass(first);
        if (outcome.stopped || pass_.frames.empty())
            return outcome;
        share_threads(pass_.file(first.frames[0]));
        const PassOutcome rest = run_pass(pass_);
        outcome.made += rest.made;
        outcome.found += rest.found;
        outcome.stopped = rest.stopped;
        outcome.errors.insert(outcome.errors.end(), rest.errors.begin(), rest.errors.end());
        return outcome;
    }

  private:
    void make(int number) {
        const ParticleFrame frame = read_frame(run_, number);
        if (threads_of_job_ > 0)
            omp_set_num_threads(threads_of_job_);  // of this thread's loops
        else
            particles_ = static_cast<double>(frame.count());
        write_surface_frame(run_.folder, run_.scene, number,
                            make_surface(run_.scene, frame, options_), request_.surface);
    }

    /// Several frames at once are faster than many threads on one: not all of it is parallel.
    void share_threads(const fs::path& example) {
        const int threads = omp_get_max_threads();
        Estimate estimate{.what = "surfaces", .frames = pass_.frames.size()};
        estimate.memory = surface_memory(particles_, options_) + k_bytes_of_frame * particles_;
        estimate.jobs =
            std::min({request_.jobs > 0 ? request_.jobs : threads, fitting_jobs(estimate.memory),
                      static_cast<int>(pass_.frames.size())});
        std::error_code none;
        const auto size = fs::file_size(example, none);
        estimate.disk = none ? 0 : static_cast<double>(size);
        tell(estimate, run_.folder, request_.quiet);
        pass_.jobs = estimate.jobs;
        threads_of_job_ = std::max(1, threads / pass_.jobs);
    }

    const MeshRequest& request_;
    const RecordedRun& run_;
    SurfaceOptions options_;
    Pass pass_;
    double particles_ = 0;    ///< of the frame that is made first
    int threads_of_job_ = 0;  ///< 0: all, while that one is made
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
