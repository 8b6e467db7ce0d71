#include "server/lobby/silent_table.h"

#include <utility>

#include "server/codec/record.h"
#include "server/table/wish.h"

namespace tesela::lobby {
namespace {

using boost::asio::awaitable;
using store::TableState;

/// When something happened at the table last.
awaitable<Expected<std::int64_t>> last_sign_ms(store::EventLog& log, TableId id,
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
  row = table::closed(std::move(row));
  row.epoch = *epoch;
  if (auto stored = co_await store.change_table(row, std::nullopt); !stored) {
    co_return std::unexpected(std::move(stored.error()));
  }
  co_return row;
}

awaitable<Expected<std::optional<store::TableRow>>> close_if_silent(store::EventLog& log,
                                                                    store::Store& store, TableId id,
                                                                    std::int64_t since_ms) {
  auto row = co_await store.table(id);
  if (!row) co_return std::unexpected(std::move(row.error()));
  const auto last = co_await last_sign_ms(log, id, row->created_ms);
  if (!last) co_return std::unexpected(last.error());
  const bool goes_on = row->state == TableState::kOpen || row->state == TableState::kInPlay;
  if (!goes_on || *last >= since_ms) co_return std::nullopt;
  auto done = co_await close_stored(store, std::move(*row));
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return std::move(*done);
}

}  // namespace tesela::lobby
