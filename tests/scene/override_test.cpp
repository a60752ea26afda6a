// Overrides: --set key.path=value.
#include "scene/scene_test.hpp"

namespace millrace::scene_test {

TEST(SceneOverride, SetsValues) {
    EXPECT_EQ(pool({"spacing=0.02"}).spacing, 0.02);
    EXPECT_EQ(pool({"pressure.warm_start=false"}).pressure.warm_start, false);
    EXPECT_EQ(pool({"fluids[0].density=900"}).fluids[0].density, 900);
    EXPECT_EQ(pool({"fluids.0.density=900"}).fluids[0].density, 900);
    EXPECT_EQ(
        std::get<Box>(pool({"fluids[0].fill[0].box.max[1]=0.5"}).fluids[0].fill[0].shape).max[1],
        0.5);
    EXPECT_EQ(std::get<Box>(pool({"fluids.0.fill.0.box.max.1=0.5"}).fluids[0].fill[0].shape).max[1],
              0.5);
    EXPECT_EQ(pool({"gravity=[0, -1.62, 0]"}).gravity[1], -1.62);
    EXPECT_EQ(pool({"time_step={\"mode\": \"fixed\", \"dt\": 0.001}"}).time_step.mode, "fixed");
    EXPECT_EQ(pool({"boundaries=[]"}).boundaries.size(), 0u);
    EXPECT_EQ(pool({"spacing=0.05", "spacing=0.02"}).spacing, 0.02);
}

TEST(SceneOverride, WhatIsNotJsonIsText) {
    EXPECT_EQ(pool({"name=foo"}).name, "foo");
    EXPECT_EQ(pool({"name=\"foo\""}).name, "foo");
    EXPECT_EQ(pool({"name=a=b"}).name, "a=b");
    EXPECT_EQ(pool({"name=NaN"}).name, "NaN");
    EXPECT_EQ(refusal({"spacing=NaN"}), "pool.json: spacing: must be a number, got 'NaN'");
}

TEST(SceneOverride, ErrorsNameTheOverride) {
    EXPECT_EQ(refusal({"spacing"}),
              "pool.json: --set spacing: must be key.path=value, such as spacing=0.02");
    EXPECT_EQ(refusal({"fluids[3].density=900"}),
              "pool.json: --set fluids[3].density=900: fluids[3]: index out of range, fluids has 1 "
              "entry");
    EXPECT_EQ(refusal({"fluids.1.density=900"}),
              "pool.json: --set fluids.1.density=900: fluids[1]: index out of range, fluids has 1 "
              "entry");
    EXPECT_EQ(refusal({"probes[0].name=a"}),
              "pool.json: --set probes[0].name=a: probes[0]: index out of range, probes is not "
              "given");
    EXPECT_EQ(refusal({"fluids.density=900"}),
              "pool.json: --set fluids.density=900: fluids is a list, give an index such as "
              "fluids[0]");
    EXPECT_EQ(refusal({"spacing[0]=1"}),
              "pool.json: --set spacing[0]=1: spacing[0]: index out of range, spacing is not a "
              "list");
    EXPECT_EQ(refusal({"spacing.x=1"}),
              "pool.json: --set spacing.x=1: spacing is a single value, it has no key 'x'");
    EXPECT_EQ(refusal({"spacing=1e999"}),
              "pool.json: --set spacing=1e999: line 1, column 5: the number '1e999' is too large, "
              "it must be finite");
    EXPECT_EQ(refusal({R"(camera={"fov": 1, "fov": 2})"}),
              R"(pool.json: --set camera={"fov": 1, "fov": 2}: fov: duplicate key)");
    for (const std::string path : {"", ".", "a.", ".a", "a..b", "a[", "a[]", "a[x]", "a[-1]",
                                   "a[0]b", "a.[0]", "[99999999999999999999]"}) {
        EXPECT_EQ(refusal({path + "=1"}), "pool.json: --set " + path +
                                              "=1: the key must be a path such as spacing or "
                                              "fluids[0].density");
    }
}

TEST(SceneOverride, NewKeysAreChecked) {
    EXPECT_EQ(refusal({"spacng=1"}), "pool.json: spacng: unknown key; did you mean 'spacing'?");
    EXPECT_EQ(refusal({"pressure.metod=iisph"}),
              "pool.json: pressure.metod: unknown key; did you mean 'method'?");
    EXPECT_EQ(refusal({"fluids[0].density=-1"}),
              "pool.json: fluids[0].density: must be greater than 0, got -1");
}

}  // namespace millrace::scene_test
