#include "clients/cli/admin/table_text.h"

#include <google/protobuf/util/time_util.h>
#include <spdlog/fmt/fmt.h>

#include <cstdint>
#include <sstream>
#include <utility>

#include "clients/cli/admin/text_table.h"
#include "clients/cli/base/value_text.h"
#include "clients/cli/table/table_lines.h"

namespace tesela::cli {
namespace {

namespace pb = admin::v1;
using google::protobuf::util::TimeUtil;

/// Rows for the clock of the seat on turn and of all seats.
void add_clocks(const play::v1::Clocks& clocks, Rows& rows) {
  rows.push_back({"this turn", clocks.has_deadline_ms()
                                   ? time_words(clocks.deadline_ms() - clocks.now_ms()) + " left"
                                   : "the clocks stand still"});
  std::string left;
  for (const std::int64_t ms : clocks.left_ms())
    left += (left.empty() ? "" : ", ") + time_words(ms);
  if (!left.empty()) rows.push_back({"for the game", left + " left, seat by seat"});
}

template <class Seats>
Printed seat_rows(const Seats& seats) {
  Rows rows{{"seat", "player", "name", "played by", "connected"}};
  for (const play::v1::SeatOccupant& seat : seats) {
    rows.push_back({std::to_string(seat.seat()), seat.player_id(), seat.display_name(),
                    seat.strategy().empty() ? "the player" : seat.strategy(),
                    seat.bot() ? "bot" : yes_or_no(seat.connected())});
  }
  return text_table(rows);
}

std::string busy_text(const pb::TableWork& work) {
  if (!work.busy()) return "handles no command";
  if (!work.has_store_wait()) return "handles one";
  return fmt::format("handles a move, which waits for the store for {} ms",
                     TimeUtil::DurationToMilliseconds(work.store_wait()));
}

/// What the table does, and what it waits for.
void add_work(const pb::TableWork& work, Rows& rows) {
  rows.push_back({"inbox", fmt::format("{} waiting, {}", work.inbox(), busy_text(work))});
  if (work.bot_searches()) rows.push_back({"bots", "search for a move"});
  if (work.bots_rest()) rows.push_back({"bots", "rest until somebody connects"});
}

std::string timer_text(const pb::TableTimer& timer) {
  switch (timer.kind()) {
    case pb::TABLE_TIMER_KIND_CLAIM:
      return fmt::format("the others may claim the game of seat {}", timer.seat());
    case pb::TABLE_TIMER_KIND_COME:
      return "players who have not come lose their seats";
    case pb::TABLE_TIMER_KIND_BOTS:
      return "bots take the free seats";
    case pb::TABLE_TIMER_KIND_BEGIN:
      return "the game begins without the contributions that are missing";
    case pb::TABLE_TIMER_KIND_UNLOAD:
      return "the table leaves the memory";
    case pb::TABLE_TIMER_KIND_CLOSE:
      return "closed without a result, if it is not in memory";
    case pb::TABLE_TIMER_KIND_KEEP:
      return "kept until then at least";
    default:
      return "something that is not known here";
  }
}

void add_timers(const pb::InspectTableResponse& table, Rows& rows) {
  for (const pb::TableTimer& timer : table.timers()) {
    const auto left_ms = TimeUtil::DurationToMilliseconds(timer.left());
    rows.push_back(
        {left_ms > 0 ? "in " + time_words(left_ms) : std::string("now"), timer_text(timer)});
  }
}

/// The last moves, a line each; the last one has the position.
Printed recent_lines(const pb::InspectTableResponse& table) {
  std::ostringstream out;
  TableLines lines(out);
  if (!table.recent().empty() && lines.open(table.summary().table().game())) {
    play::v1::Seating seating = table.seating();
    if (!table.has_seating()) *seating.mutable_seats() = table.summary().table().seats();
    lines.take(seating);
    for (const auto& frame : table.recent()) {
      if (frame.has_snapshot()) lines.tell(frame.snapshot());
      if (frame.has_event()) lines.tell(frame.event());
    }
  }
  Printed text = out.str().empty() ? Printed{} : Printed::of("\n") + Printed::lines(out.str());
  if (!table.recent_missing().empty()) {
    text += Printed::of("\nWhat follows cannot be shown: {}\n", table.recent_missing());
  }
  return text;
}

}  // namespace

std::string yes_or_no(bool is) {
  return is ? "yes" : "no";
}

std::string state_text(lobby::v1::TableState state) {
  switch (state) {
    case lobby::v1::TABLE_STATE_OPEN:
      return "open";
    case lobby::v1::TABLE_STATE_IN_PLAY:
      return "in play";
    case lobby::v1::TABLE_STATE_OVER:
      return "over";
    case lobby::v1::TABLE_STATE_CLOSED:
      return "closed";
    default:
      return "unknown";
  }
}

Printed admin_text(const pb::InspectTableResponse& table) {
  const auto& shown = table.summary().table();
  Rows rows{{"table", shown.table_id()},
            {"game", shown.game()},
            {"state", state_text(shown.state())},
            {"private", yes_or_no(table.summary().invite_needed())},
            {"made", minute_text(shown.created_at()) + " UTC by " + shown.owner_id()}};
  if (table.has_updated_at()) {
    rows.push_back({"last event", minute_text(table.updated_at()) + " UTC"});
  }
  if (shown.has_ended_at()) rows.push_back({"ended", minute_text(shown.ended_at()) + " UTC"});
  rows.push_back({"version", std::to_string(table.version())});
  rows.push_back({"epoch", std::to_string(table.epoch())});
  rows.push_back({"in memory", yes_or_no(table.summary().in_memory())});
  if (table.summary().in_memory()) {
    rows.push_back(
        {"here", fmt::format("{} players, {} others", table.summary().players_connected(),
                             table.summary().spectators())});
  }
  if (table.has_work()) add_work(table.work(), rows);
  if (table.has_clocks()) add_clocks(table.clocks(), rows);
  add_timers(table, rows);
  const auto& seats = table.has_seating() ? table.seating().seats() : shown.seats();
  return text_table(rows) + Printed::of("\n") + seat_rows(seats) + recent_lines(table);
}

Printed admin_text(const pb::IssueWatchPassResponse& issued) {
  return Printed::of("{}\n", issued.pass());
}

}  // namespace tesela::cli
