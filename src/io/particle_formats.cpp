#include "io/particle_formats.hpp"

#include "io/atomic_file.hpp"
#include "io/bgeo.hpp"
#include "io/endings.hpp"
#include "io/hdf5_particles.hpp"
#include "io/ply_particles.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

struct Format {
    const char* ending;
    std::string (*to_bytes)(const ParticleFrame&);
    ParticleFrame (*from_bytes)(std::string_view);
};
constexpr Format k_formats[] = {{"ply", particles_to_ply, particles_from_ply},
                                {"bgeo", particles_to_bgeo, particles_from_bgeo},
#ifdef MILLRACE_HDF5
                                {"h5", particles_to_hdf5, particles_from_hdf5}
#endif
};

const Format& format_of(const std::filesystem::path& path) {
    for (const Format& format : k_formats)
        if (ending_of(path) == format.ending)
            return format;
    reject_ending(path, "particles", particle_formats());
}

}  // namespace

std::vector<std::string> particle_formats() {
    std::vector<std::string> endings{"vtu"};
    for (const Format& format : k_formats)
        endings.push_back(format.ending);
    return endings;
}

void check_particle_formats(const std::vector<std::string>& formats) {
    for (const std::string& format : formats)
        if (!is_one_of(format, particle_formats()))
            throw InputError("particles as '" + format +
                             "': this build cannot write them; see millrace --version");
}

void write_particles(const std::filesystem::path& path, const ParticleFrame& frame) {
    if (ending_of(path) == "vtu")
        return write_vtu(path, frame);
    const Format& format = format_of(path);
    check_frame(frame);
    std::string bytes;
    try {
        bytes = format.to_bytes(frame);
    } catch (const RunError& e) {
        throw RunError(path.string() + ": cannot be written: " + e.what());
    }
    write_file(path, bytes);
}

ParticleFrame read_particles(const std::filesystem::path& path) {
    if (ending_of(path) == "vtu")
        return read_vtu(path);
    const Format& format = format_of(path);
    const std::string bytes = read_file(path);
    try {
        return format.from_bytes(bytes);
    } catch (const InputError& e) {
        throw InputError(path.string() + ": " + e.what());
    }
}

}  // namespace millrace
