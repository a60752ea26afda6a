#include "io/checkpoint.hpp"

#include "io/atomic_file.hpp"
#include "millrace/error.hpp"

#ifdef MILLRACE_HDF5

#include <algorithm>
#include <string_view>

#include "io/hdf5_memory.hpp"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// Older checkpoints lack these parts and are good without them.
constexpr std::string_view k_later_parts[] = {"time_step", "next_id", "emitted", "sunk",
                                              "bodies",    "pool",    "spins",   "outside"};

using hdf5::check;
using hdf5::Handle;
using hdf5::type_of;

constexpr const char* k_kind = "checkpoint";

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
    visit("outside", s.outside);
    visit("time_step", s.time_step);
    visit("positions", s.positions);
    visit("velocities", s.velocities);
    visit("volumes", s.volumes);
    visit("pressures", s.pressures);
    visit("divergence_pressures", s.divergence_pressures);
    visit("ids", s.ids);
    visit("fluids", s.fluids);
    visit("spins", s.spins);
    visit("next_id", s.next_id);
    visit("emitted", s.emitted);
    visit("sunk", s.sunk);
    visit("bodies", s.bodies);
    visit("pool", s.pool);
    visit("scene", checkpoint.scene);
    visit("recorder", checkpoint.recorder);
}

}  // namespace

bool has_checkpoints() {
    return true;
}

void write_checkpoint(const fs::path& path, const Checkpoint& checkpoint) {
    std::string bytes;
    try {
        bytes = hdf5::to_bytes(k_kind, [&](hid_t file) { visit_parts(Writer(file), checkpoint); });
    } catch (const hdf5::Failure&) {
        throw RunError(path.string() + ": cannot be written: HDF5 failed, is memory left?");
    }
    write_file(path, bytes, true);
}

Checkpoint read_checkpoint(const fs::path& path) {
    const std::string bytes = read_file(path);
    Checkpoint checkpoint;
    try {
        hdf5::from_bytes(k_kind, bytes, [&](hid_t file) { visit_parts(Reader(file), checkpoint); });
    } catch (const hdf5::Failure&) {
        throw InputError(path.string() + ": lacks a part of a checkpoint");
    } catch (const InputError& e) {
        throw InputError(path.string() + ": " + e.what());
    }
    return checkpoint;
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
