// The parts of SQLite's write-ahead log, as https://www.sqlite.org/fileformat2.html (section 4)
// has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tesela::store {

inline constexpr std::size_t kLogHeaderBytes = 32;
inline constexpr std::size_t kFrameHeaderBytes = 24;
/// Where a sum stands that was stated: of the header, and of a frame.
inline constexpr std::size_t kHeaderSumAt = 24;
inline constexpr std::size_t kFrameSumAt = 16;

/// The sum over the header and all frames up to one. It is linear: of two sums over the same
/// number of bytes the difference depends on the difference of the bytes alone.
struct LogSum {
  std::uint32_t first{};
  std::uint32_t second{};

  friend bool operator==(const LogSum&, const LogSum&) = default;
};

/// As the words of what is summed are stored; all else is big-endian.
enum class WordOrder : std::uint8_t { kLittleEndian, kBigEndian };

/// The number at `at`, big-endian.
[[nodiscard]] std::uint32_t word_at(std::string_view bytes, std::size_t at);
/// The sum that is stated at `at`.
[[nodiscard]] LogSum sum_at(std::string_view bytes, std::size_t at);
/// The sum after `bytes`, of a size that 8 divides.
[[nodiscard]] LogSum sum_of(LogSum before, std::string_view bytes, WordOrder order);
/// The sum after a frame: the first 8 bytes of its header, and its page.
[[nodiscard]] LogSum sum_of_frame(LogSum before, std::string_view frame, WordOrder order);

/// The one bit of `bytes` that has to be turned to get `stated` in place of `found`, the sum over
/// them; counted from 0, the lowest of each byte first. Nothing: no single one does.
[[nodiscard]] std::optional<std::size_t> turned_bit(std::string_view bytes, LogSum found,
                                                    LogSum stated, WordOrder order);

/// The header of a log.
struct LogHeader {
  WordOrder order{};
  std::size_t page_bytes{};
  std::uint64_t salts{};  // those of its frames
  LogSum sum{};

  /// Of the first kLogHeaderBytes of a log. Nothing: SQLite would not use this log.
  [[nodiscard]] static std::optional<LogHeader> read(std::string_view bytes);
};

/// The salts at `at`, of a header (16) or a frame (8).
[[nodiscard]] std::uint64_t salts_at(std::string_view bytes, std::size_t at);

}  // namespace tesela::store
