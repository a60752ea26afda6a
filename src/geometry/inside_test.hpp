#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// Whether points lie in the solid inside a closed mesh: where its surface winds around them. Parts
/// that overlap count once; triangles may all face inwards. May be asked from several threads.
class InsideTest {
  public:
    explicit InsideTest(const TriangleMesh& mesh);
    ~InsideTest();
    InsideTest(InsideTest&&) noexcept;
    InsideTest& operator=(InsideTest&&) noexcept;

    bool contains(const Vec3d& point) const;
    /// 1 for each point inside, 0 for each outside.
    std::vector<std::uint8_t> contains(std::span<const Vec3> points) const;

  private:
    struct Surface;
    std::unique_ptr<Surface> surface_;
    Bounds box_;
};

}  // namespace millrace
