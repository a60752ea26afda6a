#pragma once

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <string>

namespace millrace {

/// The files that assimp may read: the bytes of a mesh that were checked, and what a glTF file
/// keeps in others. Whatever else a mesh names, such as the materials of an OBJ file, is not there:
/// it is of no use here, and may be a pipe that never ends.
class MeshIO final : public Assimp::IOSystem {
  public:
    /// The bytes must live as long as this.
    MeshIO(std::string path, const std::string& bytes);

    bool Exists(const char* file) const override;
    char getOsSeparator() const override { return '/'; }
    Assimp::IOStream* Open(const char* file, const char* mode) override;
    void Close(Assimp::IOStream* stream) override { delete stream; }

  private:
    std::string path_;
    const std::string& bytes_;
};

}  // namespace millrace
