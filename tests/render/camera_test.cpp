#include "render/camera.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace millrace {
namespace {

/// Where a point is in the picture: x and y from -1 to 1, and the depth.
Vec3d project(const View& view, const Vec3d& p) {
    const Matrix m = multiply(view.projection, view.view);
    double out[4];
    for (int row = 0; row < 4; ++row)
        out[row] = m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row];
    return {{out[0] / out[3], out[1] / out[3], out[2] / out[3]}};
}

void expect_inside(const View& view, const Box& box) {
    for (int i = 0; i < 8; ++i) {
        Vec3d corner;
        for (int k = 0; k < 3; ++k)
            corner[k] = i >> k & 1 ? box.max[k] : box.min[k];
        const Vec3d p = project(view, corner);
        for (int k = 0; k < 3; ++k)
            EXPECT_LT(std::abs(p[k]), 1) << "corner " << i << " axis " << k;
    }
}

TEST(Camera, UpIsAgainstGravity) {
    EXPECT_EQ(up_direction({0, -9.81, 0}), (Vec3d{{0, 1, 0}}));
    EXPECT_EQ(up_direction({0.1, 0, -9.81}), (Vec3d{{0, 0, 1}}));
    EXPECT_EQ(up_direction({3, 0, 0}), (Vec3d{{-1, 0, 0}}));
    EXPECT_EQ(up_direction({0, 0, 0}), (Vec3d{{0, 1, 0}}));
}

TEST(Camera, FittedCameraSeesTheWholeBox) {
    for (const Box& box : {Box{{0, 0, 0}, {2.4, 2, 1}}, Box{{-50, 1, 3}, {50, 2, 4}},
                           Box{{0, 0, 0}, {0.01, 3, 0.01}}})
        for (const Vec3d& up : {Vec3d{{0, 1, 0}}, Vec3d{{0, 0, 1}}, Vec3d{{1, 0, 0}}})
            for (const double aspect : {0.5, 1.0, 16.0 / 9}) {
                const Camera camera = fitting_camera(box, up, aspect);
                expect_inside(perspective_view(camera, up, aspect, box), box);
            }
}

TEST(Camera, TargetIsInTheMiddleAndUpIsUp) {
    const Camera camera{{3, 2, 5}, {1, 0.5, 0.5}, 40};
    const View view = perspective_view(camera, {{0, 1, 0}}, 1.5, {{0, 0, 0}, {2, 2, 2}});
    const Vec3d middle = project(view, {{1, 0.5, 0.5}});
    EXPECT_NEAR(middle[0], 0, 1e-5);
    EXPECT_NEAR(middle[1], 0, 1e-5);
    EXPECT_GT(project(view, {{1, 0.7, 0.5}})[1], 0.01);
    EXPECT_GT(project(view, {{1.3, 0.5, 0.3}})[0], 0.01);
}

TEST(Camera, StraightDownIsAViewToo) {
    const Camera camera{{1, 5, 1}, {1, 0, 1}, 40};
    const View view = perspective_view(camera, {{0, 1, 0}}, 1, {{0, 0, 0}, {2, 1, 2}});
    for (const float v : view.view)
        EXPECT_TRUE(std::isfinite(v));
    EXPECT_NEAR(project(view, {{1, 0, 1}})[0], 0, 1e-5);
}

TEST(Camera, FlatViewKeepsTheBoxAndItsShape) {
    const Box box{{0, 0, 0}, {2, 1, 0}};
    for (const double aspect : {0.4, 1.0, 16.0 / 9}) {
        const View view = flat_view(box, aspect);
        expect_inside(view, box);
        const Vec3d low = project(view, {{0, 0, 0}}), high = project(view, {{2, 1, 0}});
        EXPECT_NEAR((high[0] - low[0]) * aspect / (high[1] - low[1]), 2, 1e-4);
    }
}

TEST(Camera, LightSeesTheWholeBox) {
    const Box box{{-1, 0, 2}, {3, 1, 4}};
    View light;
    light.view = {0.999f, 0, 0, 0, 0, 0.999f, 0, 0, 0, 0, 0.999f, 0, 0.001f, 0.0005f, 0.003f, 1};
    light.projection = light_matrix(box, {{-0.4, 1, 0.3}});
    expect_inside(light, box);  // the box shrunk a little, since its corners touch the frame
}

}  // namespace
}  // namespace millrace
