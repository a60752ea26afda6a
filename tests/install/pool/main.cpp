// A block of fluid that falls for a second: it is still there, and lower.
#include <cstdio>
#include <millrace/pool.hpp>

int main() {
    millrace::PoolOptions options;
    options.spacing = 0.1f;
    auto pool = millrace::Pool::create(options);
    if (!pool || !pool->add_fluid({}) || !pool->fill(millrace::Shape2::box({0, 5}, {2, 6})))
        return 1;
    for (int k = 0; k < 60; ++k)
        if (!pool->step(1.0f / 60))
            return 1;
    for (const millrace::Point2& place : pool->positions())
        if (!(place.y < 5))
            return 1;
    std::printf("pool: %zu particles\n", pool->size());
    return 0;
}
