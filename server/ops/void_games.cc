#include "server/ops/void_games.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "server/base/clock.h"
#include "server/base/scale_limits.h"
#include "server/codec/shown_text.h"

namespace tesela::ops {

using boost::asio::awaitable;
using store::TableState;

awaitable<Expected<store::ActRow>> VoidGames::make_void(store::ActRow act) {
  const auto row = co_await parts_.table_rows.table(*act.table);
  if (!row) co_return std::unexpected(row.error());
  if (std::ranges::find(row->seats, act.player, &store::SeatRow::player) == row->seats.end()) {
    co_return refuse(ErrorCode::kInvalidArgument, "This player has no seat at the table.");
  }
  const auto acts = co_await parts_.moderation.acts(act.player, limits::kActsShown);
  if (!acts) co_return std::unexpected(acts.error());
  const auto earlier = std::ranges::find_if(*acts, [&](const store::ActRow& one) {
    return one.kind == act.kind && one.table == act.table && !one.undone_by;
  });
  const bool is_void = earlier != acts->end();
  if (row->state != TableState::kOver && !(is_void && row->state == TableState::kClosed)) {
    co_return refuse(ErrorCode::kStarted,
                     "Only a game that is over can be void: close the table instead.");
  }
  if (is_void) {
    act = *earlier;
  } else {
    auto acted = co_await parts_.moderation.act(std::move(act), base::unix_ms());
    if (!acted) co_return std::unexpected(std::move(acted.error()));
    act = std::move(acted->act);
  }
  tables::Close command{
      .sentence = codec::with_reason("The operator has made this game void", act.reason),
      .voids = true};
  const auto closed = co_await tables_.close(*act.table, std::move(command));
  if (!closed) co_return std::unexpected(closed.error());
  co_return act;
}

awaitable<Expected<void>> VoidGames::count_again(TableId table) {
  const auto opened = co_await tables_.reopen(table);
  if (!opened) co_return std::unexpected(opened.error());
  co_return Expected<void>{};
}

}  // namespace tesela::ops
