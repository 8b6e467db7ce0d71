// Writes protobuf messages straight from values, as protobuf's own serialisation writes them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

namespace tesela::base {

/// A message is written from its end: the fields in descending order of their numbers, the elements
/// of a repeated field from the last to the first. So the length of a nested message is known when
/// it is written, and no byte is moved. Field numbers are below 2^28. Reused, it does not allocate.
class WireWriter {
 public:
  /// How much was written when a nested message began.
  using Mark = std::size_t;

  /// Forgets what was written.
  void clear() { begin_ = bytes_.size(); }
  /// Valid until the next call.
  [[nodiscard]] std::string_view written() const { return {bytes_.data() + begin_, size()}; }
  [[nodiscard]] std::string take() const { return std::string(written()); }

  /// A field of type uint32, uint64, bool or an enum; negative int64 and enums are cast. Left out
  /// when it is 0, as fields without presence are.
  void number(std::uint32_t field, std::uint64_t value) {
    if (value != 0) present_number(field, value);
  }
  /// The same for a field with presence.
  void present_number(std::uint32_t field, std::uint64_t value) {
    if (is_short(field, value)) return put(field << 3U | kVarint, value);
    varint(value);
    tag(field, kVarint);
  }
  /// A field of type sint32 or sint64, left out when it is 0.
  void signed_number(std::uint32_t field, std::int64_t value) {
    const auto doubled = static_cast<std::uint64_t>(value) << 1U;
    number(field, value < 0 ? ~doubled : doubled);
  }
  /// A field of type fixed64, left out when it is 0.
  void fixed64(std::uint32_t field, std::uint64_t value) {
    if (value == 0) return;
    char* to = room(sizeof value);
    for (std::size_t i = 0; i < sizeof value; ++i) to[i] = static_cast<char>(value >> (8 * i));
    tag(field, kFixed64);
  }
  /// A field of type string, bytes, or a message that is encoded. Left out when it is empty.
  void bytes(std::uint32_t field, std::string_view value) {
    if (!value.empty()) present_bytes(field, value);
  }
  /// The same for a field with presence.
  void present_bytes(std::uint32_t field, std::string_view value) {
    value.copy(room(value.size()), value.size());
    length(field, value.size());
  }
  /// A nested message whose fields 1, 2, 3 … have these values, below 128; those that are 0 are
  /// left out. `field` is below 16.
  template <std::size_t kFields>
  void small_message(std::uint32_t field, const std::array<std::uint8_t, kFields>& values) {
    static_assert(kFields < kFieldShort);
    std::size_t bytes = 0;
    for (const std::uint8_t value : values) bytes += value != 0 ? 2 : 0;
    char* to = room(2 + bytes);
    *to++ = static_cast<char>(field << 3U | kLength);
    *to++ = static_cast<char>(bytes);
    for (std::size_t i = 0; i < kFields; ++i) {
      if (values[i] == 0) continue;
      *to++ = static_cast<char>((i + 1) << 3U | kVarint);
      *to++ = static_cast<char>(values[i]);
    }
  }
  /// Fields that are encoded already.
  void fields(std::string_view encoded) { encoded.copy(room(encoded.size()), encoded.size()); }
  /// A packed field of numbers below 2^63; left out when it is empty.
  template <std::ranges::bidirectional_range Values>
    requires std::ranges::sized_range<Values>
  void packed(std::uint32_t field, const Values& values) {
    if (std::ranges::empty(values)) return;
    const Mark end = mark();
    char* to = room(std::ranges::size(values));
    std::uint64_t together = 0;
    for (const auto value : values) {
      together |= static_cast<std::uint64_t>(value);
      *to++ = static_cast<char>(value);
    }
    if (together >= kMore) {  // not all of them have one byte
      begin_ += std::ranges::size(values);
      for (const auto value : std::views::reverse(values)) {
        varint(static_cast<std::uint64_t>(value));
      }
    }
    message(field, end);
  }

  /// Begins a nested message: what is written from here on is in it.
  [[nodiscard]] Mark mark() const { return size(); }
  /// Ends the nested message that began at `end`, which may be empty.
  void message(std::uint32_t field, Mark end) { length(field, size() - end); }

 private:
  static constexpr std::uint32_t kVarint = 0;
  static constexpr std::uint32_t kFixed64 = 1;
  static constexpr std::uint32_t kLength = 2;
  static constexpr std::size_t kCapacityFirst = 4096;
  static constexpr std::uint64_t kMore = 0x80;      // a further byte of the varint follows
  static constexpr std::uint32_t kFieldShort = 16;  // the first whose tag has two bytes

  [[nodiscard]] std::size_t size() const { return bytes_.size() - begin_; }

  /// Room for `count` bytes before those that are written.
  char* room(std::size_t count) {
    if (begin_ < count) grow(count);
    begin_ -= count;
    return bytes_.data() + begin_;
  }

  void grow(std::size_t count) {
    std::size_t capacity = std::max(kCapacityFirst, 2 * bytes_.size());
    while (capacity < size() + count) capacity *= 2;
    std::string larger(capacity, '\0');
    const std::size_t begin = capacity - size();
    written().copy(larger.data() + begin, size());
    bytes_ = std::move(larger);
    begin_ = begin;
  }

  void varint(std::uint64_t value) {
    if (value < kMore) {
      *room(1) = static_cast<char>(value);
      return;
    }
    char* to = room((static_cast<std::size_t>(std::bit_width(value)) + 6) / 7);
    for (; value >= kMore; value >>= 7U) *to++ = static_cast<char>(value | kMore);
    *to = static_cast<char>(value);
  }

  void tag(std::uint32_t field, std::uint32_t type) { varint(field << 3U | type); }

  /// Whether a tag and a number have one byte each, as most do.
  static bool is_short(std::uint32_t field, std::uint64_t value) {
    return field < kFieldShort && value < kMore;
  }
  void put(std::uint32_t tag, std::uint64_t value) {
    char* to = room(2);
    to[0] = static_cast<char>(tag);
    to[1] = static_cast<char>(value);
  }

  void length(std::uint32_t field, std::size_t count) {
    if (is_short(field, count)) return put(field << 3U | kLength, count);
    varint(count);
    tag(field, kLength);
  }

  std::string bytes_;
  std::size_t begin_ = 0;  // of what is written, up to the end
};

}  // namespace tesela::base
