// What fuzz targets make their values of, and how they say that one is wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

namespace tesela::fuzz {

/// Ends the program where it does not hold: libFuzzer writes the input to a file.
inline void require(bool holds) {
  if (!holds) std::abort();
}

/// Hands out the bytes of an input one by one; zeros when they are used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : left_{data, size} {}

  [[nodiscard]] bool empty() const { return left_.empty(); }

  std::uint8_t next() {
    if (left_.empty()) return 0;
    const std::uint8_t byte = left_.front();
    left_ = left_.subspan(1);
    return byte;
  }

  /// So many bytes, or fewer when no more are left.
  std::string_view text(std::size_t size) {
    const auto text = left_.first(std::min(size, left_.size()));
    left_ = left_.subspan(text.size());
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }

  /// All the bytes that are left.
  std::string_view rest() { return text(left_.size()); }

 private:
  std::span<const std::uint8_t> left_;
};

}  // namespace tesela::fuzz
