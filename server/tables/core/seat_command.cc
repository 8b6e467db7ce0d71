#include "server/tables/core/seat_command.h"

#include <algorithm>
#include <vector>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/bots/bots.h"
#include "server/games/fair.h"
#include "server/store/personal_data.h"
#include "server/store/refusals.h"

namespace tesela::tables {
namespace {

using games::ContributionState;
using store::SeatRow;
using store::TableRow;
using store::TableState;

const SeatRow* seat_at(const TableRow& table, Seat seat) {
  const auto found = std::ranges::find(table.seats, seat, &SeatRow::seat);
  return found == table.seats.end() ? nullptr : &*found;
}

Expected<Seat> free_seat(const TableRow& table, std::optional<Seat> wanted) {
  if (wanted) {
    if (wanted->value >= table.seat_count) return store::no_such_seat(table.seat_count);
    if (seat_at(table, *wanted) != nullptr) return store::seat_taken();
    return *wanted;
  }
  for (std::uint8_t seat = 0; seat < table.seat_count; ++seat) {
    if (seat_at(table, Seat{seat}) == nullptr) return Seat{seat};
  }
  return refuse(ErrorCode::kSeatTaken, "Every seat of this table is taken.");
}

bool awaits_contributions(const TableRow& table) {
  return std::ranges::find(table.seats, ContributionState::kAwaited,
                           &SeatRow::contribution_state) != table.seats.end();
}

TableRow begun_if_ready(TableRow table) {
  if (is_full(table) && !awaits_contributions(table)) table.state = TableState::kInPlay;
  return table;
}

TableRow with(const TableRow& table, SeatRow seat) {
  TableRow changed = table;
  const auto place = std::ranges::lower_bound(changed.seats, seat.seat, {}, &SeatRow::seat);
  changed.seats.insert(place, std::move(seat));
  return begun_if_ready(std::move(changed));
}

ContributionState state_of(const TakeSeat& command) {
  if (command.contribute_later) return ContributionState::kAwaited;
  return command.contribution.empty() ? ContributionState::kNone : ContributionState::kWithSeat;
}

/// The row with `strategy` playing the seat for its player; empty: the player plays.
TableRow with_strategy(const TableRow& table, Seat seat, std::string strategy) {
  TableRow changed = table;
  std::ranges::find(changed.seats, seat, &SeatRow::seat)->strategy = std::move(strategy);
  return changed;
}

bool has_players(const TableRow& table) {
  return std::ranges::any_of(table.seats,
                             [&](const SeatRow& seat) { return !bots::is_bot(table.game, seat); });
}

Expected<TableRow> apply(const TableRow& table, const TakeSeat& command) {
  for (const SeatRow& seat : table.seats) {
    if (seat.player != command.player) continue;
    if (!command.seat || *command.seat == seat.seat) {
      return table.state == TableState::kOver ? table : with_strategy(table, seat.seat, {});
    }
    return refuse(ErrorCode::kSeatTaken, "You sit at this table already, on seat " +
                                             std::to_string(seat.seat.value) + ".");
  }
  if (auto admitted = admit(table, command.player, command.invite); !admitted) {
    return std::unexpected(std::move(admitted.error()));
  }
  if (auto sound = games::check_contribution(command.contribution); !sound) {
    return std::unexpected(std::move(sound.error()));
  }
  if (command.contribute_later && !command.contribution.empty()) {
    return refuse(ErrorCode::kInvalidArgument,
                  "Either contribution or contribute_later: a player adds to the dice once.");
  }
  const auto seat = free_seat(table, command.seat);
  if (!seat) return std::unexpected(seat.error());
  return with(table, {.seat = *seat,
                      .player = command.player,
                      .display_name = command.name,
                      .contribution = command.contribution,
                      .contribution_state = state_of(command)});
}

Expected<TableRow> apply(const TableRow& table, const AddToDice& command) {
  if (auto sound = games::check_contribution(command.bytes); !sound) {
    return std::unexpected(std::move(sound.error()));
  }
  if (command.bytes.empty()) {
    return refuse(ErrorCode::kInvalidArgument, "contribution must not be empty.");
  }
  const auto seat = std::ranges::find(table.seats, command.player, &SeatRow::player);
  if (seat == table.seats.end()) {
    return refuse(ErrorCode::kPermissionDenied,
                  "Only a player with a seat can contribute to the dice.");
  }
  if (seat->contribution == command.bytes) return table;
  if (!seat->contribution.empty()) {
    return refuse(ErrorCode::kStarted, "You have added to the dice already, and once is all.");
  }
  if (table.state != TableState::kOpen) {
    return refuse(ErrorCode::kStarted, "The game has begun without your contribution.");
  }
  TableRow changed = table;
  SeatRow& own = *std::ranges::find(changed.seats, command.player, &SeatRow::player);
  own.contribution = command.bytes;
  own.contribution_state = ContributionState::kAfterCommitment;
  return begun_if_ready(std::move(changed));
}

Expected<TableRow> apply(const TableRow& table, const BeginWithout& /*command*/) {
  if (!begins_without(table)) return table;
  TableRow changed = table;
  for (SeatRow& seat : changed.seats) {
    if (seat.contribution_state == ContributionState::kAwaited) {
      seat.contribution_state = ContributionState::kWithheld;
    }
  }
  return begun_if_ready(std::move(changed));
}

Expected<TableRow> apply(const TableRow& table, const AddBot& command) {
  if (command.asker != table.owner) {
    return refuse(ErrorCode::kPermissionDenied, "Only the table's owner can add bots.");
  }
  const auto strategy = bots::find_strategy(table.game, command.strategy);
  if (!strategy) return std::unexpected(strategy.error());
  const auto seat = free_seat(table, command.seat);
  if (!seat) return std::unexpected(seat.error());
  return with(table, bots::bot_seat(*strategy, *seat));
}

/// The strategies that `Start` chooses from.
Expected<std::vector<Listed>> bots_for(const TableRow& table, const Start& command) {
  if (command.strategy.empty()) return bots::strategies_of_level(table.game, command.bot_level);
  const auto strategy = bots::find_strategy(table.game, command.strategy);
  if (!strategy) return std::unexpected(strategy.error());
  return std::vector{*strategy};
}

Expected<TableRow> apply(const TableRow& table, const Start& command) {
  if (command.asker != table.owner) {
    return refuse(ErrorCode::kPermissionDenied,
                  "Only the table's owner can begin the game before the table is full.");
  }
  const auto bots = bots_for(table, command);
  if (!bots) return std::unexpected(bots.error());
  TableRow changed = table;
  while (!is_full(changed)) {
    const Seat seat = *free_seat(changed, std::nullopt);
    changed = with(changed, bots::bot_seat((*bots)[seat.value % bots->size()], seat));
  }
  return changed;
}

Expected<TableRow> apply(const TableRow& table, const FreeSeat& command) {
  if (command.seat.value >= table.seat_count) return store::no_such_seat(table.seat_count);
  const SeatRow* seat = seat_at(table, command.seat);
  if (seat == nullptr) return refuse(ErrorCode::kNotFound, "Nobody sits there.");
  const PlayerId whose = bots::is_bot(table.game, *seat) ? table.owner : seat->player;
  if (command.asker != whose) {
    return refuse(ErrorCode::kPermissionDenied,
                  "Only its player can leave a seat, and only the table's owner can remove a bot.");
  }
  if (table.state == TableState::kInPlay && whose == seat->player && table.seat_count > 1) {
    return with_strategy(table, command.seat, bots::autoplay_of(table));
  }
  if (table.state != TableState::kOpen) {
    return refuse(ErrorCode::kStarted, "The game has begun: seats can no longer change.");
  }
  // Otherwise a player could see the other contributions and leave because of them.
  if (is_full(table)) {
    return refuse(ErrorCode::kStarted, "All seats are taken and can no longer change.");
  }
  TableRow changed = table;
  std::erase_if(changed.seats, [&](const SeatRow& row) { return row.seat == command.seat; });
  return has_players(changed) ? changed : closed(std::move(changed));
}

Expected<TableRow> apply(const TableRow& table, const Substitute& command) {
  const SeatRow* seat = seat_at(table, command.seat);
  if (seat == nullptr || !seat->strategy.empty()) return table;
  return with_strategy(table, command.seat, bots::autoplay_of(table));
}

Expected<TableRow> apply(const TableRow& table, const Forget& command) {
  TableRow changed = table;
  for (SeatRow& seat : changed.seats) {
    if (seat.player != command.player) continue;
    seat.display_name = store::kErasedName;
    seat.contribution.clear();
    if (table.state == TableState::kOpen && seat.contribution_state != ContributionState::kNone) {
      seat.contribution_state = ContributionState::kWithheld;
    }
    if (table.state == TableState::kInPlay && table.seat_count > 1 && seat.strategy.empty()) {
      seat.strategy = bots::autoplay_of(table);
    }
  }
  return table.state == TableState::kOpen ? begun_if_ready(std::move(changed)) : changed;
}

Expected<TableRow> apply(const TableRow& table, const Rename& command) {
  TableRow changed = table;
  for (SeatRow& seat : changed.seats) {
    if (seat.player == command.player) seat.display_name = command.name;
  }
  return changed;
}

Expected<TableRow> apply(const TableRow& table, const Merge& command) {
  TableRow changed = table;
  if (changed.owner == command.guest) changed.owner = command.account;
  if (std::ranges::find(table.seats, command.account, &SeatRow::player) != table.seats.end()) {
    return changed;
  }
  for (SeatRow& seat : changed.seats) {
    if (seat.player != command.guest) continue;
    seat.player = command.account;
    seat.display_name = command.name;
  }
  return changed;
}

/// The row without the players; a table that nobody is left at stays.
TableRow without(TableRow table, const std::vector<PlayerId>& players) {
  std::erase_if(table.seats, [&](const SeatRow& seat) {
    return !bots::is_bot(table.game, seat) &&
           std::ranges::find(players, seat.player) != players.end();
  });
  return table;
}

Expected<TableRow> apply(const TableRow& table, const Gathered& command) {
  if (table.state != TableState::kOpen) return table;
  return begun_if_ready(without(table, command.missing));
}

Expected<TableRow> apply(const TableRow& table, const Remove& command) {
  if (command.asker != table.owner) {
    return refuse(ErrorCode::kPermissionDenied, "Only the table's owner can remove a player.");
  }
  if (table.state != TableState::kOpen) {
    return refuse(ErrorCode::kStarted, "The game has begun: nobody can be removed any more.");
  }
  if (command.player == table.owner) {
    return refuse(ErrorCode::kInvalidArgument,
                  "This is your own seat: leave it by LobbyService.FreeSeat.");
  }
  TableRow changed = without(table, {command.player});
  if (changed.seats.size() == table.seats.size()) {
    return refuse(ErrorCode::kNotFound, "No such player sits at this table.");
  }
  return changed;
}

Expected<TableRow> apply(const TableRow& table, const Close& command) {
  if (table.state == TableState::kClosed) return table;
  if (table.state != TableState::kOver) return closed(table);
  if (!command.voids) {
    return refuse(ErrorCode::kGameOver, "The game is over: there is nothing left to close.");
  }
  TableRow changed = table;
  changed.state = TableState::kClosed;
  changed.ending->result.clear();
  return changed;
}

}  // namespace

TableRow closed(TableRow table) {
  table.state = TableState::kClosed;
  table.ending = store::Ending{.result = {}, .ended_ms = base::unix_ms()};
  return table;
}

bool is_full(const TableRow& table) {
  return table.seats.size() == table.seat_count;
}

bool begins_without(const TableRow& table) {
  return table.state == TableState::kOpen && table.seat_count > 1 && is_full(table) &&
         awaits_contributions(table);
}

Error not_started(const TableRow& table) {
  if (is_full(table)) {
    return {ErrorCode::kNotStarted,
            awaits_contributions(table)
                ? "The game begins when everybody has added to the dice (LobbyService.Contribute)."
                : "The game begins when every player has opened a stream of the table."};
  }
  return {ErrorCode::kNotStarted, "The game begins when every seat is taken; " +
                                      std::to_string(table.seats.size()) + " of " +
                                      std::to_string(table.seat_count) + " are."};
}

Expected<TableRow> apply(const TableRow& table, const SeatCommand& command) {
  // The last player may have left while this command was in the inbox.
  if (table.state == TableState::kClosed && !std::holds_alternative<Close>(command)) {
    return refuse(ErrorCode::kNotFound, "This table was closed.");
  }
  return std::visit([&table](const auto& what) { return apply(table, what); }, command);
}

bool may_invite(const store::TableRow& table, std::optional<PlayerId> player) {
  if (!player) return false;
  return *player == table.owner ||
         std::ranges::find(table.seats, *player, &store::SeatRow::player) != table.seats.end();
}

Expected<void> admit(const store::TableRow& table, std::optional<PlayerId> player,
                     std::string_view invite) {
  if (table.invite.empty() || may_invite(table, player) ||
      base::same_secret(invite, table.invite)) {
    return {};
  }
  return refuse(ErrorCode::kInviteNeeded,
                invite.empty()
                    ? "This table is private: ask one of its players for the invite."
                    : "This is not the invite of this table: ask one of its players for it.");
}

}  // namespace tesela::tables
