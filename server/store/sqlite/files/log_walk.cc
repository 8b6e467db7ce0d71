#include "server/store/sqlite/files/log_walk.h"

#include <array>
#include <bit>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/store/sqlite/files/checked_files.h"
#include "server/store/sqlite/files/log_frames.h"

namespace tesela::store {
namespace {

constexpr std::size_t kFrameSaltsAt = 8;
constexpr std::size_t kCommitAt = 4;  // the pages of the database after the commit; else 0

void turn(std::string& bytes, std::size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
}

int different_bits(LogSum one, LogSum other) {
  return std::popcount(one.first ^ other.first) + std::popcount(one.second ^ other.second);
}

/// The header that this one was before one bit of it changed: of several that fit the sum, the one
/// of these frames.
std::optional<LogHeader> repaired(std::string bytes, std::uint64_t salts_of_frames) {
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    turn(bytes, bit);
    const auto header = LogHeader::read(bytes);
    if (header && header->salts == salts_of_frames) return header;
    turn(bytes, bit);
  }
  return std::nullopt;
}

/// How a frame was found.
enum class Found : std::uint8_t {
  kSound,
  kTurned,   // but for one bit
  kBroken,   // of this log, by its salts
  kForeign,  // of an earlier log, or none
};

/// One walk. The frames are given in their order.
class LogWalk {
 public:
  /// `before`: the sum that the first frame continues; nothing: unknown. The header is sound, was
  /// broken by one bit that `header` has as it was, or (`before` is unknown) cannot be known.
  LogWalk(LogHeader header, bool header_is_sound, std::optional<LogSum> before)
      : header_(header), before_(before), stated_before_(header.sum) {
    if (!header_is_sound) break_at(0, before.has_value());
  }

  void take(std::string frame);
  [[nodiscard]] WalkedLog end() const;
  [[nodiscard]] std::size_t frame_bytes() const { return kFrameHeaderBytes + header_.page_bytes; }

 private:
  Found look_at(std::string& frame);
  std::optional<LogSum> repair(std::string& frame, LogSum sum) const;
  void break_at(std::uint64_t number, bool by_one_bit);
  void count(bool ends_commit, bool is_verified);
  void end_commit();

  LogHeader header_;
  std::optional<LogSum> before_;         // of all frames so far
  std::optional<LogSum> stated_before_;  // by the frame before
  std::uint64_t number_ = 0;
  std::uint64_t used_frames_ = 0;
  bool is_broken_ = false;
  bool by_single_bits_ = true;       // all that is broken so far
  bool may_end_commit_ = false;      // the frame before, which is broken
  std::uint64_t frames_behind_ = 0;  // of this log, the first broken one included
  WalkedLog result_;
};

void LogWalk::break_at(std::uint64_t number, bool by_one_bit) {
  if (!is_broken_) result_.broken = number;
  is_broken_ = true;
  by_single_bits_ = by_single_bits_ && by_one_bit;
}

/// Turns the one bit back by which the frame differs from one with this sum before it; `sum` is
/// that over the frame as it is. The sum that it had.
std::optional<LogSum> LogWalk::repair(std::string& frame, LogSum sum) const {
  const LogSum stated = sum_at(frame, kFrameSumAt);
  if (different_bits(sum, stated) == 1) return sum;
  const std::string summed = frame.substr(0, kFrameSaltsAt) + frame.substr(kFrameHeaderBytes);
  const auto bit = turned_bit(summed, sum, stated, header_.order);
  if (!bit) return std::nullopt;
  const std::size_t left_out = (kFrameHeaderBytes - kFrameSaltsAt) * 8;
  turn(frame, *bit < kFrameSaltsAt * 8 ? *bit : *bit + left_out);
  return stated;
}

/// Leaves in `frame` what it was, where that can be known.
Found LogWalk::look_at(std::string& frame) {
  const LogSum stated = sum_at(frame, kFrameSumAt);
  const int other_salts = std::popcount(salts_at(frame, kFrameSaltsAt) ^ header_.salts);
  // As the frame before states, too: what that one sums may be broken.
  const std::array<std::optional<LogSum>, 2> befores{std::exchange(before_, std::nullopt),
                                                     std::exchange(stated_before_, std::nullopt)};
  if (other_salts > 1) return Found::kForeign;
  std::array<LogSum, 2> sums{};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!befores[i]) continue;
    sums[i] = sum_of_frame(*befores[i], frame, header_.order);
    if (sums[i] != stated) continue;
    before_ = stated_before_ = stated;
    return other_salts == 0 ? Found::kSound : Found::kTurned;
  }
  if (other_salts != 0) return Found::kForeign;
  stated_before_ = stated;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (befores[i]) before_ = repair(frame, sums[i]);
    if (before_) return Found::kTurned;
  }
  return Found::kBroken;
}

void LogWalk::end_commit() {
  result_.lost_commits += 1;
  result_.lost_frames = frames_behind_;
}

/// Counts a frame that SQLite would ignore.
void LogWalk::count(bool ends_commit, bool is_verified) {
  // That the frame before states the right sum shows that its header is right.
  if (is_verified && may_end_commit_) end_commit();
  if (is_verified && result_.lost_commits > 0) result_.damaged = true;
  may_end_commit_ = !is_verified && ends_commit;
  frames_behind_ += 1;
  if (!is_verified || !ends_commit) return;
  end_commit();
  if (by_single_bits_) result_.damaged = true;
}

void LogWalk::take(std::string frame) {
  number_ += 1;
  const Found found = look_at(frame);
  if (found != Found::kSound) break_at(number_, found == Found::kTurned);
  if (found == Found::kForeign) {
    may_end_commit_ = false;
    return;
  }
  const bool ends_commit = word_at(frame, kCommitAt) != 0;
  if (!is_broken_) {
    if (ends_commit) used_frames_ = number_;
    return;
  }
  result_.has_rest = true;
  count(ends_commit, found != Found::kBroken);
}

WalkedLog LogWalk::end() const {
  WalkedLog result = result_;
  const bool is_usable = !is_broken_ || result.broken > 0;
  result.used_bytes = is_usable ? kLogHeaderBytes + used_frames_ * frame_bytes() : 0;
  result.has_rest = is_usable && result.has_rest;
  return result;
}

/// Reads `bytes` bytes; nothing: there are not that many.
std::optional<std::string> next(std::ifstream& file, std::size_t bytes) {
  std::string read(bytes, '\0');
  if (!file.read(read.data(), static_cast<std::streamsize>(bytes))) return std::nullopt;
  return read;
}

/// A walk over a log with such a header, whose first frame is in `file`.
LogWalk walk_behind(const std::string& bytes, std::ifstream& file) {
  if (const auto sound = LogHeader::read(bytes)) return {*sound, true, sound->sum};
  const auto frame = next(file, kFrameHeaderBytes);
  file.clear();
  file.seekg(kLogHeaderBytes);
  std::uint64_t salts = frame ? salts_at(*frame, kFrameSaltsAt) : 0;
  if (const auto was = repaired(bytes, salts)) return {*was, false, was->sum};
  if (salts == 0) salts = ~salts;  // nothing was written there
  // What the header was cannot be known: its frames are told by the first one.
  const LogHeader unknown{.order = WordOrder::kLittleEndian,
                          .page_bytes = kPageBytes,
                          .salts = salts,
                          .sum = sum_at(bytes, kHeaderSumAt)};
  return {unknown, false, std::nullopt};
}

}  // namespace

Expected<WalkedLog> walk_log(const std::filesystem::path& log) {
  std::error_code none;
  if (std::filesystem::file_size(log, none) < kLogHeaderBytes || none) return WalkedLog{};
  std::ifstream file(log, std::ios::binary);
  const auto header = next(file, kLogHeaderBytes);
  if (!header) {
    return refuse(ErrorCode::kUnavailable, "The log " + log.string() + " cannot be read.");
  }
  LogWalk walk = walk_behind(*header, file);
  while (auto frame = next(file, walk.frame_bytes())) walk.take(std::move(*frame));
  return walk.end();
}

}  // namespace tesela::store
