#include "passes/foam_pass.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "io/particle_formats.hpp"
#include "io/progress.hpp"
#include "millrace/error.hpp"
#include "passes/diffuse_frames.hpp"
#include "passes/estimate.hpp"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr int k_sampled_frames = 32;      // for the thresholds, and for the estimate
constexpr double k_part_of_rate = 0.25;   // of the estimate
constexpr double k_bytes_of_file = 2200;  // without any particle

/// Makes the chosen frames of one run, one after the other.
class FoamPass {
  public:
    FoamPass(const FoamRequest& request, const RecordedRun& run)
        : request_(request), run_(run), options_(diffuse_options(run.scene, request.diffuse)) {
        pass_.what = "foam";
        pass_.in_order = true;
        pass_.quiet = request.quiet;
        pass_.stop = request.stop;
        pass_.file = [this](int number) { return file(number); };
        pass_.make = [this](int number) { make(number); };
        pass_.frames = chosen_frames(run, request.frames);
    }

    const std::vector<int>& frames() const { return pass_.frames; }

    /// From a part of the frames (S1 Eq. 5.32-5.33).
    DiffuseThresholds estimate_thresholds() {
        std::vector<DiffuseThresholds> largest;
        Progress progress(request_.quiet);
        const std::vector<int> numbers = spread(run_.frame_count(), k_sampled_frames);
        for (const int number : numbers) {
            progress.update(
                static_cast<double>(largest.size()) / static_cast<double>(numbers.size()),
                "thresholds");
            try {
                const ParticleFrame frame = read_frame(run_, number);
                largest.push_back(largest_potentials(fluid_of(frame), options_));
            } catch (const InputError&) {
                // told of when its foam is made
            }
        }
        return mean_thresholds(largest, options_);
    }

    PassOutcome run(const DiffuseThresholds& thresholds) {
        thresholds_ = thresholds;
        // what comes before and is missing is needed
        while (pass_.frames.front() > 0 && !fs::exists(file(pass_.frames.front() - 1)))
            pass_.frames.insert(pass_.frames.begin(), pass_.frames.front() - 1);
        tell_estimate();
        return run_pass(pass_);
    }

  private:
    fs::path file(int number) const { return diffuse_file(run_.folder, run_.scene, number); }

    void make(int number) {
        ParticleFrame fluid = read_frame(run_, number);
        const FluidFrame now = fluid_of(fluid);
        if (!obstacles_)
            obstacles_ = std::make_unique<Obstacles>(load_obstacles(run_.folder, run_.scene));
        go_to_frame_before(number);
        if (last_ >= 0) {
            for (const double time : {fluid_before_.time, fluid.time}) {
                const BodyFrame bodies = bodies_at(run_, time);
                obstacles_->place(bodies.bodies, bodies.walls);
            }
            advance(particles_, fluid_of(fluid_before_), now, thresholds_, options_, *obstacles_);
            make_compact(particles_, run_.scene);
        }
        write_diffuse_frame(run_.folder, run_.scene, number,
                            to_frame(particles_, fluid.time, run_.identity),
                            request_.diffuse.formats);
        fluid_before_ = std::move(fluid);
        last_ = number;
    }

    /// The particles of the last frame before this one that has any: of this process, or of
    /// another.
    void go_to_frame_before(int number) {
        int before = number - 1;
        while (before >= 0 && !fs::exists(file(before)))
            --before;
        if (before == last_ || before < 0)
            return;
        fluid_before_ = read_frame(run_, before);
        fluid_of(fluid_before_);
        particles_ = from_frame(read_vtu(file(before)));
        last_ = before;
    }

    void tell_estimate() {
        const auto is_left = [&](int number) { return !fs::exists(file(number)); };
        const auto left = static_cast<std::size_t>(std::ranges::count_if(pass_.frames, is_left));
        if (left == 0)
            return;
        const Trial trial = try_some();
        double most = 0, bytes = 0;
        for (const int number : pass_.frames)
            if (is_left(number)) {
                const double count = trial.count_at(number);
                most = std::max(most, count);
                bytes += k_bytes_of_file + trial.bytes_of_particle * count;
            }
        tell(
            {"foam", left, 1, diffuse_memory(trial.fluid, most), bytes / static_cast<double>(left)},
            run_.folder, request_.quiet);
    }

    /// How much foam there will be.
    struct Trial {
        std::vector<int> frames;
        std::vector<double> counts;  // in these frames
        double bytes_of_particle = 0, fluid = 0;

        double count_at(int number) const {
            const auto next = std::ranges::lower_bound(frames, number);
            if (frames.empty() || next == frames.end())
                return counts.empty() ? 0 : counts.back();
            const auto k = static_cast<std::size_t>(next - frames.begin());
            const double before = k == 0 ? 0 : frames[k - 1];
            const double part = *next > before ? (number - before) / (*next - before) : 1;
            return (1 - part) * (k == 0 ? 0 : counts[k - 1]) + part * counts[k];
        }
    };

    /// The pass itself with a part of the frames and of the particles, and nothing written.
    Trial try_some() {
        Trial trial;
        DiffuseOptions few = options_;
        few.rate *= k_part_of_rate;
        Obstacles obstacles = load_obstacles(run_.folder, run_.scene);
        DiffuseParticles particles;
        ParticleFrame before;
        double packed = 0, packed_count = 0;
        Progress progress(request_.quiet);
        const std::vector<int> numbers = spread(run_.frame_count(), k_sampled_frames);
        for (const int number : numbers) {
            progress.update(number / static_cast<double>(run_.frame_count()), "size of the foam");
            try {
                ParticleFrame after = read_frame(run_, number);
                const BodyFrame bodies = bodies_at(run_, after.time);
                obstacles.place(bodies.bodies, bodies.walls);
                if (before.count() > 0 && after.time > before.time)
                    advance(particles, fluid_of(before), fluid_of(after), thresholds_, few,
                            obstacles);
                make_compact(particles, run_.scene);
                trial.fluid = std::max(trial.fluid, static_cast<double>(after.count()));
                before = std::move(after);
            } catch (const InputError&) {
                continue;  // told of when its foam is made
            }
            trial.frames.push_back(number);
            trial.counts.push_back(static_cast<double>(particles.count()) / k_part_of_rate);
            if (particles.count() > 0) {
                packed += vtu_size(to_frame(particles, 0, 0)) - k_bytes_of_file;
                packed_count += static_cast<double>(particles.count());
            }
        }
        trial.bytes_of_particle = packed_count > 0 ? packed / packed_count : 0;
        return trial;
    }

    const FoamRequest& request_;
    const RecordedRun& run_;
    DiffuseOptions options_;
    DiffuseThresholds thresholds_;
    Pass pass_;
    std::unique_ptr<Obstacles> obstacles_;
    // of the last frame that was made or read
    int last_ = -1;
    ParticleFrame fluid_before_;
    DiffuseParticles particles_;
};

}  // namespace

Settings foam_settings(double identity, const DiffuseOutput& diffuse) {
    return {{"run", setting_text(identity)},
            {"rate", setting_text(diffuse.rate)},
            {"shortest_life", setting_text(diffuse.shortest_life)},
            {"longest_life", setting_text(diffuse.longest_life)}};
}

Settings threshold_settings(const DiffuseThresholds& thresholds) {
    return {{"crest", setting_text(thresholds.crest)},
            {"trapped", setting_text(thresholds.trapped)},
            {"kinetic", setting_text(thresholds.kinetic)}};
}

DiffuseThresholds thresholds_of(const Settings& settings) {
    return {setting_number(settings, "crest"), setting_number(settings, "trapped"),
            setting_number(settings, "kinetic")};
}

PassOutcome foam_pass(const FoamRequest& request) {
    const RecordedRun run = open_run(request.run);
    if (run.scene.dimension != 3)
        throw InputError(request.run.string() + ": is a run in 2D; foam is made of 3D runs");
    check_particle_formats(request.diffuse.formats);
    FoamPass pass(request, run);
    const fs::path folder = run.folder / "diffuse";
    const Settings settings = foam_settings(run.identity, request.diffuse);
    if (request.overwrite)
        remove_made(folder, run.scene.name, settings, pass.frames().front(), run.frame_count());
    const Settings all = agree_on_settings(
        folder, settings, [&] { return threshold_settings(pass.estimate_thresholds()); });
    const PassOutcome outcome = pass.run(thresholds_of(all));
    write_animation(run, "diffuse", "vtu");
    return outcome;
}

}  // namespace millrace
