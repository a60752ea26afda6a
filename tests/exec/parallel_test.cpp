#include "exec/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace millrace {
namespace {

using Index = std::uint32_t;

struct Square {
    const float* in;
    float* out;
    void operator()(Index i) const { out[i] = in[i] * in[i]; }
};
struct Value {
    const float* in;
    double operator()(Index i) const { return std::sqrt(i + 0.1) * in[i]; }  // no short fractions
};
struct Sum {
    double operator()(double a, double b) const { return a + b; }
};

std::vector<float> random_floats(std::size_t n) {
    std::mt19937 random(3);
    std::vector<float> values(n);
    for (float& v : values)
        v = static_cast<float>(random()) * 0x1p-32f - 0.5f;
    return values;
}

std::vector<Index> random_keys(std::size_t n, Index key_count) {
    std::mt19937 random(5);
    std::vector<Index> keys(n);
    for (Index& key : keys)
        key = random() % key_count;
    return keys;
}

class Parallel : public testing::TestWithParam<std::size_t> {};

TEST_P(Parallel, ForEachVisitsEveryElementOnce) {
    const std::size_t n = GetParam();
    for (const int threads : {1, 2, 7}) {
        const Device device = Device::cpu(threads);
        Buffer<float> in(device), out(device, n);
        const std::vector<float> values = random_floats(n);
        in.assign(values);
        for_each(device, n, Square{in.data(), out.data()});
        const std::vector<float> result = out.to_host();
        for (std::size_t i = 0; i < n; ++i)
            ASSERT_EQ(result[i], values[i] * values[i]);
    }
}

// A sum of such numbers has other bits in another order: equality here means a fixed order.
TEST_P(Parallel, ReduceHasTheSameBitsForAnyNumberOfThreads) {
    const std::size_t n = GetParam();
    const std::vector<float> values = random_floats(n);
    std::vector<double> sums;
    for (const int threads : {1, 2, 7}) {
        const Device device = Device::cpu(threads);
        Buffer<float> in(device);
        in.assign(values);
        sums.push_back(reduce(device, n, 0.0, Value{in.data()}, Sum{}));
    }
    EXPECT_EQ(sums[0], sums[1]);
    EXPECT_EQ(sums[0], sums[2]);
    double plain = 0;
    for (std::size_t i = 0; i < n; ++i)
        plain += std::sqrt(static_cast<double>(i) + 0.1) * values[i];
    EXPECT_NEAR(sums[0], plain, 1e-7);
}

TEST_P(Parallel, ScanIsTheSumOfAllBefore) {
    const std::size_t n = GetParam();
    for (const int threads : {1, 2, 7}) {
        const Device device = Device::cpu(threads);
        Buffer<Index> in(device), out(device);
        const std::vector<Index> values = random_keys(n, 9);
        in.assign(values);
        exclusive_scan(device, in, n, out);
        const std::vector<Index> result = out.to_host();
        ASSERT_EQ(result.size(), n + 1);
        Index sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_EQ(result[i], sum);
            sum += values[i];
        }
        EXPECT_EQ(result[n], sum);
    }
}

TEST_P(Parallel, CountingSortIsStable) {
    const std::size_t n = GetParam();
    for (const Index key_count : {1u, 3u, 511u, 512u, 513u, 200'000u}) {
        const std::vector<Index> keys = random_keys(n, key_count);
        std::vector<Index> expected(n);
        std::iota(expected.begin(), expected.end(), 0u);
        std::stable_sort(expected.begin(), expected.end(),
                         [&](Index a, Index b) { return keys[a] < keys[b]; });
        for (const int threads : {1, 2, 7}) {
            const Device device = Device::cpu(threads);
            Buffer<Index> key_buffer(device), start(device), order(device);
            key_buffer.assign(keys);
            counting_sort(device, key_buffer, n, key_count, start, order);
            EXPECT_EQ(order.to_host(), expected);
            const std::vector<Index> starts = start.to_host();
            ASSERT_EQ(starts.size(), key_count + 1);
            for (Index k = 0; k <= key_count; ++k)
                ASSERT_EQ(starts[k],
                          std::lower_bound(expected.begin(), expected.end(), k,
                                           [&](Index i, Index key) { return keys[i] < key; }) -
                              expected.begin());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Parallel, testing::Values(0, 1, 5, 1023, 1024, 50'001));

}  // namespace
}  // namespace millrace
