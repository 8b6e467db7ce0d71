// Reads protobuf messages that are encoded as usual, without allocating anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tesela::base {

/// The fields of a message are asked for in ascending order of their numbers, below 16. A message
/// that holds something else (a field twice or in another order, an unknown one, a length of more
/// than three bytes, a number of ten) is not `done` at the end: then protobuf's own parser has to
/// read it, which also says what is wrong. What this reader accepts, that one reads as the same.
class WireReader {
 public:
  /// Views `bytes`, as do the fields that are returned.
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  /// The next field, of type string, bytes or a message; empty, without effect, if the next field
  /// is another one.
  [[nodiscard]] std::optional<std::string_view> bytes(std::uint32_t field) {
    std::string_view rest = rest_;
    if (!is_next(rest, field << 3U | kLength)) return std::nullopt;
    const auto size = varint(rest, kLengthBytesMax);
    if (!size || *size > rest.size()) return std::nullopt;
    rest_ = rest.substr(static_cast<std::size_t>(*size));
    return rest.substr(0, static_cast<std::size_t>(*size));
  }
  /// The same for a number of type uint64.
  [[nodiscard]] std::optional<std::uint64_t> number(std::uint32_t field) {
    std::string_view rest = rest_;
    if (!is_next(rest, field << 3U | kVarint)) return std::nullopt;
    const auto value = varint(rest, kNumberBytesMax);
    if (value) rest_ = rest;
    return value;
  }
  /// Whether the message is at its end.
  [[nodiscard]] bool done() const { return rest_.empty(); }

 private:
  static constexpr std::uint32_t kVarint = 0;
  static constexpr std::uint32_t kLength = 2;
  static constexpr std::size_t kLengthBytesMax = 3;
  static constexpr std::size_t kNumberBytesMax = 9;  // a tenth could overflow

  static bool is_next(std::string_view& rest, std::uint32_t tag) {
    if (rest.empty() || static_cast<unsigned char>(rest.front()) != tag) return false;
    rest.remove_prefix(1);
    return true;
  }

  static std::optional<std::uint64_t> varint(std::string_view& rest, std::size_t bytes_max) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes_max && i < rest.size(); ++i) {
      const auto byte = static_cast<unsigned char>(rest[i]);
      value |= std::uint64_t{byte & 0x7fU} << (7 * i);
      if (byte < 0x80) {
        rest.remove_prefix(i + 1);
        return value;
      }
    }
    return std::nullopt;
  }

  std::string_view rest_;
};

}  // namespace tesela::base
