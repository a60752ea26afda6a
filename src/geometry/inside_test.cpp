#include "geometry/inside_test.hpp"

#include <limits>

#include "exec/host_loops.hpp"
#if defined(MILLRACE_EMBREE)
#include <embree3/rtcore.h>
#else
#include "geometry/triangle_tree.hpp"
#endif

namespace millrace {

#if defined(MILLRACE_EMBREE)

namespace {

// Along no axis, plane or diagonal that a model is likely to have.
constexpr float k_directions[3][3] = {
    {0.5377f, 0.6934f, 0.4796f}, {-0.7312f, 0.3127f, 0.6063f}, {0.2811f, -0.8213f, 0.4965f}};

struct CrossingCount {
    RTCIntersectContext context;
    int crossings;  // outwards less inwards
};

void count_crossing(const RTCFilterFunctionNArguments* call) {
    auto* count = reinterpret_cast<CrossingCount*>(call->context);
    const auto* ray = reinterpret_cast<const RTCRay*>(call->ray);
    const float along = RTCHitN_Ng_x(call->hit, 1, 0) * ray->dir_x +
                        RTCHitN_Ng_y(call->hit, 1, 0) * ray->dir_y +
                        RTCHitN_Ng_z(call->hit, 1, 0) * ray->dir_z;
    count->crossings += (along > 0) - (along < 0);
    call->valid[0] = 0;  // go on
}

}  // namespace

struct InsideTest::Surface {
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    Vec3d origin;

    explicit Surface(const TriangleMesh& mesh) : origin(bounds(mesh).center()) {
        device = rtcNewDevice(nullptr);
        scene = rtcNewScene(device);
        rtcSetSceneFlags(scene, static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST |
                                                           RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION));
        const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        auto* x = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                                              RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                                              mesh.vertices.size()));
        for (const Vec3d& vertex : mesh.vertices)
            for (int k = 0; k < 3; ++k)
                *x++ = static_cast<float>(vertex[k] - origin[k]);
        auto* v = static_cast<std::uint32_t*>(
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                    3 * sizeof(std::uint32_t), mesh.triangles.size()));
        for (const auto& triangle : mesh.triangles)
            for (const std::uint32_t index : triangle)
                *v++ = index;
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene, geometry);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene);
    }
    ~Surface() {
        rtcReleaseScene(scene);
        rtcReleaseDevice(device);
    }

    // The number of crossings of a ray is the winding number, unless it meets an edge.
    bool winds(const Vec3d& point, const float* direction) const {
        CrossingCount count;
        rtcInitIntersectContext(&count.context);
        count.context.filter = count_crossing;
        count.crossings = 0;
        RTCRay ray{};
        ray.org_x = static_cast<float>(point[0] - origin[0]);
        ray.org_y = static_cast<float>(point[1] - origin[1]);
        ray.org_z = static_cast<float>(point[2] - origin[2]);
        ray.dir_x = direction[0];
        ray.dir_y = direction[1];
        ray.dir_z = direction[2];
        ray.tfar = std::numeric_limits<float>::infinity();
        ray.mask = ~0u;
        rtcOccluded1(scene, &count.context, &ray);
        return count.crossings != 0;
    }

    bool contains(const Vec3d& point) const {
        const bool first = winds(point, k_directions[0]);
        return first == winds(point, k_directions[1]) ? first : winds(point, k_directions[2]);
    }
};

#else

struct InsideTest::Surface {
    TriangleTree tree;

    explicit Surface(const TriangleMesh& mesh) : tree(mesh) {}

    bool contains(const Vec3d& point) const {
        const double w = tree.winding_number(point);
        return w > 0.5 || w < -0.5;
    }
};

#endif

InsideTest::InsideTest(const TriangleMesh& mesh)
    : surface_(std::make_unique<Surface>(mesh)), box_(bounds(mesh)) {}
InsideTest::~InsideTest() = default;
InsideTest::InsideTest(InsideTest&&) noexcept = default;
InsideTest& InsideTest::operator=(InsideTest&&) noexcept = default;

bool InsideTest::contains(const Vec3d& point) const {
    for (int k = 0; k < 3; ++k)
        if (!(point[k] > box_.min[k] && point[k] < box_.max[k]))
            return false;
    return surface_->contains(point);
}

std::vector<std::uint8_t> InsideTest::contains(std::span<const Vec3> points) const {
    std::vector<std::uint8_t> inside(points.size());
    const auto n = static_cast<std::int64_t>(points.size());
    parallel_for(n, {.grain = 1024},
                 [&](std::int64_t i) { inside[i] = contains(Vec3d::from(points[i])); });
    return inside;
}

}  // namespace millrace
