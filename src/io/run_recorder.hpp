#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "exec/background.hpp"
#include "io/body_lines.hpp"
#include "io/checkpoint.hpp"
#include "io/growing_file.hpp"
#include "io/probes.hpp"
#include "io/pvd.hpp"
#include "io/run_folder.hpp"
#include "io/run_totals.hpp"
#include "io/schedule.hpp"
#include "io/vtu.hpp"
#include "millrace/simulation.hpp"

namespace millrace {

/// Gets every frame after its particles have been written: its number, particles and bodies. It is
/// called in the thread that writes the frames, one frame after the other.
using FrameListener = std::function<void(std::int64_t, const ParticleFrame&, const BodyFrame&)>;

/// Writes what a run leaves behind (docs/running.md). Every file is whole at every moment: frames
/// and the other files of one moment appear under their name when they are complete, the growing
/// ones by GrowingFile. A RunError names the file that could not be written.
///
/// Frames are written by a thread of their own while the simulation goes on; at most two of them
/// are in memory. An error there is thrown by the next call here.
class RunRecorder {
  public:
    /// A new run in a folder that is free, or whose run is removed. Writes what is known at t = 0.
    /// The probes are those of the scene.
    RunRecorder(const RunFolder& folder, const Scene& scene, Probes probes,
                const Simulation& simulation, FrameListener on_frame = {});
    /// Goes on with a run: what it wrote after the checkpoint is removed. Throws InputError where
    /// files are missing.
    RunRecorder(const RunFolder& folder, const Scene& scene, Probes probes,
                const Checkpoint& checkpoint, FrameListener on_frame = {});

    const Schedule& schedule() const { return schedule_; }
    const RunTotals& totals() const { return totals_; }
    std::int64_t frames() const { return frames_; }

    /// After every step; steps must end on the times of the schedule.
    void record(const Simulation& simulation, const StepReport& report);
    /// Puts the lines of all steps so far into the files and waits for the frames.
    void flush();
    /// Returns the file.
    std::filesystem::path write_checkpoint(const Simulation& simulation);
    /// All lines are in the files, then summary.json: the run has ended; with an `error`, it has
    /// failed.
    void finish(const Simulation& simulation, const std::string& error = "");

  private:
    using Clock = std::chrono::steady_clock;

    /// What there is already when a recorder starts.
    struct Start {
        Probes probes;
        RunTotals totals{};
        std::int64_t frames = 0, probe_rows = 0;
        std::vector<PvdEntry> animation{};
        std::string stats{}, bodies{}, values{};  ///< lines
    };
    RunRecorder(const RunFolder& folder, const Scene& scene, double time, Start start,
                FrameListener on_frame);
    static Start new_run(const RunFolder& folder, const Scene& scene, Probes probes);
    static Start rewound_run(const RunFolder& folder, const Scene& scene, Probes probes,
                             const Checkpoint& checkpoint);

    void write_frame(const Simulation& simulation);
    void write_frame_files(std::int64_t number, const ParticleFrame& particles,
                           const BodyFrame& bodies);
    void flush_lines();
    void write_probes(const Simulation& simulation, double before);
    void count_wall_time();

    RunFolder folder_;
    Scene scene_;
    double identity_;  ///< run_identity() of the scene
    FrameListener on_frame_;
    Schedule schedule_;
    Probes probes_;
    RunTotals totals_;
    double time_;  ///< of the last step
    std::int64_t frames_, probe_rows_;
    std::vector<PvdEntry> animation_;  ///< of the thread that writes frames
    GrowingFile stats_, bodies_, probe_file_;
    Clock::time_point counted_ = Clock::now();  ///< wall time up to here is in the totals
    Clock::time_point flushed_ = Clock::now();
    double output_ms_ = 0;     ///< that was waited after the last line of stats.jsonl
    Background frame_thread_;  ///< uses what stands above, and so ends before it
};

}  // namespace millrace
