#include "geometry/point_file.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "files/big_endian.hpp"
#include "millrace/error.hpp"

#if defined(MILLRACE_ZLIB)
#include <zlib.h>
#endif

namespace millrace {

namespace {

bool is_compressed(std::string_view bytes) {
    return bytes.starts_with("\x1f\x8b");
}

#if defined(MILLRACE_ZLIB)

std::string decompressed(const std::string& bytes) {
    constexpr int k_gzip = 16 + MAX_WBITS;
    constexpr std::size_t k_largest = std::size_t{4} << 30;  // [bytes]
    z_stream stream{};
    if (inflateInit2(&stream, k_gzip) != Z_OK)
        throw InputError("cannot be decompressed: out of memory");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string result, part(1 << 16, '\0');
    int state = Z_OK;
    while (state == Z_OK && result.size() < k_largest) {
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        state = inflate(&stream, Z_NO_FLUSH);
        result.append(part, 0, part.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END)
        throw InputError("is damaged: it cannot be decompressed");
    return result;
}

#else

std::string decompressed(const std::string&) {
    throw InputError(
        "is compressed: install zlib (on Debian: apt install zlib1g-dev), then configure and build "
        "again, or decompress it");
}

#endif

/// Passes over the definition of an attribute; how many words it takes in a point.
std::size_t read_attribute(BigEndianCursor& file) {
    constexpr std::size_t k_texts = 4;  // an index into a list of texts
    file.take(file.number(2));
    const std::size_t size = file.number(2), type = file.number(4);
    if (type != k_texts) {
        file.take(4 * size);  // defaults
        return size;
    }
    for (std::size_t texts = file.number(4); texts > 0; --texts)
        file.take(file.number(2));
    return size;
}

std::vector<Vec3d> points_of_bgeo(std::string_view bytes) {
    constexpr std::size_t k_position = 4;  // x, y, z, w
    BigEndianCursor file(bytes);
    if (file.left() < 9 || file.take(5) != "BgeoV" || file.number(4) != 5)
        throw InputError("is not a classic Houdini geometry, version 5 (.bgeo)");
    const std::size_t count = file.number(4);
    file.take(3 * 4);  // primitives and groups
    const std::size_t attributes = file.number(4);
    file.take(3 * 4);  // attributes of vertices, primitives and the whole
    std::size_t row = k_position;
    for (std::size_t a = 0; a < attributes; ++a)
        row += read_attribute(file);
    if (count > file.left() / (4 * row))  // before memory is taken
        throw InputError("is incomplete");
    std::vector<Vec3d> points(count);
    for (Vec3d& x : points) {
        for (int k = 0; k < 3; ++k) {
            x[k] = std::bit_cast<float>(static_cast<std::uint32_t>(file.number(4)));
            if (!std::isfinite(x[k]))
                throw InputError("holds a point that is not finite");
        }
        file.take(4 * (row - 3));
    }
    return points;
}

}  // namespace

std::vector<Vec3d> load_points(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw InputError(path + ": cannot be read");
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    try {
        if (is_compressed(bytes))
            bytes = decompressed(bytes);
        std::vector<Vec3d> points = points_of_bgeo(bytes);
        if (points.empty())
            throw InputError("holds no points");
        return points;
    } catch (const InputError& e) {
        throw InputError(path + ": " + e.what());
    }
}

}  // namespace millrace
