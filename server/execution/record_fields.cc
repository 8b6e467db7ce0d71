#include "server/execution/record_fields.h"

#include <google/protobuf/util/time_util.h>
#include <tesela/play/v1/course.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "server/games/games.h"

namespace tesela::execution {
namespace {

constexpr std::int32_t kNanosOfASecond = 1'000'000'000;
constexpr std::int32_t kNanosOfAMillisecond = 1'000'000;

std::unexpected<Error> not_so(std::string what) {
  return refuse(ErrorCode::kCorrupt, std::move(what));
}

/// Refuses unknown fields.
Expected<void> check_known(const lobby::v1::GameRecord& record) {
  lobby::v1::GameRecord known = record;
  known.DiscardUnknownFields();
  if (known.ByteSizeLong() == record.ByteSizeLong()) return {};
  return not_so("The record holds fields that no record has.");
}

/// Whether the shown configuration equals the bytes that the commitment covers.
Expected<void> check_config(const lobby::v1::GameRecord& record) {
  const auto game = games::find_game(record.table().game());
  if (!game) return not_so(game.error().message);
  const auto usual = (*game)->configure(nullptr);
  if (!usual) return std::unexpected(usual.error());
  google::protobuf::Any any;
  if (!any.ParseFromString(usual->any)) return not_so("The game has no configuration.");
  const auto& shown = record.table().config();
  if (shown.type_url() == any.type_url() && shown.value() == record.config()) return {};
  return not_so(
      "The configuration that the table shows is not the one that the commitment covers.");
}

/// Whether every seat is taken and has only fields of a finished game.
Expected<void> check_seats(const lobby::v1::Table& table) {
  std::uint32_t next = 0;
  for (const auto& seat : table.seats()) {
    if (seat.seat() != next++) return not_so("The seats are not those of the table.");
    if (seat.connected() || seat.resigned() || seat.away_ms() != 0) {
      return not_so("The record says of a seat what only a stream tells.");
    }
  }
  if (next == table.seat_count()) return {};
  return not_so("A seat of the table is missing, or there are too many.");
}

/// Whether the record says of any seat how its contribution came. Records from before this field
/// existed do not.
bool has_states(const lobby::v1::GameRecord& record) {
  return std::ranges::any_of(record.table().seats(), [](const auto& seat) {
    return seat.contribution() != play::v1::CONTRIBUTION_STATE_UNSPECIFIED;
  });
}

/// Whether every contribution is that of a player at the table. games::game_seed refuses a second
/// one of a seat.
Expected<void> check_contributions(const lobby::v1::GameRecord& record) {
  for (const auto& one : record.contributions()) {
    const bool is_players = std::ranges::any_of(record.table().seats(), [&](const auto& seat) {
      return seat.seat() == one.seat() && !seat.bot();
    });
    if (!is_players) {
      return not_so("The record has a contribution of seat " + std::to_string(one.seat()) +
                    ", and no player of the table sits there.");
    }
  }
  return {};
}

/// Whether the states of the seats agree with the list of contributions.
Expected<void> check_states(const lobby::v1::GameRecord& record) {
  if (!has_states(record)) return {};
  for (const auto& seat : record.table().seats()) {
    const bool added = std::ranges::any_of(
        record.contributions(), [&](const auto& one) { return one.seat() == seat.seat(); });
    const auto state = seat.contribution();
    const bool says_added = state == play::v1::CONTRIBUTION_STATE_AFTER_COMMITMENT ||
                            state == play::v1::CONTRIBUTION_STATE_WITH_SEAT;
    const bool possible = says_added || state == play::v1::CONTRIBUTION_STATE_UNSPECIFIED ||
                          state == play::v1::CONTRIBUTION_STATE_WITHHELD;
    if (!possible || says_added != added) {
      return not_so("Seat " + std::to_string(seat.seat()) +
                    " is said to have added to the dice otherwise than it did.");
    }
  }
  return {};
}

/// Checks the order of times. The times themselves cannot be checked.
Expected<void> check_times(const lobby::v1::GameRecord& record) {
  using google::protobuf::util::TimeUtil;
  const lobby::v1::Table& table = record.table();
  for (const auto& time : {table.created_at(), table.ended_at()}) {
    if (time.nanos() < 0 || time.nanos() >= kNanosOfASecond ||
        time.seconds() < TimeUtil::kTimestampMinSeconds ||
        time.seconds() > TimeUtil::kTimestampMaxSeconds) {
      return not_so("A time of the table is not valid.");
    }
  }
  std::int64_t last_ms = record.dealt_at_ms();
  const auto at_ms = [](const google::protobuf::Timestamp& time) {
    return TimeUtil::TimestampToMilliseconds(time);
  };
  if (at_ms(table.created_at()) > last_ms) {
    return not_so("The game has begun before the table was made.");
  }
  for (const auto& move : record.moves()) {
    if (move.at_ms() < last_ms) {
      return not_so("Version " + std::to_string(move.version()) + ": it is before the one before.");
    }
    last_ms = move.at_ms();
  }
  const bool over = table.state() == lobby::v1::TABLE_STATE_OVER;
  const bool whole = table.ended_at().nanos() % kNanosOfAMillisecond == 0;
  if (over && (at_ms(table.ended_at()) != last_ms || !whole)) {
    return not_so("The game ended when its last event happened, and not when the record says.");
  }
  return {};
}

/// What verification never covers. engine/README.md has the same list.
constexpr auto kNotCovered = std::to_array<std::string_view>({
    "table.table_id: nothing follows from it",
    "table.seats.player_id: who somebody is the server alone knows",
    "table.seats.display_name: likewise",
    "table.seats.strategy: which strategy sat there",
    "table.seats.bot: whether it sat there for itself",
    "table.seats.contribution: whether the commitment was shown before; who noted it knows",
    "table.created_at: the time; it is not after dealt_at_ms",
    "table.owner_id: who made the table",
    "table.options: how the table was run",
    "table.assisted: whether a hint was asked for, or a move taken back",
    "table.daily_date: of which day it was the daily game; GetDaily shows that day's seed",
    "dealt_at_ms: the time; no event is before it",
    "moves.at_ms: the times; their order is checked, and the last one is table.ended_at",
    "moves.move_id: the mover's name of the move",
    "moves.strategy: whether and which strategy decided on the move",
    "moves.spent_ms: what the clock was charged",
    "moves.timed_out: whether the player's time was over",
});

/// What it also does not cover if the record does not say how contributions came.
constexpr std::string_view kNotCoveredWithoutStates =
    "contributions: whether the players added them; the record says of no seat that it did";

/// What it also does not cover if the game was broken off.
constexpr auto kNotCoveredClosed = std::to_array<std::string_view>({
    "table.ended_at: when it was closed",
    "moves[]: whether there were more at the end",
    "moves.seat: of those who gave up, which only a result shows",
});

}  // namespace

Expected<void> check_fields(const lobby::v1::GameRecord& record) {
  const lobby::v1::Table& table = record.table();
  if (!table.invite().empty()) return not_so("A record shows no invite.");
  for (const auto& check :
       {check_known, check_config, check_contributions, check_states, check_times}) {
    if (auto held = check(record); !held) return held;
  }
  return check_seats(table);
}

namespace {

/// Whether somebody has given up, or is said to have.
bool has_a_resignation(const lobby::v1::GameRecord& record) {
  return std::ranges::any_of(record.moves(), [](const lobby::v1::RecordedMove& move) {
    return move.move().Is<play::v1::Resigned>();
  });
}

}  // namespace

std::vector<std::string> not_covered(const lobby::v1::GameRecord& record) {
  std::vector<std::string> fields(std::begin(kNotCovered), std::end(kNotCovered));
  if (!record.contributions().empty() && !has_states(record)) {
    fields.emplace_back(kNotCoveredWithoutStates);
  }
  if (record.table().state() == lobby::v1::TABLE_STATE_CLOSED) {
    fields.insert(fields.end(), std::begin(kNotCoveredClosed), std::end(kNotCoveredClosed));
  }
  if (has_a_resignation(record)) {
    fields.emplace_back("moves.move.claimed_by: whether the player was away, and who claimed that");
  }
  const auto game = games::find_game(record.table().game());
  if (game && !(*game)->not_covered.empty()) fields.emplace_back((*game)->not_covered);
  return fields;
}

}  // namespace tesela::execution
