#include "exec/read_back.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

template <int D>
void expect_flat(std::size_t n, int components) {
    std::vector<Vec<D>> vectors(n);
    for (std::size_t i = 0; i < n; ++i)
        for (int k = 0; k < D; ++k)
            vectors[i][k] = static_cast<float>(10 * i + k);
    for (const int threads : {1, 3}) {
        const Device device = Device::cpu(threads);
        VectorBuffer<D> buffer(device);
        buffer.assign(vectors);
        const std::vector<float> flat = read_flat(device, buffer, n, components);
        ASSERT_EQ(flat.size(), n * components);
        for (std::size_t i = 0; i < n; ++i)
            for (int k = 0; k < components; ++k)
                ASSERT_EQ(flat[i * components + k], k < D ? vectors[i][k] : 0);
    }
}

TEST(ReadBack, VectorsAreFlatWithZerosBehindThem) {
    for (const std::size_t n : {0, 1, 700, 5000}) {
        expect_flat<2>(n, 2);
        expect_flat<2>(n, 3);
        expect_flat<3>(n, 3);
        expect_flat<1>(n, 1);
    }
}

struct Squares {
    std::uint32_t* out;
    MILLRACE_HD void operator()(std::uint32_t i) const { out[i] = i * i; }
};

TEST(ReadBack, AnythingThatAPassMakes) {
    const auto squares = read_back<std::uint32_t>(Device::cpu(2), 1000, 1,
                                                  [](std::uint32_t* out) { return Squares{out}; });
    ASSERT_EQ(squares.size(), 1000u);
    for (std::uint32_t i = 0; i < 1000; ++i)
        ASSERT_EQ(squares[i], i * i);
}

}  // namespace
}  // namespace millrace
