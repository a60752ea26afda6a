#include "fuzz/mutations.hpp"

#include <algorithm>
#include <cstring>

namespace millrace::fuzz {
namespace {

constexpr const char* k_numbers[] = {"0",
                                     "-0",
                                     "1",
                                     "-1",
                                     "2",
                                     "3",
                                     "5",
                                     "255",
                                     "256",
                                     "65535",
                                     "65536",
                                     "1e-9",
                                     "1e-30",
                                     "1e9",
                                     "1e15",
                                     "1e16",
                                     "1e39",
                                     "1e300",
                                     "1e-300",
                                     "-1e9",
                                     "0.5",
                                     "100",
                                     "1000",
                                     "1e400",
                                     "nan",
                                     "inf",
                                     "2147483647",
                                     "2147483648",
                                     "4294967295",
                                     "-2147483649",
                                     "9223372036854775807",
                                     "18446744073709551616",
                                     "null",
                                     "true",
                                     "[]",
                                     "{}",
                                     "\"\"",
                                     "\"a\""};
constexpr std::uint32_t k_words[] = {0,     1,       2,          3,          4,          0x7f,
                                     0xff,  0xffff,  0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000,
                                     0x100, 0x10000, 0x7fc00000, 0xfffffffe};

std::size_t below(std::size_t n, Random& random) {
    return n == 0 ? 0 : random() % n;
}

template <std::size_t N, class T>
const T& one_of(const T (&list)[N], Random& random) {
    return list[below(N, random)];
}

bool is_text(const std::string& bytes) {
    return bytes.substr(0, 4096).find('\0') == std::string::npos;
}

struct Span {
    std::size_t begin = 0, size = 0;
};

/// A part of up to `most` bytes.
Span any_part(const std::string& bytes, std::size_t most, Random& random) {
    const std::size_t begin = below(bytes.size(), random);
    return {begin, std::min(bytes.size() - begin, 1 + below(most, random))};
}

/// The first number at or after some place; empty where there is none.
Span any_number(const std::string& bytes, Random& random) {
    const std::size_t begin = bytes.find_first_of("-0123456789", below(bytes.size(), random));
    if (begin == std::string::npos)
        return {};
    const std::size_t end = bytes.find_first_not_of("+-.0123456789eE", begin);
    return {begin, std::min(end, bytes.size()) - begin};
}

/// The first text in quotes at or after some place; empty where there is none.
Span any_quoted(const std::string& bytes, Random& random) {
    const std::size_t begin = bytes.find('"', below(bytes.size(), random));
    const std::size_t end = begin == std::string::npos ? begin : bytes.find('"', begin + 1);
    return end == std::string::npos ? Span{} : Span{begin, end + 1 - begin};
}

Span any_line(const std::string& bytes, Random& random) {
    const std::size_t at = below(bytes.size(), random);
    const std::size_t before = at == 0 ? std::string::npos : bytes.rfind('\n', at - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size() - 1);
    return {begin, end + 1 - begin};
}

void replace(std::string& bytes, const Span& part, const std::string& with) {
    bytes.replace(part.begin, part.size, with);
}

std::string cut(const std::string& bytes, const Span& part) {
    return bytes.substr(part.begin, part.size);
}

void change_text(std::string& bytes, const std::string& other, Random& random) {
    switch (below(6, random)) {
        case 0:
        case 1:
            if (const Span number = any_number(bytes, random); number.size > 0)
                replace(bytes, number, one_of(k_numbers, random));
            break;
        case 2:
            if (const Span quoted = any_quoted(bytes, random); quoted.size > 0)
                replace(bytes, quoted, cut(other, any_quoted(other, random)));
            break;
        case 3:  // a line twice, elsewhere
            bytes.insert(any_line(bytes, random).begin, cut(bytes, any_line(bytes, random)));
            break;
        case 4:
            replace(bytes, any_line(bytes, random), "");
            break;
        default:
            replace(bytes, any_line(bytes, random), cut(other, any_line(other, random)));
    }
}

void change_bytes(std::string& bytes, const std::string& other, Random& random) {
    const std::size_t at = below(bytes.size(), random);
    switch (below(8, random)) {
        case 0:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8, random)));
            break;
        case 1:
            bytes[at] = static_cast<char>(random());
            break;
        case 2:
            replace(bytes, any_part(bytes, 40, random), "");
            break;
        case 3:
            bytes.insert(at, cut(bytes, any_part(bytes, 80, random)));
            break;
        case 4:
            bytes.resize(at);
            break;
        case 5:
            bytes = bytes.substr(0, at) + other.substr(below(other.size(), random));
            break;
        default: {  // a count or an index, in either order of bytes
            std::uint32_t word = one_of(k_words, random);
            word = below(3, random) == 0 ? __builtin_bswap32(word) : word;
            std::memcpy(bytes.data() + at, &word, std::min(sizeof word, bytes.size() - at));
        }
    }
}

}  // namespace

std::string mutated(const std::string& bytes, const std::vector<std::string>& others,
                    Random& random) {
    std::string changed = bytes;
    const bool text = is_text(bytes);
    const std::size_t changes = 1 + below(4, random);
    for (std::size_t i = 0; i < changes && !changed.empty(); ++i) {
        const std::string& other = others[below(others.size(), random)];
        if (text && below(4, random) > 0)
            change_text(changed, other, random);
        else
            change_bytes(changed, other, random);
    }
    return changed;
}

}  // namespace millrace::fuzz
