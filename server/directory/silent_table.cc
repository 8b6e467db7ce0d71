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

/// Whether the game was over before its first move, which earlier versions did not store: then it
/// gets its ending instead of being closed.
awaitable<Expected<bool>> end_where_stored(replay::Source source, store::Store& store,
                                           store::TableRow& row) {
  const auto last = co_await source.log.last(row.id);
  if (!last) co_return std::unexpected(last.error());
  const auto options = codec::decode_table_options(row.options);
  if (!*last || (*last)->version != Version{1} || !options) co_return false;
  replay::Start beginning;
  const auto game =
      co_await replay::replay(source, row.id, std::move(beginning), {.table = *options});
  if (!game) co_return false;  // its log cannot be executed: close it
  if (game->match->turn()) co_return false;
  const auto epoch = co_await store.claim(row.id);
  if (!epoch) co_return std::unexpected(epoch.error());
  row.epoch = *epoch;
  co_return co_await end_if_over(store, row, *game->match, game->at_ms);
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

}  // namespace

awaitable<Expected<store::TableRow>> close_stored(store::Store& store, store::TableRow row) {
  const auto epoch = co_await store.claim(row.id);
  if (!epoch) co_return std::unexpected(epoch.error());
  row = tables::closed(std::move(row));
  row.epoch = *epoch;
  store::GameOutcome nothing;
  auto stored = co_await store.change_table(row, std::nullopt, std::move(nothing));
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  co_return row;
}

awaitable<Expected<bool>> end_if_over(store::Store& store, store::TableRow& row,
                                      const games::Match& match, std::int64_t at_ms) {
  if (row.state != TableState::kInPlay) co_return false;
  auto outcome = replay::end_if_over(row, match, at_ms);
  if (row.state != TableState::kOver) co_return false;
  auto stored = co_await store.change_table(row, std::nullopt, std::move(outcome));
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  co_return true;
}

awaitable<Expected<std::optional<store::TableRow>>> close_if_silent(replay::Source source,
                                                                    store::Store& store, TableId id,
                                                                    std::int64_t since_ms) {
  auto row = co_await store.table(id);
  if (!row) co_return std::unexpected(std::move(row.error()));
  const auto last = co_await last_sign_ms(source.log, id, row->created_ms);
  if (!last) co_return std::unexpected(last.error());
  const bool goes_on = row->state == TableState::kOpen || row->state == TableState::kInPlay;
  if (!goes_on || *last >= since_ms) co_return std::nullopt;
  const auto ended = co_await end_where_stored(source, store, *row);
  if (!ended) co_return std::unexpected(ended.error());
  if (*ended) co_return std::move(*row);
  auto done = co_await close_stored(store, std::move(*row));
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return std::move(*done);
}

}  // namespace tesela::directory
