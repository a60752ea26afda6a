#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// Appends the base64 form of `bytes` (RFC 4648, with padding) to `text`.
void append_base64(std::string& text, std::span<const std::byte> bytes);

/// Writes the base64 form of `bytes` to `text`, which has base64_length(bytes.size()) characters.
void encode_base64(char* text, std::span<const std::byte> bytes);

/// The number of characters that `bytes` bytes take, padding included.
constexpr std::size_t base64_length(std::size_t bytes) {
    return (bytes + 2) / 3 * 4;
}

/// The bytes of one padded base64 text without white space; nothing if it is not such a text.
std::optional<std::vector<std::byte>> decode_base64(std::string_view text);

}  // namespace millrace
