#pragma once

#include <gtest/gtest.h>

#include <random>

#include "io/atomic_file.hpp"
#include "millrace/error.hpp"
#include "support/temporary_folder.hpp"

namespace millrace::test {

/// The text of the InputError that `read` throws, or "no error"; another exception is a failure.
template <class Read>
std::string input_error(const Read& read) {
    try {
        read();
    } catch (const InputError& e) {
        return e.what();
    } catch (const std::exception& e) {
        ADD_FAILURE() << "not an InputError: " << e.what();
    }
    return "no error";
}

/// Cuts the file off at many lengths and puts wrong bytes into it, mostly near its start: `read`
/// must refuse every part, and name the file, and may never do worse than that.
template <class Read>
void expect_damage_is_noticed(const TemporaryFolder& folder, const std::string& name,
                              const Read& read) {
    const std::string whole = read_file(folder / name);
    const std::string damaged_name = "damaged_" + name;
    const auto outcome = [&](const std::string& bytes) {
        std::filesystem::remove(folder / damaged_name);  // many times faster than to replace it
        write_file(folder / damaged_name, bytes);
        return input_error([&] { read(folder / damaged_name); });
    };
    std::mt19937 random(1);
    for (std::size_t size = 0; size + 1 < whole.size();  // XML is whole without its last line end
         size += size < 250 ? 1 : 1 + random() % 97) {
        const std::string error = outcome(whole.substr(0, size));
        ASSERT_TRUE(error.starts_with((folder / damaged_name).string() + ": ")) << size << error;
        ASSERT_LT(error.size(), 400u);
    }
    int errors = 0;
    for (int round = 0; round < 1000; ++round) {
        std::string damaged = whole;
        const std::size_t range =
            round % 3 ? std::min<std::size_t>(whole.size(), 300) : whole.size();
        for (int k = 0; k < 1 + round % 4; ++k)
            damaged[random() % range] = static_cast<char>(random());
        errors += outcome(damaged) != "no error";
    }
    EXPECT_GT(errors, 250) << name;  // most bytes are numbers, and any number will do
    EXPECT_NE(outcome("hello"), "no error");
    EXPECT_NE(input_error([&] { read(folder / ("none_" + name)); }).find("No such file"),
              std::string::npos);
}

}  // namespace millrace::test
