#include "server/replay/recent_moves.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "engine/core/game.h"
#include "server/base/bytes.h"
#include "server/base/limits.h"

namespace tesela::replay {
namespace {

constexpr Version kFirst{2};
// Hashes that are compared in a loop without an early exit, which the compiler vectorises: each new
// move is compared with all moves of the game.
constexpr std::size_t kAtOnce = 64;

/// Never 0, and the same in every build: snapshots store it (FORMAT.md). The seat has its own bits,
/// so that a player cannot choose ids that collide with another player's.
std::uint32_t mark_of(Seat seat, std::string_view move_id) {
  static_assert(kSeatsMax <= 4);
  constexpr unsigned kHashBits = 29;
  const std::uint64_t hash = base::fnv_of(move_id);
  const std::uint64_t folded = (hash ^ hash >> 32U) & ((std::uint64_t{1} << kHashBits) - 1);
  return static_cast<std::uint32_t>(folded) << 3U | static_cast<std::uint32_t>(seat.value) << 1U |
         1U;
}

bool contains(std::span<const std::uint32_t> marks, std::uint32_t mark) {
  std::uint32_t same = 0;
  for (const std::uint32_t other : marks) same |= static_cast<std::uint32_t>(other == mark);
  return same != 0;
}

}  // namespace

void RecentMoves::add(Version version, Seat seat, std::string_view move_id) {
  marks_.resize(version.value - kFirst.value);
  marks_.push_back(mark_of(seat, move_id));
}

std::vector<std::uint32_t> RecentMoves::marks(Version first, Version last) const {
  std::vector<std::uint32_t> marks(last < first ? 0 : last.value - first.value + 1);
  const std::size_t begin = first.value - kFirst.value;
  for (std::size_t i = 0; i < marks.size() && begin + i < marks_.size(); ++i) {
    marks[i] = marks_[begin + i];
  }
  return marks;
}

void RecentMoves::add_marks(Version first, std::span<const std::uint32_t> marks) {
  marks_.resize(first.value - kFirst.value);
  marks_.insert(marks_.end(), marks.begin(), marks.end());
}

std::vector<Version> RecentMoves::find(Seat seat, std::string_view move_id) const {
  const std::uint32_t mark = mark_of(seat, move_id);
  std::vector<Version> found;
  for (std::size_t end = marks_.size(); end > 0;) {
    const std::size_t begin = end - std::min(end, kAtOnce);
    if (contains(std::span(marks_).subspan(begin, end - begin), mark)) {
      for (std::size_t i = end; i-- > begin;) {
        if (marks_[i] == mark) found.push_back(Version{kFirst.value + i});
        if (found.size() > limits::kMoveLookupsMax) return found;
      }
    }
    end = begin;
  }
  return found;
}

}  // namespace tesela::replay
