#include "surface/cube_cases.hpp"

#include <utility>
#include <vector>

namespace millrace {

namespace {

int edge_between(int one, int other) {
    for (int e = 0; e < 12; ++e)
        if ((cube_edge(e).from == one && cube_edge(e).to == other) ||
            (cube_edge(e).from == other && cube_edge(e).to == one))
            return e;
    return -1;
}

// Bit 2 a + side is set for the two faces that an edge lies on.
int faces_of(int edge) {
    const int b = (edge / 4 + 1) % 3, c = (edge / 4 + 2) % 3;
    return 1 << (2 * b + (edge & 1)) | 1 << (2 * c + (edge >> 1 & 1));
}

// Between the middles of two edges, in half cells, squared.
int distance2(int one, int other) {
    int sum = 0;
    for (int k = 0; k < 3; ++k) {
        const auto twice = [k](int e) {
            return (cube_edge(e).from >> k & 1) + (cube_edge(e).to >> k & 1);
        };
        sum += (twice(one) - twice(other)) * (twice(one) - twice(other));
    }
    return sum;
}

// Fills a loop with triangles of the shortest inner edges that may be.
class LoopFill {
  public:
    explicit LoopFill(const std::vector<int>& loop) : loop_(loop) {
        const int n = static_cast<int>(loop.size());
        cost_.assign(n, std::vector<int>(n, 0));
        split_ = cost_;
        for (int width = 2; width < n; ++width)
            for (int i = 0; i + width < n; ++i) {
                int& best = cost_[i][i + width] = k_never;
                for (int m = i + 1; m < i + width; ++m) {
                    const int cost = side(i, m) + side(m, i + width);
                    if (cost < best) {
                        best = cost;
                        split_[i][i + width] = m;
                    }
                }
            }
    }

    template <class Emit>
    void emit(int i, int j, const Emit& triangle) const {
        if (j - i < 2)
            return;
        const int m = split_[i][j];
        triangle(loop_[i], loop_[m], loop_[j]);
        emit(i, m, triangle);
        emit(m, j, triangle);
    }

  private:
    static constexpr int k_never = 1 << 20;

    // what lies beyond an edge of a triangle, with the edge itself
    int side(int i, int j) const {
        if (j - i < 2)
            return 0;
        const bool in_face = (faces_of(loop_[i]) & faces_of(loop_[j])) != 0;
        return in_face ? k_never : cost_[i][j] + distance2(loop_[i], loop_[j]);
    }

    const std::vector<int>& loop_;
    std::vector<std::vector<int>> cost_, split_;
};

}  // namespace

CubeCases::CubeCases() : triangles{}, edges{} {
    for (int inside = 0; inside < 256; ++inside) {
        int next[12];
        for (int& n : next)
            n = -1;
        for (int face = 0; face < 6; ++face) {
            const int a = face / 2, b = (a + 1) % 3, c = (a + 2) % 3, base = (face & 1) << a;
            // counter-clockwise as seen from outside of the cell
            int corner[4] = {base, base | 1 << b, base | 1 << b | 1 << c, base | 1 << c};
            if (face % 2 == 0)
                std::swap(corner[1], corner[3]);
            const auto is_in = [&](int k) { return (inside >> corner[k % 4] & 1) != 0; };
            const auto edge = [&](int k) {
                return edge_between(corner[k % 4], corner[(k + 1) % 4]);
            };
            for (int k = 0; k < 4; ++k)
                if (!is_in(k) && is_in(k + 1)) {
                    int leave = k + 1;
                    while (is_in(leave + 1))
                        ++leave;
                    next[edge(k)] = edge(leave);
                }
        }
        for (int e = 0; e < 12; ++e) {
            std::vector<int> loop;
            for (int at = e; next[at] >= 0;) {
                loop.push_back(at);
                at = std::exchange(next[at], -1);
            }
            if (loop.empty())
                continue;
            LoopFill(loop).emit(0, static_cast<int>(loop.size()) - 1, [&](int i, int j, int k) {
                std::uint8_t* to = &edges[inside][3 * triangles[inside]++];
                to[0] = static_cast<std::uint8_t>(i);
                to[1] = static_cast<std::uint8_t>(j);
                to[2] = static_cast<std::uint8_t>(k);
            });
        }
    }
}

const CubeCases& CubeCases::get() {
    static const CubeCases cases;
    return cases;
}

}  // namespace millrace
