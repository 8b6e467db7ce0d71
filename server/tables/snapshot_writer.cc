#include "server/tables/snapshot_writer.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "server/base/store_limits.h"
#include "server/games/games.h"
#include "server/replay/replay.h"

namespace tesela::tables {

std::uint64_t snapshot_interval(std::string_view game, std::uint64_t events) {
  const auto entry = games::find_game(game);
  if (!entry || events == 0) return events;
  return std::max<std::uint64_t>(std::bit_floor(events / (*entry)->event_cost), 1);
}

void SnapshotWriter::moved() {
  if (interval_ != 0 && position_.version.value % interval_ == 0) write();
}

void SnapshotWriter::unloaded() {
  if (interval_ == 0 || !position_.match) return;
  if (position_.row.state == store::TableState::kOver) {
    std::uint64_t apart = interval_ * limits::kFinishedSnapshotIntervals;
    while (position_.version.value / apart > limits::kFinishedSnapshotsMax) apart *= 2;
    if (last_ != Version{}) snapshots_.thin_out(position_.row.id, apart);
    return;
  }
  if (position_.version.value - last_.value >= limits::kSnapshotAtUnloadMin) write();
}

void SnapshotWriter::write() {
  auto row = replay::snapshot_of(*position_.match,
                                 {.version = position_.version,
                                  .at_ms = position_.at_ms,
                                  .match = {},
                                  .clock = position_.clock.logged(),
                                  .shares = position_.shares,
                                  .moves_alone = position_.moves_alone},
                                 position_.recent_moves, last_);
  last_ = position_.version;
  if (row.position.size() + row.marks.size() > limits::kSnapshotBytesMax) return;
  snapshots_.write(position_.row.id, std::move(row));
}

}  // namespace tesela::tables
