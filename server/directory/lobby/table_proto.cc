#include "server/directory/lobby/table_proto.h"

#include <google/protobuf/util/time_util.h>
#include <spdlog/spdlog.h>

#include "server/base/clock.h"
#include "server/base/log/seldom_log.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"
#include "server/games/games.h"
#include "server/replay/start_game.h"
#include "server/tables/core/seat_command.h"

namespace tesela::directory {
namespace {

using google::protobuf::util::TimeUtil;

static_assert(static_cast<int>(store::TableState::kInPlay) == lobby::v1::TABLE_STATE_IN_PLAY);
static_assert(static_cast<int>(store::TableState::kOver) == lobby::v1::TABLE_STATE_OVER);
static_assert(static_cast<int>(store::TableState::kOpen) == lobby::v1::TABLE_STATE_OPEN);
static_assert(static_cast<int>(store::TableState::kClosed) == lobby::v1::TABLE_STATE_CLOSED);

}  // namespace

lobby::v1::Table to_proto(const store::TableRow& row) {
  lobby::v1::Table table;
  table.set_table_id(base::to_text(row.id));
  table.set_game(row.game);
  if (!table.mutable_config()->ParseFromString(row.config)) {
    static base::SeldomLog lines;
    lines.log(spdlog::level::err, "table {}: its configuration cannot be read", table.table_id());
    table.clear_config();
  }
  table.set_state(static_cast<lobby::v1::TableState>(row.state));
  table.set_seat_count(row.seat_count);
  for (const store::SeatRow& seat : row.seats) {
    play::v1::SeatOccupant& occupant = *table.add_seats();
    occupant.set_seat(seat.seat.value);
    occupant.set_player_id(base::to_text(seat.player));
    occupant.set_display_name(seat.display_name);
    occupant.set_strategy(seat.strategy);
    occupant.set_bot(bots::is_bot(row.game, seat));
    occupant.set_contribution(static_cast<play::v1::ContributionState>(seat.contribution_state));
  }
  table.set_owner_id(base::to_text(row.owner));
  if (table.mutable_options()->ParseFromString(row.options)) {
    table.mutable_options()->DiscardUnknownFields();  // rows of earlier versions may have some
  } else {
    table.clear_options();
  }
  table.set_assisted(row.assisted);
  table.set_commitment(replay::commitment_of(row));
  if (row.daily) table.set_daily_date(base::date_text(*row.daily));
  *table.mutable_created_at() = TimeUtil::MillisecondsToTimestamp(row.created_ms);
  if (row.ending) {
    *table.mutable_ended_at() = TimeUtil::MillisecondsToTimestamp(row.ending->ended_ms);
    if (row.state == store::TableState::kOver &&
        !table.mutable_result()->ParseFromString(row.ending->result)) {
      static base::SeldomLog lines;
      lines.log(spdlog::level::err, "table {}: its result cannot be read", table.table_id());
      table.clear_result();
    }
  }
  return table;
}

lobby::v1::Table to_proto(const store::TableRow& row, std::optional<PlayerId> viewer) {
  lobby::v1::Table table = to_proto(row);
  if (tables::may_invite(row, viewer)) table.set_invite(row.invite);
  return table;
}

lobby::v1::StrategyDescription to_proto(const Listed& strategy) {
  lobby::v1::StrategyDescription out;
  out.set_game(std::string(strategy.game));
  out.set_name(std::string(strategy.description.name));
  out.set_description(std::string(strategy.description.text));
  out.set_level(strategy.description.level);
  out.set_thought(strategy.description.thought == Thought::kInstant ? lobby::v1::THOUGHT_INSTANT
                                                                    : lobby::v1::THOUGHT_SEARCH);
  return out;
}

lobby::v1::StrategyDescription to_proto(const bots::RemoteBots::Offer& bot) {
  lobby::v1::StrategyDescription out;
  out.set_game(bot.game);
  out.set_name(bot.strategy);
  out.set_description(bot.description);
  out.set_thought(lobby::v1::THOUGHT_SEARCH);
  return out;
}

Expected<store::TableFilter> from_proto(const lobby::v1::TableFilter& filter,
                                        std::optional<PlayerId> viewer) {
  store::TableFilter wanted;
  if (!filter.game().empty()) {
    if (auto game = games::find_game(filter.game()); !game) {
      return std::unexpected(std::move(game.error()));
    }
  }
  wanted.game = filter.game();
  if (!lobby::v1::TableState_IsValid(filter.state())) {
    return refuse(ErrorCode::kInvalidArgument,
                  "filter.state " + std::to_string(filter.state()) + " is not known.");
  }
  if (filter.state() != lobby::v1::TABLE_STATE_UNSPECIFIED) {
    wanted.state = static_cast<store::TableState>(filter.state());
  }
  if (!filter.player_id().empty()) {
    wanted.player = base::parse_id<PlayerId>(filter.player_id());
    if (!wanted.player) {
      return refuse(ErrorCode::kInvalidArgument, "filter.player_id is not a player's id.");
    }
    wanted.private_too = wanted.player == viewer;
  }
  return wanted;
}

}  // namespace tesela::directory
