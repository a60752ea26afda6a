#pragma once

#include <string_view>

#include "millrace/error.hpp"

namespace millrace {

/// Takes numbers from the front of a file, the most significant byte first.
class BigEndianCursor {
  public:
    explicit BigEndianCursor(std::string_view bytes) : rest_(bytes) {}

    std::string_view take(std::size_t size) {
        if (size > rest_.size())
            throw InputError("is incomplete");
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }
    /// An unsigned number of so many bytes.
    std::size_t number(int bytes) {
        std::size_t value = 0;
        for (const char byte : take(static_cast<std::size_t>(bytes)))
            value = value << 8 | static_cast<unsigned char>(byte);
        return value;
    }
    std::size_t left() const { return rest_.size(); }

  private:
    std::string_view rest_;
};

}  // namespace millrace
