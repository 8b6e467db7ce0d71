#include "server/check/game_check.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <variant>

#include "server/codec/record.h"
#include "server/codec/table_options.h"
#include "server/replay/replay.h"
#include "server/replay/snapshot.h"

namespace tesela::check {
namespace {

using boost::asio::awaitable;
using store::TableState;

constexpr Version kNewest{std::numeric_limits<std::int64_t>::max()};

std::string of_snapshot(Version version, const std::string& what) {
  return "the snapshot of version " + std::to_string(version.value) + " is damaged: " + what;
}

/// Executes the log. Errors: those of replay::replay, and kCorrupt where the row says otherwise.
awaitable<Expected<void>> execute(replay::Source source, const store::TableRow& row) {
  const auto options = codec::decode_table_options(row.options);
  if (!options) co_return std::unexpected(options.error());
  replay::Start beginning;  // named: GCC 12 destroys a temporary twice in an awaited call
  const auto game =
      co_await replay::replay(source, row.id, std::move(beginning), {.table = *options});
  if (!game) {
    // That is no damage.
    if (game.error().code == ErrorCode::kRulesChanged) co_return Expected<void>{};
    co_return std::unexpected(game.error());
  }
  const auto result = game->match->final_result();
  if (row.state != TableState::kOver || game->rules_changed) co_return Expected<void>{};
  if (!result) {
    co_return refuse(ErrorCode::kCorrupt, "The table is over, and its game is not.");
  }
  if (!row.ending || row.ending->result != result->result) {
    co_return refuse(ErrorCode::kCorrupt, "The table's result is not that of its moves.");
  }
  co_return Expected<void>{};
}

/// Compares a snapshot with the log. Errors of the snapshot.
awaitable<Expected<void>> restore(replay::Source source, TableId table,
                                  const store::SnapshotRow& row) {
  const auto first = co_await replay::read_record(source.log, table, Version{1});
  if (!first) co_return std::unexpected(first.error());
  const auto* created = std::get_if<codec::Created>(&first->event);
  if (created == nullptr) {
    co_return refuse(ErrorCode::kCorrupt, "the log does not begin with the game.");
  }
  const auto record = co_await replay::read_record(source.log, table, row.version);
  if (!record) co_return std::unexpected(record.error());
  const auto start = replay::restore(row, *record, *created);
  // One of another version's format is no damage, and is not used.
  if (!start && start.error().code == ErrorCode::kCorrupt) {
    co_return std::unexpected(start.error());
  }
  co_return Expected<void>{};
}

/// Adds what is damaged of the snapshots.
awaitable<Expected<void>> check_snapshots(replay::Source source, TableId table,
                                          std::vector<std::string>& found) {
  for (Version until = kNewest; until > Version{};) {
    const auto row = co_await source.snapshots.newest_snapshot(table, until);
    if (!row) co_return std::unexpected(row.error());
    if (!*row) break;
    const auto true_one = co_await restore(source, table, **row);
    if (!true_one && true_one.error().code == ErrorCode::kUnavailable) co_return true_one;
    if (!true_one) found.push_back(of_snapshot((*row)->version, true_one.error().message));
    until = Version{(*row)->version.value - 1};
  }
  const auto rows = co_await source.snapshots.snapshot_marks(table, kNewest);
  if (!rows) co_return std::unexpected(rows.error());
  for (const store::SnapshotRow& row : *rows) {
    const auto marks = replay::decode_marks(row.marks);
    if (!marks) found.push_back(of_snapshot(row.version, marks.error().message));
  }
  co_return Expected<void>{};
}

}  // namespace

awaitable<Expected<std::vector<std::string>>> damage_of_game(replay::Source source,
                                                             const store::TableRow& row) {
  std::vector<std::string> found;
  const auto last = co_await source.log.last(row.id);
  auto done = last ? Expected<void>{} : std::unexpected(last.error());
  const bool must_begin = row.state == TableState::kInPlay || row.state == TableState::kOver;
  if (last && (must_begin || *last)) done = co_await execute(source, row);
  if (!done && done.error().code == ErrorCode::kUnavailable) {
    co_return std::unexpected(done.error());
  }
  if (!done) found.push_back(done.error().message);
  const auto checked = co_await check_snapshots(source, row.id, found);
  if (!checked) {
    if (checked.error().code == ErrorCode::kUnavailable) co_return std::unexpected(checked.error());
    found.push_back("the snapshots cannot be read: " + checked.error().message);
  }
  co_return found;
}

}  // namespace tesela::check
