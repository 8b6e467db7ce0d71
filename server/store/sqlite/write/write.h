// A write that waits for the writer, and its reply.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/archive/packed_log.h"
#include "server/store/event_log.h"
#include "server/store/ownership.h"
#include "server/store/removals.h"
#include "server/store/snapshots.h"
#include "server/store/store.h"
#include "server/store/suspend.h"

namespace tesela::store {

struct AddPlayer {
  PlayerRow player;
};

struct AddTable {
  TableRow table;
  std::optional<std::string> first_record;
  GameOutcome outcome;  // of a game that is over before its first move
};

struct ChangeTable {
  TableRow table;
  std::optional<std::string> first_record;
  GameOutcome outcome;  // of a game that is over before its first move
};

struct Claim {
  TableId table;
  std::shared_ptr<Owned> owned;  // set by the writer before the reply
};

struct MakeTables {
  std::vector<MatchedTable> tables;
};

struct WriteSnapshot {
  TableId table;
  SnapshotRow row;
};

struct ThinOutSnapshots {
  TableId table;
  std::uint64_t versions{};  // between those that stay
};

struct SeePlayer {
  PlayerId player;
  std::int64_t at_ms{};
};

struct ErasePlayer {
  PlayerId player;
  std::int64_t at_ms{};
  std::vector<TableId> tables;
};

struct RemoveData {
  Removal removal;
  std::shared_ptr<Removed> done;  // set by the writer before the reply
};

struct ArchiveLog {
  TableId table;
  std::optional<archive::PackedLog> packed;  // empty: the log stays as it is
  std::uint64_t snapshots_apart{};           // as in GameArchives::archive
};

struct DropPacked {
  TableId table;
};

/// Events are compacted soon, however few there are.
struct HurryCompaction {};

/// One write and the call that waits for it.
struct Write {
  using Request = std::variant<Append, AddPlayer, AddTable, ChangeTable, Claim, MakeTables,
                               WriteSnapshot, ThinOutSnapshots, SeePlayer, ErasePlayer, RemoveData,
                               ArchiveLog, DropPacked, HurryCompaction>;

  Request request;
  base::Continuation caller{};
  Resume<void> resume{};      // empty: nobody waits
  Expected<Epoch> outcome{};  // the table's epoch after the write; 0 without a table
};

/// Resumes the call of every write with its outcome, on the call's executor, in the order of the
/// batch. Posts once to each executor, however many calls of the batch it has. Moves `resume` and
/// `outcome` out of the writes.
void reply(std::span<Write> batch);

}  // namespace tesela::store
