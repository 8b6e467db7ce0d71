// A table's position as bytes beside its log (server/store/FORMAT.md, "Snapshots").
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/games/clock.h"
#include "server/games/match.h"
#include "server/replay/recent_moves.h"

namespace tesela::replay {

/// A position with what follows from the events up to it. Times are Unix time in milliseconds.
struct Snapshot {
  Version version;
  std::int64_t at_ms{};    // of the event of that version
  std::uint64_t digest{};  // of the position, as in that event's record
  std::string match{};     // Match::save
  games::Clock::Logged clock{};
  MoveShares shares{};
  std::uint64_t moves_alone{};  // by strategies in a row, at the end
};

/// The hashes of the moves of consecutive versions (RecentMoves::marks).
struct SnapshotMarks {
  Version first;
  std::vector<std::uint32_t> marks;

  /// The last version.
  [[nodiscard]] Version last() const { return Version{first.value + marks.size() - 1}; }
};

[[nodiscard]] std::string encode(const Snapshot& snapshot);
[[nodiscard]] std::string encode_marks(Version first, std::span<const std::uint32_t> marks);

/// Errors: kCorrupt for changed bytes, kUnavailable for another format.
[[nodiscard]] Expected<Snapshot> decode_snapshot(std::string_view bytes);
[[nodiscard]] Expected<SnapshotMarks> decode_marks(std::string_view bytes);

}  // namespace tesela::replay
