#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace millrace {

/// One quantity of every particle.
struct Field {
    std::string name;
    int components = 1;  ///< 1 or 3, also in 2D, where the third component is 0
    std::variant<std::vector<float>, std::vector<std::uint32_t>> data;  ///< particle by particle

    std::size_t size() const;  ///< numbers in `data`: particles times components
};

/// The particles at one time of a run.
struct ParticleFrame {
    double time = 0;               ///< simulated time [s]
    int dimension = 3;             ///< 2 or 3
    std::vector<float> positions;  ///< x, y, z of every particle [m]; z is 0 in 2D
    std::vector<Field> fields;
    std::map<std::string, double> numbers;  ///< of the frame as a whole; only VTU holds them

    std::size_t count() const { return positions.size() / 3; }
    const Field* find(const std::string& name) const;  ///< null if there is none of that name
};

/// What every writer asks for: sizes that fit, fewer than 2^31 particles. Throws std::logic_error,
/// RunError.
void check_frame(const ParticleFrame& frame);

/// Writes a VTK unstructured grid, one vertex cell a particle, for ParaView: XML with inline
/// base64 data compressed by zlib, the time as the field `TimeValue`. The file appears whole or not
/// at all; throws RunError with the path and the reason.
void write_vtu(const std::filesystem::path& path, const ParticleFrame& frame);

/// The bytes of that file.
double vtu_size(const ParticleFrame& frame);

/// Reads a file of write_vtu; throws InputError when it is missing, damaged or of another kind.
ParticleFrame read_vtu(const std::filesystem::path& path);

}  // namespace millrace
