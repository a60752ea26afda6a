#if defined(MILLRACE_ASSIMP)

#include "geometry/mesh_io.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "files/whole_file.hpp"
#include "geometry/mesh_file_check.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

/// Bytes as assimp reads them.
class Stream final : public Assimp::IOStream {
  public:
    explicit Stream(std::string bytes) : bytes_(std::move(bytes)) {}

    std::size_t Read(void* out, std::size_t size, std::size_t count) override {
        const std::size_t left = bytes_.size() - place_;
        const std::size_t whole = size == 0 ? 0 : std::min(count, left / size);
        if (whole > 0)
            std::memcpy(out, bytes_.data() + place_, whole * size);
        place_ += whole * size;
        return whole;
    }
    std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
    aiReturn Seek(std::size_t offset, aiOrigin origin) override {
        const std::size_t start = origin == aiOrigin_SET   ? 0
                                  : origin == aiOrigin_CUR ? place_
                                                           : bytes_.size();
        const std::size_t place = origin == aiOrigin_END ? start - offset : start + offset;
        if (place > bytes_.size())
            return aiReturn_FAILURE;
        place_ = place;
        return aiReturn_SUCCESS;
    }
    std::size_t Tell() const override { return place_; }
    std::size_t FileSize() const override { return bytes_.size(); }
    void Flush() override {}

  private:
    std::string bytes_;
    std::size_t place_ = 0;
};

}  // namespace

MeshIO::MeshIO(std::string path, const std::string& bytes)
    : path_(std::move(path)), bytes_(bytes) {}

bool MeshIO::Exists(const char* file) const {
    return file == path_ || (mesh_format(path_) == ".gltf" && file_problem(file).empty());
}

Assimp::IOStream* MeshIO::Open(const char* file, const char*) {
    if (file == path_)
        return new Stream(bytes_);
    try {
        return Exists(file) ? new Stream(whole_file(file)) : nullptr;
    } catch (const InputError&) {
        return nullptr;
    }
}

}  // namespace millrace

#endif
