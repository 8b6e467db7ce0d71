#include "server/directory/silent_table.h"

#include <utility>

#include "server/codec/record.h"
#include "server/codec/table_options.h"
#include "server/replay/replay.h"
#include "server/replay/start_game.h"
#include "server/tables/core/seat_command.h"

namespace tesela::directory {
namespace {

using boost::asio::awaitable;
using store::TableState;

bool goes_on(const store::TableRow& row) {
  return row.state == TableState::kOpen || row.state == TableState::kInPlay;
}

awaitable<Expected<replay::Replayed>> play_again(replay::Source source,
                                                 const store::TableRow& row) {
  const auto options = codec::decode_table_options(row.options);
  if (!options) co_return std::unexpected(options.error());
  replay::Start beginning;
  co_return co_await replay::replay(source, row.id, std::move(beginning), {.table = *options});
}

/// Whether the game was over before its first move, which earlier versions did not store: then it
/// gets its ending instead of being closed.
awaitable<Expected<bool>> end_where_stored(replay::Source source, store::TableRows& table_rows,
                                           store::TableRow& row) {
  const auto last = co_await source.log.last(row.id);
  if (!last) co_return std::unexpected(last.error());
  if (!*last || (*last)->version != Version{1}) co_return false;
  const auto game = co_await play_again(source, row);
  if (!game) co_return false;  // its log cannot be executed: close it
  if (game->match->turn()) co_return false;
  co_return co_await end_if_over(table_rows, row, *game->match, game->at_ms);
}

/// The time of the last event, or of the creation.
awaitable<Expected<std::int64_t>> last_sign_ms(store::EventReader& log, TableId id,
                                               std::int64_t made_ms) {
  const auto entry = co_await log.last(id);
  if (!entry) co_return std::unexpected(entry.error());
  if (!*entry) co_return made_ms;
  const auto record = codec::decode_record((*entry)->record);
  if (!record) co_return std::unexpected(record.error());
  co_return record->at_ms;
}

/// The row of a table that goes on and is silent; otherwise empty.
awaitable<Expected<std::optional<store::TableRow>>> silent(store::EventReader& log,
                                                           store::TableRows& table_rows, TableId id,
                                                           std::int64_t since_ms) {
  auto row = co_await table_rows.table(id);
  if (!row) co_return std::unexpected(std::move(row.error()));
  const auto last = co_await last_sign_ms(log, id, row->created_ms);
  if (!last) co_return std::unexpected(last.error());
  if (!goes_on(*row) || *last >= since_ms) co_return std::nullopt;
  co_return std::move(*row);
}

/// `row` has the epoch of its owner.
awaitable<Expected<store::TableRow>> close_owned(store::TableRows& table_rows,
                                                 store::TableRow row) {
  row = tables::closed(std::move(row));
  store::GameOutcome nothing;
  auto stored = co_await table_rows.change_table(row, std::nullopt, std::move(nothing));
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  co_return row;
}

/// close_if_silent of a table that is claimed under `epoch`.
awaitable<Expected<std::optional<store::TableRow>>> close_if_still_silent(
    replay::Source source, store::TableRows& table_rows, TableId id, Epoch epoch,
    std::int64_t since_ms) {
  auto row = co_await silent(source.log, table_rows, id, since_ms);
  if (!row || !*row) co_return row;
  (*row)->epoch = epoch;
  const auto ended = co_await end_where_stored(source, table_rows, **row);
  if (!ended) co_return std::unexpected(ended.error());
  if (*ended) co_return row;
  auto closed = co_await close_owned(table_rows, std::move(**row));
  if (!closed) co_return std::unexpected(std::move(closed.error()));
  co_return std::move(*closed);
}

/// close_stored of a table that is claimed under `epoch`.
awaitable<Expected<store::TableRow>> close_claimed(store::TableRows& table_rows, TableId id,
                                                   Epoch epoch, tables::SeatCommand command) {
  auto row = co_await table_rows.table(id);
  if (!row) co_return row;
  row->epoch = epoch;
  auto closed = tables::apply(*row, command);
  if (!closed || *closed == *row) co_return closed;
  store::GameOutcome nothing;
  auto stored = co_await table_rows.change_table(*closed, std::nullopt, std::move(nothing));
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  co_return closed;
}

/// reopen_stored of a table that is claimed under `epoch`.
awaitable<Expected<store::TableRow>> reopen_claimed(replay::Source source,
                                                    store::TableRows& table_rows, TableId id,
                                                    Epoch epoch) {
  auto row = co_await table_rows.table(id);
  if (!row || row->state != TableState::kClosed) co_return row;
  const auto game = co_await play_again(source, *row);
  if (!game) co_return std::unexpected(game.error());
  row->epoch = epoch;
  row->state = TableState::kInPlay;
  row->ending.reset();
  const auto ended = co_await end_if_over(table_rows, *row, *game->match, game->at_ms);
  if (!ended) co_return std::unexpected(ended.error());
  if (!*ended) co_return refuse(ErrorCode::kStarted, "The game was closed before it was over.");
  co_return row;
}

}  // namespace

// Knowledge of a table before its claim may be old: another server may have had it.

awaitable<Expected<store::TableRow>> close_stored(store::TableRows& table_rows, TableClaims& claims,
                                                  TableId id, tables::Close command) {
  const auto epoch = co_await claims.claim(id);
  if (!epoch) co_return std::unexpected(epoch.error());
  auto closed = co_await close_claimed(table_rows, id, *epoch, std::move(command));
  co_await claims.release(id, *epoch);
  co_return closed;
}

awaitable<Expected<store::TableRow>> reopen_stored(replay::Source source,
                                                   store::TableRows& table_rows,
                                                   TableClaims& claims, TableId id) {
  const auto epoch = co_await claims.claim(id);
  if (!epoch) co_return std::unexpected(epoch.error());
  auto opened = co_await reopen_claimed(source, table_rows, id, *epoch);
  co_await claims.release(id, *epoch);
  co_return opened;
}

awaitable<Expected<bool>> end_if_over(store::TableRows& table_rows, store::TableRow& row,
                                      const games::Match& match, std::int64_t at_ms) {
  if (row.state != TableState::kInPlay) co_return false;
  auto outcome = replay::end_if_over(row, match, at_ms);
  if (row.state != TableState::kOver) co_return false;
  auto stored = co_await table_rows.change_table(row, std::nullopt, std::move(outcome));
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  co_return true;
}

awaitable<Expected<std::optional<store::TableRow>>> close_if_silent(replay::Source source,
                                                                    store::TableRows& table_rows,
                                                                    TableClaims& claims, TableId id,
                                                                    std::int64_t since_ms) {
  auto row = co_await silent(source.log, table_rows, id, since_ms);
  if (!row || !*row) co_return row;
  const auto epoch = co_await claims.claim(id);
  if (!epoch) co_return std::unexpected(epoch.error());
  auto closed = co_await close_if_still_silent(source, table_rows, id, *epoch, since_ms);
  co_await claims.release(id, *epoch);
  co_return closed;
}

}  // namespace tesela::directory
