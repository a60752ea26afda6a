#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/file_lock.hpp"

namespace millrace {

/// The folder that a run leaves behind (docs/running.md): the places in it, and who may write
/// there.
class RunFolder {
  public:
    /// `name` is that of the scene.
    RunFolder(std::filesystem::path root, std::string name);

    const std::filesystem::path& root() const { return root_; }
    std::filesystem::path scene() const { return root_ / "scene.json"; }
    std::filesystem::path stats() const { return root_ / "stats.jsonl"; }
    std::filesystem::path bodies() const { return root_ / "bodies.jsonl"; }
    std::filesystem::path probes() const { return root_ / "probes.csv"; }
    std::filesystem::path summary() const { return root_ / "summary.json"; }
    std::filesystem::path particles() const { return root_ / "particles.pvd"; }
    std::filesystem::path meshes() const { return root_ / "meshes"; }  ///< of surface_files()
    /// Of a particle frame, relative to root(): "particles/NAME_000012.vtu".
    std::string frame(std::int64_t number, const std::string& ending = "vtu") const;
    std::filesystem::path checkpoint(std::int64_t step) const;

    /// The right to write here, for the one run that has it until it ends, however that is. Throws
    /// InputError while another run has it. The folder must be there.
    FileLock lock() const;

    /// Throws InputError unless a new run may be written here: into a folder that is new or empty,
    /// or one with an earlier run that is to be overwritten.
    void check_free(bool overwrite) const;
    /// Removes an earlier run with all that was made from it in its folder, and no other file.
    void remove_run() const;
    /// Removes the summary, all checkpoints after `step` and all frames from `frames` on, with
    /// the surfaces, foam and pictures of these.
    void remove_after(std::int64_t step, std::int64_t frames) const;
    /// Removes all checkpoints but the last two.
    void remove_old_checkpoints() const;

  private:
    std::filesystem::path root_;
    std::string name_;
};

/// Removes the files NAME_NUMBER.* of a folder with numbers from `first` to `last`, and the files
/// of the same names in the making; throws RunError.
void remove_numbered(const std::filesystem::path& folder, const std::string& name,
                     std::int64_t first, std::int64_t last = INT64_MAX);

/// The first `count` lines of a file; throws InputError when it has fewer.
std::string first_lines(const std::filesystem::path& path, std::int64_t count);

}  // namespace millrace
