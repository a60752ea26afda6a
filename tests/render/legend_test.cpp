#include "render/legend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "io/atomic_file.hpp"
#include "render/color_map.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using Labels = std::vector<std::string>;

const Font k_smooth;
const Font k_builtin{std::vector<std::filesystem::path>{}};

int brightest(const Image& image) {
    int most = 0;
    for (const int v : image.rgb)
        most = std::max(most, v);
    return most;
}

TEST(Ticks, AreRoundNumbersInsideTheRange) {
    EXPECT_EQ(make_ticks({0, 4}).labels,
              (Labels{"0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0"}));
    EXPECT_EQ(make_ticks({0, 10000}).labels,
              (Labels{"0", "2000", "4000", "6000", "8000", "10000"}));
    EXPECT_EQ(make_ticks({990.3, 1002}).labels,
              (Labels{"992", "994", "996", "998", "1000", "1002"}));
    EXPECT_EQ(make_ticks({-1, 1}).labels,
              (Labels{"-1.00", "-0.75", "-0.50", "-0.25", "0.00", "0.25", "0.50", "0.75", "1.00"}));
    EXPECT_EQ(make_ticks({0, 5e9}).labels.back(), "5e+09");
}

TEST(Ticks, SurviveStrangeRanges) {
    EXPECT_TRUE(make_ticks({1, 1}).values.empty());
    EXPECT_TRUE(make_ticks({0, INFINITY}).values.empty());
    EXPECT_TRUE(make_ticks({NAN, 1}).values.empty());
    EXPECT_LE(make_ticks({1e9, std::nextafter(1e9, 2e9)}).values.size(), 101u);
    EXPECT_LE(make_ticks({-1e300, 1e300}).values.size(), 20u);
}

TEST(Ticks, RoundedRangeHasMarksAtItsEnds) {
    const Range range = rounded({0.013, 1.55});
    EXPECT_DOUBLE_EQ(range.min, 0);
    EXPECT_DOUBLE_EQ(range.max, 1.6);
    EXPECT_EQ(make_ticks(range).labels.back(), "1.6");
}

TEST(Legend, NamesUnitsOfKnownFields) {
    EXPECT_EQ(field_title("velocity"), "velocity [m/s]");
    EXPECT_EQ(field_title("density"), "density [kg/m³]");
    EXPECT_EQ(field_title("id"), "id");
}

TEST(Legend, ShowsTheColoursFromTheBottomToTheTop) {
    Image image(1280, 720);
    draw_legend(image, {"velocity [m/s]", {0, 4}, "t = 1.50 s", "tank"}, Font());
    // the bar is 220 pixels high and ends 38 above the lower edge; find it by its lowest colour
    const auto is_color = [&](int x, int y, const Color& c) {
        const std::uint8_t* p = image.pixel(x, y);
        return std::abs(p[0] - 255 * c.r) < 3 && std::abs(p[1] - 255 * c.g) < 3 &&
               std::abs(p[2] - 255 * c.b) < 3;
    };
    int x = 640;
    while (x < 1280 && !is_color(x, 681, water_color(0)))
        ++x;
    ASSERT_LT(x, 1260);
    EXPECT_TRUE(is_color(x + 5, 572, water_color(0.5)));
    EXPECT_TRUE(is_color(x + 5, 463, water_color(1)));
    EXPECT_GT(image.pixel(x + 5, 463)[0], 200);
}

TEST(Legend, FitsPicturesOfAnySize) {
    for (const auto& [width, height] : {std::pair{64, 64}, {300, 2000}, {2000, 100}}) {
        Image image(width, height);
        draw_legend(image, {"density [kg/m³]", {990, 1010}, "t = 0.00 s", "x"}, Font());
        EXPECT_GT(brightest(image), 100);
    }
}

TEST(Font, DrawsOnTheBaselineAndInsideTheWidth) {
    for (const Font* each : {&k_smooth, &k_builtin}) {
        const Font& font = *each;
        Image image(200, 60);
        const double width = font.width("H", 40);
        font.draw(image, 50, 45, "H", 40, {1, 1, 1});
        int left = 200, right = 0, low = 0;
        for (int y = 0; y < 60; ++y)
            for (int x = 0; x < 200; ++x)
                if (image.pixel(x, y)[0] > 100) {
                    left = std::min(left, x);
                    right = std::max(right, x);
                    low = std::max(low, y);
                }
        EXPECT_GE(left, 50);
        EXPECT_LE(right, 50 + width + 1);
        EXPECT_NEAR(low, 44, 2);
    }
}

TEST(Font, FallsBackWithoutAFontFile) {
    const test::TemporaryFolder folder;
    write_file(folder / "broken.ttf", std::string(5000, 'x'));
    const Font font(std::vector{folder / "none.ttf", folder / "broken.ttf"});
    EXPECT_TRUE(font.is_builtin());
    Image image(400, 50);
    font.draw(image, 10, 40, "density [kg/m³], 10 °C", 30, {1, 1, 1});
    EXPECT_EQ(brightest(image), 255);
    EXPECT_GT(font.width("m³", 20), font.width("m", 20));
}

TEST(Font, TakesAnyBytes) {
    Image image(100, 50);
    for (const char* text : {"", "\xff\xfe", "\xe2\x82", "a\xc3"})
        for (const Font* font : {&k_smooth, &k_builtin})
            font->draw(image, -20, 20, text, 30, {1, 1, 1});
}

}  // namespace
}  // namespace millrace
