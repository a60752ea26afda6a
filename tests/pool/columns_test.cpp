#include "pool/columns.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <set>

namespace millrace {
namespace {

constexpr float k_width = 0.17f;

/// A random cloud on both sides of the origin, with some far strays.
std::vector<Vec2> cloud(int count, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> x(-1, 1.5f), y(-2, 1);
    std::vector<Vec2> points;
    for (int k = 0; k < count; ++k)
        points.push_back({x(random), y(random)});
    points.push_back({-900, 3});
    points.push_back({-900, 3.1f});
    points.push_back({5000, -4000});
    points.push_back({-0.5f * k_width, 9000});
    points.push_back({2 * k_width, 0});  // on a boundary of columns
    points.push_back(points[0]);         // twice at one place
    return points;
}

Columns sorted(const std::vector<Vec2>& points, int threads = 1) {
    Columns columns;
    columns.sort({threads}, points, k_width);
    return columns;
}

int column_of(const Columns& columns, std::uint32_t i) {
    return static_cast<int>(std::floor(columns.x()[i] / k_width));
}

TEST(Columns, NoPointsHaveNoStrips) {
    const Columns columns = sorted({});
    EXPECT_EQ(columns.count(), 0u);
    EXPECT_TRUE(columns.strips().empty());
}

TEST(Columns, EveryPointHasOnePlaceInOrder) {
    const std::vector<Vec2> points = cloud(500);
    const Columns columns = sorted(points);
    ASSERT_EQ(columns.count(), points.size());
    const std::set<std::uint32_t> all(columns.order().begin(), columns.order().end());
    EXPECT_EQ(all.size(), points.size());
    EXPECT_EQ(*all.rbegin(), points.size() - 1);
    for (std::uint32_t i = 0; i < columns.count(); ++i)
        EXPECT_EQ(columns.position(i), points[columns.order()[i]]);
    for (std::uint32_t i = 1; i < columns.count(); ++i) {
        const int before = column_of(columns, i - 1), here = column_of(columns, i);
        EXPECT_TRUE(before < here || (before == here && columns.y()[i - 1] <= columns.y()[i])) << i;
    }
}

TEST(Columns, StripsCoverAllPointsOnce) {
    const Columns columns = sorted(cloud(300));
    std::uint32_t next = 0;
    for (const Columns::Strip& strip : columns.strips()) {
        EXPECT_EQ(strip.begin, next);
        EXPECT_LT(strip.begin, strip.end);
        next = strip.end;
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            const float slack = 1e-5f * std::abs(columns.x()[i]);
            EXPECT_GE(columns.x()[i], columns.left(strip) - slack);
            EXPECT_LE(columns.x()[i], columns.right(strip) + slack);
        }
    }
    EXPECT_EQ(next, columns.count());
    std::vector<std::uint32_t> colored = columns.of_color(0);
    colored.insert(colored.end(), columns.of_color(1).begin(), columns.of_color(1).end());
    std::sort(colored.begin(), colored.end());
    for (std::uint32_t s = 0; s < colored.size(); ++s)
        EXPECT_EQ(colored[s], s);
    EXPECT_EQ(colored.size(), columns.strips().size());
}

TEST(Columns, RunsHoldAllNeighbors) {
    const std::vector<Vec2> points = cloud(800);
    const Columns columns = sorted(points);
    std::size_t visited = 0;
    for (const Columns::Strip& strip : columns.strips())
        columns.for_each_in(strip, [&](std::uint32_t i, const Columns::Run* runs) {
            ++visited;
            std::set<std::uint32_t> found;
            for (int k = 0; k < 3; ++k)
                for (std::uint32_t j = runs[k].begin; j < runs[k].end; ++j)
                    EXPECT_TRUE(found.insert(j).second) << "twice";
            for (std::uint32_t j = 0; j < columns.count(); ++j)
                EXPECT_TRUE(squared_norm(columns.position(i) - columns.position(j)) >=
                                k_width * k_width ||
                            found.count(j))
                    << i << " misses " << j;
            EXPECT_TRUE(found.count(i));
        });
    EXPECT_EQ(visited, columns.count());
}

TEST(Columns, UpwardRunsHoldAllNeighbors) {
    const Columns columns = sorted(cloud(800));
    std::size_t visited = 0;
    for (const Columns::Strip& strip : columns.strips())
        columns.for_each_upwards(strip, [&](std::uint32_t i, const Columns::Run* runs) {
            ++visited;
            std::set<std::uint32_t> found;
            std::size_t too_low = 0;
            for (int k = 0; k < 3; ++k)
                for (std::uint32_t j = runs[k].begin; j < runs[k].end; ++j) {
                    EXPECT_TRUE(found.insert(j).second) << "twice";
                    too_low += columns.y()[j] < columns.y()[i] - k_width;
                }
            EXPECT_LE(too_low, 3 * 8u);
            for (std::uint32_t j = 0; j < columns.count(); ++j)
                EXPECT_TRUE(squared_norm(columns.position(i) - columns.position(j)) >=
                                k_width * k_width ||
                            found.count(j))
                    << i << " misses " << j;
        });
    EXPECT_EQ(visited, columns.count());
}

TEST(Columns, ThreadsShareTheStrips) {
    for (const int threads : {1, 2, 3, 7, 64}) {
        Columns columns;
        columns.sort({threads}, cloud(300), k_width);
        const std::size_t n = columns.strips().size();
        std::vector<std::atomic<int>> visits(n), of_color(n);
        columns.for_each_strip({threads}, [&](std::uint32_t s) { ++visits[s]; });
        for (const int color : {0, 1})
            columns.for_each_of_color({threads}, color, [&](std::uint32_t s) {
                const std::vector<std::uint32_t>& mine = columns.of_color(color);
                EXPECT_TRUE(std::binary_search(mine.begin(), mine.end(), s));
                ++of_color[s];
            });
        for (std::size_t s = 0; s < n; ++s) {
            EXPECT_EQ(visits[s], 1) << threads << " threads";
            EXPECT_EQ(of_color[s], 1) << threads << " threads";
        }
    }
}

TEST(Columns, APartOfAColumnIsFoundByHeight) {
    const Columns columns = sorted(cloud(400));
    for (const Columns::Strip& strip : columns.strips())
        for (std::uint32_t c = strip.columns_begin; c < strip.columns_end; ++c) {
            const Columns::Run whole = columns.between(c, -3e38f, 3e38f);
            const Columns::Run run = columns.between(c, -1.0f, 0.5f);
            for (std::uint32_t i = whole.begin; i < whole.end; ++i)
                EXPECT_EQ(i >= run.begin && i < run.end,
                          columns.y()[i] >= -1.0f && columns.y()[i] <= 0.5f);
        }
}

TEST(Columns, StripsOfAColorShareNoNeighbors) {
    const Columns columns = sorted(cloud(800));
    for (int color = 0; color < 2; ++color) {
        std::vector<int> owner(columns.count(), -1);
        for (const std::uint32_t s : columns.of_color(color))
            columns.for_each_in(columns.strips()[s], [&](std::uint32_t, const Columns::Run* runs) {
                for (int k = 0; k < 3; ++k)
                    for (std::uint32_t j = runs[k].begin; j < runs[k].end; ++j) {
                        EXPECT_TRUE(owner[j] < 0 || owner[j] == static_cast<int>(s));
                        owner[j] = static_cast<int>(s);
                    }
            });
    }
}

TEST(Columns, TheOrderDoesNotDependOnThreads) {
    const std::vector<Vec2> points = cloud(2000);
    EXPECT_EQ(sorted(points, 1).order(), sorted(points, 7).order());
}

/// The order of the last time is only a start: what comes out depends on the points alone.
TEST(Columns, TheOrderDoesNotDependOnTheLastOne) {
    Columns used;
    std::vector<Vec2> points = cloud(3000);
    used.sort({1}, points, k_width);
    std::mt19937 random(3);
    std::uniform_real_distribution<float> shift(-0.01f, 0.01f);
    for (Vec2& x : points)
        x = x + Vec2{shift(random), shift(random)};
    used.sort({1}, points, k_width);  // nearly sorted
    EXPECT_EQ(used.order(), sorted(points).order());
    std::shuffle(points.begin(), points.end(), random);
    used.sort({2}, points, k_width);  // not sorted at all
    EXPECT_EQ(used.order(), sorted(points).order());
    points.resize(100);
    used.sort({1}, points, k_width);  // fewer
    EXPECT_EQ(used.order(), sorted(points).order());
    for (std::size_t k = 0; k < points.size(); ++k)  // one column, from the top
        points[k] = {0.1f, -static_cast<float>(k)};
    used.sort({1}, points, k_width);
    EXPECT_EQ(used.order().front(), 99u);
    EXPECT_EQ(used.order(), sorted(points).order());
}

}  // namespace
}  // namespace millrace
