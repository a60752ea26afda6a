#ifdef MILLRACE_HDF5

#include "io/hdf5_memory.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "millrace/error.hpp"

namespace millrace::hdf5 {
namespace {

constexpr std::size_t k_header_bytes = 512;
constexpr const char* k_header_format = "millrace %s 1\nbytes %zu\ncrc32 %08lx\n";

/// How HDF5 keeps a file in memory.
Handle in_memory() {
    constexpr std::size_t k_growth = std::size_t{1} << 22;
    check(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0);  // it prints nothing itself
    Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    check(H5Pset_fapl_core(access, k_growth, false) >= 0);
    return access;
}

/// The library is not made for several threads: one at a time is in it.
std::mutex& library_mutex() {
    static std::mutex mutex;
    return mutex;
}

std::string header_for(std::string_view kind, std::string_view bytes) {
    char text[k_header_bytes] = {};
    const unsigned long sum =
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    std::snprintf(text, sizeof text, k_header_format, std::string(kind).c_str(), bytes.size(), sum);
    return std::string(text, sizeof text);
}

}  // namespace

std::string to_bytes(std::string_view kind, const std::function<void(hid_t)>& fill) {
    const std::lock_guard lock(library_mutex());
    const Handle access = in_memory();
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    check(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED) >= 0);
    const Handle file(H5Fcreate("millrace", H5F_ACC_TRUNC, creation, access), H5Fclose);
    fill(file);
    check(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    const ssize_t size = H5Fget_file_image(file, nullptr, 0);
    check(size > 0);
    std::string bytes(k_header_bytes + static_cast<std::size_t>(size), '\0');
    check(H5Fget_file_image(file, bytes.data() + k_header_bytes, bytes.size() - k_header_bytes) ==
          size);
    bytes.replace(0, k_header_bytes,
                  header_for(kind, std::string_view(bytes).substr(k_header_bytes)));
    return bytes;
}

void from_bytes(std::string_view kind, std::string_view bytes,
                const std::function<void(hid_t)>& read) {
    if (!bytes.starts_with("millrace " + std::string(kind) + " "))
        throw InputError("is not a " + std::string(kind) + " of millrace");
    const std::string_view content = bytes.substr(std::min(bytes.size(), k_header_bytes));
    if (!bytes.starts_with(header_for(kind, content)))
        throw InputError("is damaged or of another version of millrace");
    const std::lock_guard lock(library_mutex());
    const Handle access = in_memory();
    check(H5Pset_file_image(access, const_cast<char*>(content.data()), content.size()) >= 0);
    const Handle file(H5Fopen("millrace", H5F_ACC_RDONLY, access), H5Fclose);
    read(file);
}

}  // namespace millrace::hdf5

#endif
