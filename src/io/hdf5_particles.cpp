#ifdef MILLRACE_HDF5

#include "io/hdf5_particles.hpp"

#include <algorithm>

#include "io/hdf5_memory.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

using hdf5::check;
using hdf5::Handle;
using hdf5::type_of;

constexpr const char* k_kind = "particle frame";
constexpr const char* k_positions = "positions";
constexpr hsize_t k_chunk_rows = 65536;
constexpr unsigned k_compression_level = 1;

template <class T>
void write_set(hid_t file, const std::string& name, hsize_t rows, int components,
               const std::vector<T>& data) {
    const hsize_t extent[2] = {rows, static_cast<hsize_t>(components)};
    const int rank = components == 1 ? 1 : 2;
    const Handle space(H5Screate_simple(rank, extent, nullptr), H5Sclose);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (rows > 0) {
        const hsize_t chunk[2] = {std::min(rows, k_chunk_rows), extent[1]};
        check(H5Pset_chunk(creation, rank, chunk) >= 0 && H5Pset_shuffle(creation) >= 0 &&
              H5Pset_deflate(creation, k_compression_level) >= 0);
    }
    const Handle set(
        H5Dcreate2(file, name.c_str(), type_of<T>(), space, H5P_DEFAULT, creation, H5P_DEFAULT),
        H5Dclose);
    if (rows > 0)
        check(H5Dwrite(set, type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()) >= 0);
}

template <class T>
void write_attribute(hid_t file, const char* name, T value) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate2(file, name, type_of<T>(), space, H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
    check(H5Awrite(attribute, type_of<T>(), &value) >= 0);
}

template <class T>
T read_attribute(hid_t file, const char* name) {
    const Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose);
    const Handle space(H5Aget_space(attribute), H5Sclose);
    check(H5Sget_simple_extent_npoints(space) == 1);
    T value;
    check(H5Aread(attribute, type_of<T>(), &value) >= 0);
    return value;
}

Field read_set(hid_t file, const std::string& name) {
    Field field;
    field.name = name;
    const Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle space(H5Dget_space(set), H5Sclose);
    hsize_t extent[2] = {0, 1};
    const int rank = H5Sget_simple_extent_ndims(space);
    check(rank == 1 || rank == 2);
    check(H5Sget_simple_extent_dims(space, extent, nullptr) == rank);
    check(extent[1] == (rank == 1 ? 1 : 3));
    field.components = static_cast<int>(extent[1]);
    const Handle type(H5Dget_type(set), H5Tclose);
    if (H5Tget_class(type) == H5T_INTEGER)
        field.data = std::vector<std::uint32_t>();
    std::visit(
        [&](auto& data) {
            using T = typename std::decay_t<decltype(data)>::value_type;
            data.resize(extent[0] * extent[1]);
            if (!data.empty())
                check(H5Dread(set, type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()) >= 0);
        },
        field.data);
    return field;
}

std::string name_of_set(hid_t file, hsize_t number) {
    const auto ask = [&](char* text, std::size_t size) {
        const ssize_t length = H5Lget_name_by_idx(file, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC,
                                                  number, text, size, H5P_DEFAULT);
        check(length >= 0);
        return static_cast<std::size_t>(length);
    };
    std::string name(ask(nullptr, 0), '\0');
    ask(name.data(), name.size() + 1);
    return name;
}

void read_frame(hid_t file, ParticleFrame& frame) {
    frame.time = read_attribute<double>(file, "time");
    frame.dimension = read_attribute<std::int32_t>(file, "dimension");
    H5G_info_t info;
    check(H5Gget_info(file, &info) >= 0);
    for (hsize_t number = 0; number < info.nlinks; ++number) {
        Field field = read_set(file, name_of_set(file, number));
        if (field.name != k_positions) {
            frame.fields.push_back(std::move(field));
            continue;
        }
        auto* places = std::get_if<std::vector<float>>(&field.data);
        check(places && field.components == 3);
        frame.positions = std::move(*places);
    }
    check(frame.dimension == 2 || frame.dimension == 3);
    for (const Field& field : frame.fields)
        check(field.size() == frame.count() * static_cast<std::size_t>(field.components));
}

}  // namespace

std::string particles_to_hdf5(const ParticleFrame& frame) {
    for (const Field& field : frame.fields)
        if (field.name.empty() || field.name == "." || field.name == k_positions ||
            field.name.find('/') != std::string::npos)
            throw RunError("an HDF5 file cannot hold a field of the name '" + field.name + "'");
    try {
        return hdf5::to_bytes(k_kind, [&](hid_t file) {
            write_attribute(file, "time", frame.time);
            write_attribute(file, "dimension", static_cast<std::int32_t>(frame.dimension));
            write_set(file, k_positions, frame.count(), 3, frame.positions);
            for (const Field& field : frame.fields)
                std::visit(
                    [&](const auto& data) {
                        write_set(file, field.name, frame.count(), field.components, data);
                    },
                    field.data);
        });
    } catch (const hdf5::Failure&) {
        throw RunError("HDF5 failed, is memory left? Has each field its own name?");
    }
}

ParticleFrame particles_from_hdf5(std::string_view bytes) {
    ParticleFrame frame;
    try {
        hdf5::from_bytes(k_kind, bytes, [&](hid_t file) { read_frame(file, frame); });
    } catch (const hdf5::Failure&) {
        throw InputError("lacks a part of a particle frame");
    }
    return frame;
}

}  // namespace millrace

#endif
