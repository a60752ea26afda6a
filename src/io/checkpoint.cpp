#include "io/checkpoint.hpp"

#include "io/atomic_file.hpp"
#include "millrace/error.hpp"

#ifdef MILLRACE_HDF5

#include <hdf5.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

namespace millrace {

namespace {

namespace fs = std::filesystem;

// The file is made and read in memory, and its checksum is compared before HDF5 sees a byte: no
// error of the disk and no damaged file reaches that library, which would not always survive them.
constexpr std::size_t k_header_bytes = 512;  // HDF5 looks for its own start there, too
constexpr const char* k_header_format = "millrace checkpoint 1\nbytes %zu\ncrc32 %08lx\n";

/// Older checkpoints lack these parts and are good without them.
constexpr std::string_view k_later_parts[] = {"time_step", "next_id", "emitted",
                                              "sunk",      "bodies",  "pool"};

/// Thrown here, caught here.
struct Hdf5Failure {};

void check(bool ok) {
    if (!ok)
        throw Hdf5Failure();
}

/// An open thing of HDF5.
class Handle {
  public:
    using Close = herr_t (*)(hid_t);
    Handle(hid_t id, Close close) : id_(id), close_(close) { check(id_ >= 0); }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    ~Handle() {
        if (id_ >= 0)
            close_(id_);
    }
    operator hid_t() const { return id_; }

  private:
    hid_t id_;
    Close close_;
};

template <class T>
hid_t type_of();
template <>
hid_t type_of<float>() {
    return H5T_NATIVE_FLOAT;
}
template <>
hid_t type_of<double>() {
    return H5T_NATIVE_DOUBLE;
}
template <>
hid_t type_of<std::int64_t>() {
    return H5T_NATIVE_INT64;
}
template <>
hid_t type_of<std::uint64_t>() {
    return H5T_NATIVE_UINT64;
}
template <>
hid_t type_of<std::uint32_t>() {
    return H5T_NATIVE_UINT32;
}
template <>
hid_t type_of<std::uint8_t>() {
    return H5T_NATIVE_UINT8;
}
template <>
hid_t type_of<char>() {
    return H5T_NATIVE_CHAR;
}

/// Writes the parts of a checkpoint into an open file.
class Writer {
  public:
    explicit Writer(hid_t file) : file_(file) {}

    /// A list, or a text as a list of its bytes.
    template <class List>
    void operator()(const char* name, const List& list) {
        using T = typename List::value_type;
        const hsize_t size = list.size();
        const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
        const Handle set(
            H5Dcreate2(file_, name, type_of<T>(), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
            H5Dclose);
        if (size > 0)
            check(H5Dwrite(set, type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, list.data()) >= 0);
    }
    void operator()(const char* name, double value) { (*this)(name, std::vector{value}); }
    void operator()(const char* name, std::int64_t value) { (*this)(name, std::vector{value}); }
    void operator()(const char* name, std::uint64_t value) { (*this)(name, std::vector{value}); }
    void operator()(const char* name, std::uint32_t value) { (*this)(name, std::vector{value}); }

  private:
    hid_t file_;
};

/// Reads them back.
class Reader {
  public:
    explicit Reader(hid_t file) : file_(file) {}

    template <class List>
    void operator()(const char* name, List& list) {
        using T = typename List::value_type;
        if (is_left_out(name))
            return;
        const Handle set(H5Dopen2(file_, name, H5P_DEFAULT), H5Dclose);
        const Handle space(H5Dget_space(set), H5Sclose);
        const hssize_t size = H5Sget_simple_extent_npoints(space);
        check(size >= 0);
        list.resize(static_cast<std::size_t>(size));
        if (size > 0)
            check(H5Dread(set, type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, list.data()) >= 0);
    }
    void operator()(const char* name, double& value) { read_one(name, value); }
    void operator()(const char* name, std::int64_t& value) { read_one(name, value); }
    void operator()(const char* name, std::uint64_t& value) { read_one(name, value); }
    void operator()(const char* name, std::uint32_t& value) { read_one(name, value); }

  private:
    bool is_left_out(std::string_view name) const {
        return std::find(std::begin(k_later_parts), std::end(k_later_parts), name) !=
                   std::end(k_later_parts) &&
               H5Lexists(file_, name.data(), H5P_DEFAULT) == 0;
    }

    template <class T>
    void read_one(const char* name, T& value) {
        if (is_left_out(name))
            return;
        std::vector<T> list;
        (*this)(name, list);
        check(list.size() == 1);
        value = list[0];
    }

    hid_t file_;
};

/// The names of all parts, for both ways.
template <class Visit, class C>
void visit_parts(Visit&& visit, C& checkpoint) {
    auto& s = checkpoint.snapshot;
    visit("time", s.time);
    visit("step", s.step);
    visit("last_dt", s.last_dt);
    visit("lost", s.lost);
    visit("time_step", s.time_step);
    visit("positions", s.positions);
    visit("velocities", s.velocities);
    visit("volumes", s.volumes);
    visit("pressures", s.pressures);
    visit("divergence_pressures", s.divergence_pressures);
    visit("ids", s.ids);
    visit("fluids", s.fluids);
    visit("next_id", s.next_id);
    visit("emitted", s.emitted);
    visit("sunk", s.sunk);
    visit("bodies", s.bodies);
    visit("pool", s.pool);
    visit("scene", checkpoint.scene);
    visit("recorder", checkpoint.recorder);
}

/// How HDF5 keeps a file in memory.
Handle in_memory() {
    constexpr std::size_t k_growth = std::size_t{1} << 22;
    check(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0);  // it prints nothing itself
    Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    check(H5Pset_fapl_core(access, k_growth, false) >= 0);
    return access;
}

/// The HDF5 file behind `skip` bytes that are free.
std::string to_hdf5(const Checkpoint& checkpoint, std::size_t skip) {
    const Handle access = in_memory();
    const Handle file(H5Fcreate("checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    visit_parts(Writer(file), checkpoint);
    check(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    const ssize_t size = H5Fget_file_image(file, nullptr, 0);
    check(size > 0);
    std::string bytes(skip + static_cast<std::size_t>(size), '\0');
    check(H5Fget_file_image(file, bytes.data() + skip, bytes.size() - skip) == size);
    return bytes;
}

Checkpoint from_hdf5(std::string_view bytes) {
    const Handle access = in_memory();
    check(H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size()) >= 0);
    const Handle file(H5Fopen("checkpoint", H5F_ACC_RDONLY, access), H5Fclose);
    Checkpoint checkpoint;
    visit_parts(Reader(file), checkpoint);
    return checkpoint;
}

std::string header_for(std::string_view bytes) {
    char text[k_header_bytes] = {};
    const unsigned long sum =
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    std::snprintf(text, sizeof text, k_header_format, bytes.size(), sum);
    return std::string(text, sizeof text);
}

}  // namespace

bool has_checkpoints() {
    return true;
}

void write_checkpoint(const fs::path& path, const Checkpoint& checkpoint) {
    std::string bytes;
    try {
        bytes = to_hdf5(checkpoint, k_header_bytes);
    } catch (const Hdf5Failure&) {
        throw RunError(path.string() + ": cannot be written: HDF5 failed, is memory left?");
    }
    const std::string header = header_for(std::string_view(bytes).substr(k_header_bytes));
    bytes.replace(0, k_header_bytes, header);
    write_file(path, bytes, true);
}

Checkpoint read_checkpoint(const fs::path& path) {
    const std::string bytes = read_file(path);
    if (!bytes.starts_with("millrace checkpoint "))
        throw InputError(path.string() + ": is not a checkpoint of millrace");
    const std::string_view content =
        std::string_view(bytes).substr(std::min(bytes.size(), k_header_bytes));
    if (!bytes.starts_with(header_for(content)))
        throw InputError(path.string() + ": is damaged or of another version of millrace");
    try {
        return from_hdf5(content);
    } catch (const Hdf5Failure&) {
        throw InputError(path.string() + ": lacks a part of a checkpoint");
    }
}

}  // namespace millrace

#else

namespace millrace {

namespace {

constexpr const char* k_no_hdf5 =
    ": checkpoints are not built in: install HDF5 (on Debian: apt install libhdf5-dev), then "
    "configure and build again";

}  // namespace

bool has_checkpoints() {
    return false;
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint&) {
    throw RunError(path.string() + k_no_hdf5);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    throw RunError(path.string() + k_no_hdf5);
}

}  // namespace millrace

#endif
