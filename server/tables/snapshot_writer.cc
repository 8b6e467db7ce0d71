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

std::uint64_t finished_snapshot_interval(std::uint64_t interval, Version last) {
  if (interval == 0) return 0;
  std::uint64_t apart = interval * limits::kFinishedSnapshotIntervals;
  while (last.value / apart > limits::kFinishedSnapshotsMax) apart *= 2;
  return apart;
}

void SnapshotWriter::moved() {
  if (interval_ != 0 && position_.version.value % interval_ == 0) write();
}

void SnapshotWriter::unloaded() {
  if (interval_ == 0 || !position_.match) return;
  const auto state = position_.row.state;
  if (state == store::TableState::kOver || state == store::TableState::kClosed) {
    if (last_ == Version{}) return;
    snapshots_.thin_out(position_.row.id, finished_snapshot_interval(interval_, position_.version));
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
