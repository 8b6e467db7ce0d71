#include "server/tables/members/attendance.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/base/absence_limits.h"
#include "server/bots/bots.h"

namespace tesela::tables {

using std::chrono::steady_clock;
using store::TableRow;

namespace {

constexpr auto kAtOnce = steady_clock::time_point::min();

std::vector<PlayerId> players(const TableRow& row) {
  std::vector<PlayerId> out;
  for (const auto& seat : row.seats) {
    if (!bots::is_bot(row.game, seat)) out.push_back(seat.player);
  }
  return out;
}

bool owner_alone(const TableRow& row) {
  return std::ranges::all_of(players(row), [&row](PlayerId player) { return player == row.owner; });
}

}  // namespace

Attendance::Attendance(const Position& position, const Members& members,
                       std::chrono::milliseconds within)
    : position_(position),
      members_(members),
      within_(position.options.matched ? std::chrono::milliseconds{0} : within) {
  for (const PlayerId player : players(position.row)) {
    sitters_.push_back({.player = player, .from = {}, .until = {}, .came = position.by_days()});
  }
  set_times(false);
}

bool Attendance::is_there(PlayerId player) const {
  const auto sitter = std::ranges::find(sitters_, player, &Sitter::player);
  return members_.connected(player) || (sitter != sitters_.end() && sitter->came);
}

bool Attendance::complete(const TableRow& row) const {
  return within_.count() == 0 || owner_alone(row) ||
         std::ranges::all_of(players(row), [this](PlayerId player) { return is_there(player); });
}

bool Attendance::stays(const Sitter& sitter) const {
  const PlayerId owner = position_.row.owner;
  return is_there(sitter.player) ||
         (sitter.player == owner && std::ranges::none_of(sitters_, [&](const Sitter& other) {
            return other.player != owner && is_there(other.player);
          }));
}

std::optional<Attendance::Time> Attendance::due() const {
  std::optional<Time> first;
  for (const Sitter& sitter : sitters_) {
    if (!sitter.until || (sitter.until == kAtOnce && stays(sitter))) continue;
    if (!first || *sitter.until < *first) first = sitter.until;
  }
  return first;
}

std::vector<PlayerId> Attendance::missing() const {
  std::vector<PlayerId> out;
  const auto now = steady_clock::now();
  for (const Sitter& sitter : sitters_) {
    if (sitter.until && *sitter.until <= now && !stays(sitter)) out.push_back(sitter.player);
  }
  return out;
}

bool Attendance::barred(const TakeSeat& command) const {
  const auto now = steady_clock::now();
  return std::ranges::any_of(stood_up_, [&](const Sitter& one) {
    const bool same_address = command.from && one.from == command.from;
    return now < one.until && (one.player == command.player || same_address);
  });
}

Expected<void> Attendance::may_sit(const TakeSeat& command) const {
  if (position_.seat_of(command.player)) return {};
  if (std::ranges::find(removed_, command.player) != removed_.end()) {
    return refuse(ErrorCode::kPermissionDenied,
                  "This table's owner has removed you from it: sit down at another one.");
  }
  if (members_.connected(command.player) || !barred(command)) return {};
  return refuse(ErrorCode::kResourceExhausted,
                "You, or somebody at your address, sat down here and did not come in time: open "
                "the table's stream before you sit down, or sit down in " +
                    std::to_string(limits::kStoodUpFor.count()) + " minutes.");
}

void Attendance::sit_down(const TakeSeat& command) {
  const bool seated =
      std::ranges::find(sitters_, command.player, &Sitter::player) != sitters_.end();
  if (seated) return;
  const bool by_days = position_.by_days();
  std::optional<Time> until;
  if (!by_days && barred(command)) until = kAtOnce;
  sitters_.push_back({.player = command.player,
                      .from = command.from,
                      .until = until,
                      .came = by_days && command.player == position_.row.owner});
}

void Attendance::stand_up(Sitter sitter) {
  const PlayerId player = sitter.player;
  std::erase_if(stood_up_, [player](const Sitter& one) { return one.player == player; });
  sitter.until = steady_clock::now() + limits::kStoodUpFor;
  stood_up_.push_back(std::move(sitter));
  if (stood_up_.size() > limits::kKeptOutMax) stood_up_.erase(stood_up_.begin());
}

void Attendance::set_times(bool again) {
  const TableRow& row = position_.row;
  if (within_.count() == 0 || row.state != store::TableState::kOpen) return;
  const bool full = is_full(row) && !owner_alone(row);
  const auto now = steady_clock::now();
  for (Sitter& sitter : sitters_) {
    sitter.came = sitter.came || (position_.by_days() && members_.connected(sitter.player));
    if (sitter.until == kAtOnce) continue;
    if (!full && (!position_.by_days() || sitter.came)) {
      sitter.until.reset();
    } else if (!sitter.until || (again && *sitter.until <= now)) {
      sitter.until = now + within_;
    }
  }
}

void Attendance::moves(PlayerId guest, PlayerId account) {
  if (position_.seat_of(guest)) return;
  for (Sitter& sitter : sitters_) {
    if (sitter.player == guest) sitter.player = account;
  }
}

void Attendance::applied(const SeatCommand& command) {
  if (position_.row.state != store::TableState::kOpen) {
    sitters_.clear();
    stood_up_.clear();
    removed_.clear();
    return;
  }
  const bool gathered = std::holds_alternative<Gathered>(command);
  if (const auto* sat = std::get_if<TakeSeat>(&command)) {
    sit_down(*sat);
  } else if (const auto* remove = std::get_if<Remove>(&command)) {
    removed_.push_back(remove->player);
    if (removed_.size() > limits::kKeptOutMax) removed_.erase(removed_.begin());
  }
  if (const auto* merge = std::get_if<Merge>(&command)) moves(merge->guest, merge->account);
  std::erase_if(sitters_, [&](const Sitter& sitter) {
    const bool left = !position_.seat_of(sitter.player);
    if (left && gathered) stand_up(sitter);
    return left;
  });
  set_times(gathered);
}

}  // namespace tesela::tables
