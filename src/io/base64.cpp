#include "io/base64.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace millrace {
namespace {

constexpr std::string_view k_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

struct CharPair {
    char first, second;
};

/// The two characters for every 12 bits: half the look-ups of a table of 64.
constexpr std::array<CharPair, 4096> make_pairs() {
    std::array<CharPair, 4096> pairs{};
    for (std::size_t bits = 0; bits < pairs.size(); ++bits)
        pairs[bits] = {k_alphabet[bits >> 6], k_alphabet[bits & 63]};
    return pairs;
}

constexpr std::uint8_t k_invalid = 255;

constexpr std::array<std::uint8_t, 256> make_values() {
    std::array<std::uint8_t, 256> values{};
    values.fill(k_invalid);
    for (std::uint8_t v = 0; v < 64; ++v)
        values[static_cast<unsigned char>(k_alphabet[v])] = v;
    return values;
}

constexpr auto k_pairs = make_pairs();
constexpr auto k_values = make_values();

}  // namespace

void append_base64(std::string& text, std::span<const std::byte> bytes) {
    const std::size_t start = text.size();
    text.resize(start + base64_length(bytes.size()));
    encode_base64(text.data() + start, bytes);
}

void encode_base64(char* out, std::span<const std::byte> bytes) {
    const auto* in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const std::size_t triples = bytes.size() / 3;
    for (std::size_t i = 0; i < triples; ++i, in += 3, out += 4) {
        const std::uint32_t bits = std::uint32_t{in[0]} << 16 | std::uint32_t{in[1]} << 8 | in[2];
        std::memcpy(out, &k_pairs[bits >> 12], 2);
        std::memcpy(out + 2, &k_pairs[bits & 4095], 2);
    }
    const std::size_t rest = bytes.size() % 3;
    if (rest == 0)
        return;
    const std::uint32_t bits =
        std::uint32_t{in[0]} << 16 | (rest == 2 ? std::uint32_t{in[1]} << 8 : 0);
    std::memcpy(out, &k_pairs[bits >> 12], 2);
    out[2] = rest == 2 ? k_pairs[bits & 4095].first : '=';
    out[3] = '=';
}

std::optional<std::vector<std::byte>> decode_base64(std::string_view text) {
    if (text.size() % 4 != 0)
        return std::nullopt;
    if (text.empty())
        return std::vector<std::byte>{};
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    std::vector<std::byte> bytes(text.size() / 4 * 3);
    auto* out = reinterpret_cast<std::uint8_t*>(bytes.data());
    std::uint8_t seen = 0;  // bit 7 is set as soon as one character is invalid
    for (std::size_t i = 0; i < text.size(); i += 4, out += 3) {
        std::uint8_t v[4];
        for (std::size_t k = 0; k < 4; ++k) {
            const bool is_padding = i + k >= text.size() - padding;
            v[k] = is_padding ? 0 : k_values[static_cast<unsigned char>(text[i + k])];
            seen |= v[k];
        }
        out[0] = static_cast<std::uint8_t>(v[0] << 2 | v[1] >> 4);
        out[1] = static_cast<std::uint8_t>(v[1] << 4 | v[2] >> 2);
        out[2] = static_cast<std::uint8_t>(v[2] << 6 | v[3]);
    }
    if (seen & 128)
        return std::nullopt;
    bytes.resize(bytes.size() - padding);
    return bytes;
}

}  // namespace millrace
