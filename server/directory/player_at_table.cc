#include "server/directory/player_at_table.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "server/codec/table_options.h"
#include "server/replay/replay.h"

namespace tesela::directory {
namespace {

/// At or before it is every snapshot.
constexpr Version kLast{static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())};

}  // namespace

boost::asio::awaitable<Expected<bool>> plays_by_log(store::TableRows& table_rows,
                                                    replay::Source source, replay::Aside aside,
                                                    TableId id, PlayerId player) {
  const auto row = co_await table_rows.table(id);
  if (!row) co_return std::unexpected(row.error());
  const auto seat = std::ranges::find(row->seats, player, &store::SeatRow::player);
  if (seat == row->seats.end() || !seat->strategy.empty()) co_return false;
  if (row->state == store::TableState::kOpen) co_return true;
  const auto options = codec::decode_table_options(row->options);
  if (!options) co_return std::unexpected(options.error());
  auto start = co_await replay::start_at(source, id, kLast);
  if (!start) co_return std::unexpected(std::move(start.error()));
  const auto game =
      co_await replay::replay_aside(aside, source, id, std::move(*start),
                                    {.table = *options, .urgency = replay::Urgency::kPlayer});
  if (!game) co_return std::unexpected(game.error());
  co_return !game->match->resigned(seat->seat);
}

}  // namespace tesela::directory
