#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

// HDF5 files are made and read in memory, behind a line of ours with a checksum that is compared
// before HDF5 sees a byte: no error of the disk and no damaged file reaches that library, which
// would not always survive them. Several threads may do so at the same time: each waits for its
// turn. For .cpp files that are built with HDF5 only.
namespace millrace::hdf5 {

/// Something that the library refused.
struct Failure {};

inline void check(bool ok) {
    if (!ok)
        throw Failure();
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
inline hid_t type_of<float>() {
    return H5T_NATIVE_FLOAT;
}
template <>
inline hid_t type_of<double>() {
    return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t type_of<std::int64_t>() {
    return H5T_NATIVE_INT64;
}
template <>
inline hid_t type_of<std::uint64_t>() {
    return H5T_NATIVE_UINT64;
}
template <>
inline hid_t type_of<std::int32_t>() {
    return H5T_NATIVE_INT32;
}
template <>
inline hid_t type_of<std::uint32_t>() {
    return H5T_NATIVE_UINT32;
}
template <>
inline hid_t type_of<std::uint8_t>() {
    return H5T_NATIVE_UINT8;
}
template <>
inline hid_t type_of<char>() {
    return H5T_NATIVE_CHAR;
}

/// The bytes of a file that `fill` fills; `kind` stands in its header. The file is open
/// to every program that reads HDF5, which looks for its start behind the header, too.
std::string to_bytes(std::string_view kind, const std::function<void(hid_t file)>& fill);

/// Opens such a file. Throws InputError without a file name when it is of another kind or damaged.
void from_bytes(std::string_view kind, std::string_view bytes,
                const std::function<void(hid_t file)>& read);

}  // namespace millrace::hdf5
