// Whether a player plays at a table that another server owns.
#pragma once

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <limits>
#include <utility>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/table_options.h"
#include "server/replay/aside.h"
#include "server/replay/replay.h"
#include "server/replay/start_of_execution.h"
#include "server/store/table_rows.h"

namespace tesela::directory {

/// Whether a player has a seat at a table that no strategy plays for them, by what is stored: the
/// table is not taken, and may have gone on when this returns. Errors: those of TableRows::table
/// and replay::replay.
inline boost::asio::awaitable<Expected<bool>> plays_by_log(store::TableRows& table_rows,
                                                           replay::Source source,
                                                           replay::Aside aside, TableId id,
                                                           PlayerId player) {
  const auto row = co_await table_rows.table(id);
  if (!row) co_return std::unexpected(row.error());
  const auto seat = std::ranges::find(row->seats, player, &store::SeatRow::player);
  if (seat == row->seats.end() || !seat->strategy.empty()) co_return false;
  if (row->state == store::TableState::kOpen) co_return true;
  const auto options = codec::decode_table_options(row->options);
  if (!options) co_return std::unexpected(options.error());
  // At or before it is every snapshot.
  constexpr Version kLast{static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())};
  auto start = co_await replay::start_at(source, id, kLast);
  if (!start) co_return std::unexpected(std::move(start.error()));
  const auto game =
      co_await replay::replay_aside(aside, source, id, std::move(*start),
                                    {.table = *options, .urgency = replay::Urgency::kPlayer});
  if (!game) co_return std::unexpected(game.error());
  co_return !game->match->resigned(seat->seat);
}

}  // namespace tesela::directory
