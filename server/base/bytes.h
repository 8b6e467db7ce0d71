// Bytes of a format: written, read back, and hashed. Numbers are little-endian, unless it
// is said.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tesela::base {

/// A file that is part of the program: an element of the table that cmake/embed.cmake writes.
struct EmbeddedFile {
  const char* path;
  const char* begin;
  const char* end;
};

/// FNV-1a, 64 bits (server/store/FORMAT.md). It detects errors, not attacks: a change of one byte
/// always changes it.
/// Source: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
class Fnv {
 public:
  constexpr void byte(std::uint8_t value) { hash_ = (hash_ ^ value) * 0x100000001b3; }
  /// Eight bytes.
  constexpr void u64(std::uint64_t value) {
    for (int i = 0; i < 8; ++i, value >>= 8U) byte(static_cast<std::uint8_t>(value));
  }
  constexpr void text(std::string_view bytes) {
    for (const char one : bytes) byte(static_cast<std::uint8_t>(one));
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// The hash of `bytes`.
[[nodiscard]] constexpr std::uint64_t fnv_of(std::string_view bytes) {
  Fnv hash;
  hash.text(bytes);
  return hash.value();
}

/// A number as protocols have it: the most significant byte first.
template <std::unsigned_integral T>
[[nodiscard]] std::string big_endian(T number) {
  std::string bytes(sizeof number, '\0');
  for (auto at = bytes.rbegin(); at != bytes.rend(); ++at, number >>= 8U) {
    *at = static_cast<char>(number & 0xffU);
  }
  return bytes;
}

/// The number of at most eight such bytes.
[[nodiscard]] constexpr std::uint64_t from_big_endian(const auto& bytes) {
  std::uint64_t number = 0;
  for (const auto one : bytes) number = number << 8U | static_cast<std::uint8_t>(one);
  return number;
}

/// Collects bytes.
class ByteWriter {
 public:
  void byte(std::uint8_t value) { bytes_ += static_cast<char>(value); }
  void u32(std::uint32_t value) { number(value, 4); }
  void u64(std::uint64_t value) { number(value, 8); }
  void i64(std::int64_t value) { u64(static_cast<std::uint64_t>(value)); }
  /// The bytes alone, without their number.
  void text(std::string_view bytes) { bytes_ += bytes; }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  void number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i, value >>= 8U) byte(static_cast<std::uint8_t>(value));
  }

  std::string bytes_;
};

/// Reads what ByteWriter has written. After the end it reads zeros, and `whole` is false.
class ByteReader {
 public:
  /// `bytes` must outlive it.
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }
  [[nodiscard]] std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  [[nodiscard]] std::uint64_t u64() { return number(8); }
  [[nodiscard]] std::int64_t i64() { return static_cast<std::int64_t>(u64()); }
  [[nodiscard]] std::string_view text(std::size_t size) {
    if (size > rest_.size()) {
      short_ = true;
      size = rest_.size();
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  /// Whether everything was read, and nothing beyond the end.
  [[nodiscard]] bool whole() const { return !short_ && rest_.empty(); }

 private:
  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    int shift = 0;
    for (const char one : text(size)) {
      value |= std::uint64_t{static_cast<std::uint8_t>(one)} << shift;
      shift += 8;
    }
    return value;
  }

  std::string_view rest_;
  bool short_ = false;
};

}  // namespace tesela::base
