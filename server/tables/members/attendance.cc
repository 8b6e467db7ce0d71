#include "server/tables/members/attendance.h"

#include <algorithm>
#include <utility>

#include "server/base/absence_limits.h"
#include "server/bots/bots.h"

namespace tesela::tables {

using std::chrono::steady_clock;
using store::TableRow;

namespace {

std::vector<PlayerId> players(const TableRow& row) {
  std::vector<PlayerId> out;
  for (const auto& seat : row.seats) {
    if (!bots::is_bot(row.game, seat)) out.push_back(seat.player);
  }
  return out;
}

}  // namespace

Attendance::Attendance(const Position& position, const Members& members,
                       std::chrono::milliseconds within)
    : position_(position), members_(members), within_(within), came_(players(position.row)) {}

bool Attendance::is_there(PlayerId player) const {
  if (members_.connected(player)) return true;
  return position_.by_days() && std::ranges::find(came_, player) != came_.end();
}

bool Attendance::complete(const TableRow& row) const {
  const auto seated = players(row);
  const auto owns = [&row](PlayerId player) { return player == row.owner; };
  return within_.count() == 0 || std::ranges::all_of(seated, owns) ||
         std::ranges::all_of(seated, [this](PlayerId player) { return is_there(player); });
}

bool Attendance::expected() const {
  const TableRow& row = position_.row;
  if (within_.count() == 0 || row.state != store::TableState::kOpen || !is_full(row)) return false;
  return std::ranges::any_of(players(row), [&](PlayerId player) { return player != row.owner; });
}

std::vector<PlayerId> Attendance::missing() const {
  const TableRow& row = position_.row;
  auto out = players(row);
  const auto others =
      std::erase_if(out, [&](PlayerId player) { return player != row.owner && is_there(player); });
  std::erase_if(out, [&](PlayerId player) {
    return player == row.owner && (others == 0 || is_there(player));
  });
  return out;
}

void Attendance::came(PlayerId player) {
  if (std::ranges::find(came_, player) == came_.end()) came_.push_back(player);
}

Expected<void> Attendance::may_sit(const TakeSeat& command) const {
  if (position_.seat_of(command.player)) return {};
  if (std::ranges::find(removed_, command.player) != removed_.end()) {
    return refuse(ErrorCode::kPermissionDenied,
                  "This table's owner has removed you from it: sit down at another one.");
  }
  if (members_.connected(command.player)) return {};
  const auto now = steady_clock::now();
  const auto bars = [&](const StoodUp& one) {
    const bool same_address = command.from && one.who.from == command.from;
    return now < one.until && (one.who.player == command.player || same_address);
  };
  if (std::ranges::none_of(stood_up_, bars)) return {};
  return refuse(ErrorCode::kResourceExhausted,
                "You, or somebody at your address, sat down here and did not come in time: open "
                "the table's stream before you sit down, or sit down in " +
                    std::to_string(limits::kStoodUpFor.count()) + " minutes.");
}

void Attendance::stand_up(PlayerId player) {
  const auto sitter = std::ranges::find(sitters_, player, &Sitter::player);
  Sitter who{.player = player, .from = sitter == sitters_.end() ? nullptr : sitter->from};
  stood_up_.push_back({std::move(who), steady_clock::now() + limits::kStoodUpFor});
  if (stood_up_.size() > limits::kKeptOutMax) stood_up_.pop_front();
}

void Attendance::applied(const SeatCommand& command) {
  if (position_.row.state != store::TableState::kOpen) {
    came_.clear();
    sitters_.clear();
    stood_up_.clear();
    removed_.clear();
    return;
  }
  if (const auto* sat = std::get_if<TakeSeat>(&command)) {
    sitters_.push_back({sat->player, sat->from});
  } else if (const auto* gathered = std::get_if<Gathered>(&command)) {
    for (const PlayerId player : gathered->missing) stand_up(player);
  } else if (const auto* remove = std::get_if<Remove>(&command)) {
    removed_.push_back(remove->player);
    if (removed_.size() > limits::kKeptOutMax) removed_.pop_front();
  }
  const auto left = [this](PlayerId player) { return !position_.seat_of(player); };
  std::erase_if(sitters_, [&](const Sitter& sitter) { return left(sitter.player); });
  std::erase_if(came_, left);
}

}  // namespace tesela::tables
