#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "scene/scene_json.hpp"
#include "scene/text.hpp"

namespace millrace::scene_file {

namespace {

/// Far deeper than any scene; a file of nothing but brackets takes 200 times its size as memory.
constexpr std::size_t k_deepest = 200;

/// Takes the parser's events; unlike the library's own builder it refuses a key given twice.
class Builder final : public nlohmann::json_sax<Json> {
  public:
    explicit Builder(Json& root) : root_(root) {}

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        key_ = name;
        if (open_.back()->contains(name)) {
            problem = ParseProblem::duplicate_key;
            message = join_path(path(), name) + ": duplicate key";
            return false;
        }
        return true;
    }

    bool parse_error(std::size_t at, const std::string& token,
                     const nlohmann::detail::exception& error) override {
        constexpr int k_number_overflow = 406;
        position = at;
        if (error.id == k_number_overflow) {
            problem = ParseProblem::not_finite;
            message = "the number " + in_quotes(token) + " is too large, it must be finite";
        } else {
            problem = ParseProblem::syntax;
            message = error.what();
        }
        return false;
    }

    ParseProblem problem = ParseProblem::none;
    std::string message;
    std::size_t position = 0;  ///< characters read up to a problem in the text

  private:
    Json* put(Json value) {
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        Json& parent = *open_.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        return &(parent[key_] = std::move(value));
    }

    bool add(Json value) {
        put(std::move(value));
        return true;
    }

    bool open(Json value) {
        if (open_.size() == k_deepest) {
            problem = ParseProblem::too_deep;
            message = "lists and objects lie within each other, more than " +
                      std::to_string(k_deepest) + " deep";
            return false;
        }
        names_.push_back(key_);
        open_.push_back(put(std::move(value)));
        return true;
    }

    bool close() {
        open_.pop_back();
        names_.pop_back();
        return true;
    }

    /// Where the innermost open object is.
    std::string path() const {
        std::string text;
        for (std::size_t i = 1; i < open_.size(); ++i) {
            const Json& parent = *open_[i - 1];
            if (parent.is_array()) {
                text += "[" + std::to_string(parent.size() - 1) + "]";
            } else {
                text += (text.empty() ? "" : ".") + names_[i];
            }
        }
        return text;
    }

    Json& root_;
    std::string key_;
    std::vector<Json*> open_;         ///< the open objects and arrays, innermost last
    std::vector<std::string> names_;  ///< their keys
};

/// "line 3, column 14"; both count from 1.
std::string place_in_text(std::string_view text, std::size_t index) {
    const std::string_view before = text.substr(0, index);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::string_view row = before.substr(before.rfind('\n') + 1);
    const auto column =
        1 + std::count_if(row.begin(), row.end(), [](char c) { return (c & 0xc0) != 0x80; });
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// The word around a character: letters only.
std::string word_at(std::string_view text, std::size_t index) {
    const auto is_letter = [&](std::size_t i) {
        return i < text.size() && std::isalpha(static_cast<unsigned char>(text[i]));
    };
    std::size_t begin = index;
    while (begin > 0 && is_letter(begin - 1)) {
        --begin;
    }
    std::size_t end = index;
    while (is_letter(end)) {
        ++end;
    }
    return std::string(text.substr(begin, end - begin));
}

/// The parser's message without its own place and without the text it read last.
std::string syntax_message(std::string message, const std::string& word) {
    std::string lower = word;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower == "nan" || lower == "inf" || lower == "infinity") {
        return "syntax error: " + in_quotes(word) + " is not a number in JSON";
    }
    const std::size_t last_read = message.find("; last read: '");
    if (last_read != std::string::npos) {
        const std::size_t rest = message.rfind("'; expected ");
        message = message.substr(0, last_read) +
                  (rest == std::string::npos ? "" : message.substr(rest + 1));
    }
    const std::string_view k_what = "syntax error while parsing ";
    const std::size_t what = message.find(k_what);
    const std::size_t reason = message.find(" - ", what);
    if (what == std::string::npos || reason == std::string::npos) {
        return "syntax error";
    }
    const std::size_t part = what + k_what.size();
    return "syntax error in " + message.substr(part, reason - part) + ": " +
           message.substr(reason + 3);
}

}  // namespace

ParseProblem parse_json(std::string_view text, Json& value, std::string& message) {
    Builder builder(value);
    Json::sax_parse(text.begin(), text.end(), &builder, Json::input_format_t::json, true, true);
    if (builder.problem != ParseProblem::syntax && builder.problem != ParseProblem::not_finite) {
        message = builder.message;
        return builder.problem;
    }
    const std::size_t index = std::min(builder.position, text.size() + 1) - 1;
    if (builder.problem == ParseProblem::syntax) {
        builder.message = syntax_message(builder.message, word_at(text, index));
    }
    message = place_in_text(text, index) + ": " + builder.message;
    return builder.problem;
}

}  // namespace millrace::scene_file
