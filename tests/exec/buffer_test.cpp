#include "exec/vector_buffer.hpp"

#include <gtest/gtest.h>

#include "support/dimensions.hpp"

namespace millrace {
namespace {

TEST(Buffer, KeepsItsElementsWhenItGrows) {
    Buffer<int> buffer(Device::cpu(1));
    buffer.assign(std::vector<int>{1, 2, 3});
    buffer.resize(1000);
    const std::vector<int> host = buffer.to_host();
    EXPECT_EQ(host[0], 1);
    EXPECT_EQ(host[2], 3);
    EXPECT_EQ(host[999], 0);
}

TEST(Buffer, HoldsReadablePaddingBehindTheLastElement) {
    Buffer<float> buffer(Device::cpu(1), 3);
    const Pack pack = load_pack(buffer.data() + 2);  // the sanitizers watch this
    EXPECT_EQ(pack.v[0], 0.0f);
    EXPECT_EQ(pack.v[k_lanes - 1], 0.0f);
}

TEST(Buffer, MovesLeaveNothingBehind) {
    Buffer<int> a(Device::cpu(1));
    a.assign(std::vector<int>{4, 5});
    Buffer<int> b = std::move(a);
    EXPECT_EQ(b.to_host(), (std::vector<int>{4, 5}));
    EXPECT_EQ(a.size(), 0u);
}

template <class T>
class VectorBufferTest : public testing::Test {};
TYPED_TEST_SUITE(VectorBufferTest, Dimensions);

TYPED_TEST(VectorBufferTest, RoundTripAndPacks) {
    constexpr int D = TypeParam::value;
    std::vector<Vec<D>> host(21);
    for (std::size_t i = 0; i < host.size(); ++i)
        for (int k = 0; k < D; ++k)
            host[i][k] = static_cast<float>(100 * k) + static_cast<float>(i);
    VectorBuffer<D> buffer(Device::cpu(1));
    buffer.assign(host);
    EXPECT_EQ(buffer.to_host(), host);
    EXPECT_EQ(buffer.view().get(20), host[20]);
    const Vec<D, Lanes> lanes = buffer.view().lanes(LaneIndex{7});
    for (int lane = 0; lane < k_lanes; ++lane)
        EXPECT_EQ(lanes[D - 1].v[lane], host[7 + lane][D - 1]);
}

TEST(Pack, FunctionsAgreeWithScalars) {
    Pack a;
    for (int k = 0; k < k_lanes; ++k)
        a.v[k] = 0.01f + 1.7f * static_cast<float>(k * k);
    const Pack inverse_root = rsqrt(a), root = sqrt(a);
    const Pack chosen = select(a < Pack(5.0f), Pack(1.0f), Pack(-1.0f));
    float sum = 0;
    for (int k = 0; k < k_lanes; ++k) {
        EXPECT_NEAR(inverse_root.v[k] * std::sqrt(a.v[k]), 1, 3e-7);
        EXPECT_FLOAT_EQ(root.v[k], std::sqrt(a.v[k]));
        EXPECT_EQ(chosen.v[k], a.v[k] < 5 ? 1 : -1);
        EXPECT_EQ(max(a, Pack(3.0f)).v[k], std::max(a.v[k], 3.0f));
        EXPECT_EQ(min(a, Pack(3.0f)).v[k], std::min(a.v[k], 3.0f));
        sum += a.v[k];
    }
    EXPECT_NEAR(sum_lanes(a), sum, 1e-4);
    EXPECT_EQ(lane_bits(first_lanes(3)), 7u);
    EXPECT_EQ(lane_bits(first_lanes(20)), (1u << k_lanes) - 1);
    EXPECT_EQ(lane_bits(first_lanes(0)), 0u);
}

}  // namespace
}  // namespace millrace
