#include "io/schedule.hpp"

#include <gtest/gtest.h>

#include "millrace/error.hpp"

namespace millrace {
namespace {

/// The times on which steps end where nothing else cuts them, and which of them are frames.
struct Times {
    std::vector<double> all, frames;
    std::vector<int> probe_values;
};

Times times_of(const Scene& scene) {
    const Schedule schedule(scene);
    Times times;
    times.probe_values.resize(scene.probes.size());
    for (double time = 0; !schedule.ended(time) && times.all.size() < 1000;) {
        const double next = schedule.next(time);
        times.all.push_back(next);
        if (schedule.frame(time, next))
            times.frames.push_back(next);
        for (std::size_t i = 0; i < scene.probes.size(); ++i)
            times.probe_values[i] += schedule.probe(i, time, next);
        time = next;
    }
    return times;
}

Scene scene_with(double end, double fps, const std::vector<double>& intervals = {}) {
    Scene scene;
    scene.end = end;
    scene.output.fps = fps;
    for (const double interval : intervals) {
        scene.probes.emplace_back();
        scene.probes.back().interval = interval;
    }
    return scene;
}

TEST(Schedule, FramesAreExactlyOnTheirTimesAndTheLastIsAtTheEnd) {
    const Times times = times_of(scene_with(0.1, 30));
    EXPECT_EQ(times.frames, (std::vector<double>{1.0 / 30, 2.0 / 30, 0.1}));
    EXPECT_EQ(times_of(scene_with(0.08, 30)).frames,
              (std::vector<double>{1.0 / 30, 2.0 / 30, 0.08}));
    EXPECT_EQ(times_of(scene_with(5, 30)).frames.size(), 150u);
    EXPECT_EQ(times_of(scene_with(0.02, 30)).frames, std::vector<double>{0.02});
    EXPECT_TRUE(times_of(scene_with(0, 30)).all.empty());
}

TEST(Schedule, TimesThatDifferByRoundingAreOne) {
    // 3 * 0.1 is not 9 / 30, and neither is 0.3
    for (const double end : {0.3, 3 * 0.1, 9.0 / 30}) {
        const Times times = times_of(scene_with(end, 30, {0.1, 1.0 / 60, 0}));
        EXPECT_EQ(times.all.size(), 18u);
        EXPECT_EQ(times.frames.size(), 9u);
        EXPECT_EQ(times.probe_values, (std::vector<int>{3, 18, 9}));
        EXPECT_EQ(times.all.back(), end);
    }
}

TEST(Schedule, ProbesKeepTheirOwnTimes) {
    const Times times = times_of(scene_with(1, 2, {0.3, 7}));
    EXPECT_EQ(times.frames, (std::vector<double>{0.5, 1}));
    EXPECT_EQ(times.probe_values, (std::vector<int>{3, 0}));
    EXPECT_EQ(times.all.size(), 5u);  // 0.3 0.5 0.6 0.9 1
}

TEST(Schedule, PeriodsTooShortToCountAreRefused) {
    EXPECT_THROW(Schedule(scene_with(5, 1e9)), InputError);
    EXPECT_THROW(Schedule(scene_with(5, 30, {1e-15})), InputError);
}

}  // namespace
}  // namespace millrace
