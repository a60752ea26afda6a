#include "io/base64.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

std::string encoded(std::string_view text) {
    std::string result;
    append_base64(result, std::as_bytes(std::span(text)));
    return result;
}

std::string decoded(std::string_view text) {
    const auto bytes = decode_base64(text);
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())
                 : "invalid";
}

// The test vectors of RFC 4648, section 10.
TEST(Base64, AgreesWithTheStandard) {
    const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                           {"f", "Zg=="},
                                                           {"fo", "Zm8="},
                                                           {"foo", "Zm9v"},
                                                           {"foob", "Zm9vYg=="},
                                                           {"fooba", "Zm9vYmE="},
                                                           {"foobar", "Zm9vYmFy"}};
    for (const auto& [plain, text] : vectors) {
        EXPECT_EQ(encoded(plain), text);
        EXPECT_EQ(decoded(text), plain);
    }
}

TEST(Base64, RoundTripOfAllBytes) {
    std::string bytes;
    for (int i = 0; i < 256 * 3 + 1; ++i)
        bytes += static_cast<char>(i * 7);
    EXPECT_EQ(encoded(bytes).size(), base64_length(bytes.size()));
    EXPECT_EQ(decoded(encoded(bytes)), bytes);
}

TEST(Base64, RefusesOtherText) {
    for (const char* text : {"Zg=", "Z", "Zm9v\n", "Zm!v", "=AAA", "Zg==Zg==", "===="})
        EXPECT_EQ(decoded(text), "invalid") << text;
}

}  // namespace
}  // namespace millrace
