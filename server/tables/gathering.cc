#include "server/tables/gathering.h"

#include <algorithm>
#include <utility>

#include "server/base/clock.h"
#include "server/base/limits.h"

namespace tesela::tables {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

bool Gathering::expects_bots() const {
  return position_.row.state == store::TableState::kOpen &&
         position_.options.bot_fill.has_value() && !is_full(position_.row);
}

bool Gathering::ends_by_itself() const {
  return expects_bots() || begins_without(position_.row) || attendance_.due();
}

void Gathering::add_times(LiveView& view) const {
  if (waits_for_players_) view.until_bots = players_.left();
  if (waits_for_contributions_) view.until_begun = contributions_.left();
  if (attendance_.due()) view.until_stood_up = streams_.left();
}

void Gathering::changed() {
  const bool expects_players = expects_bots();
  if (!std::exchange(waits_for_players_, expects_players) && expects_players) {
    const milliseconds time = position_.options.bot_fill->after;
    const milliseconds age{base::unix_ms() - position_.row.created_ms};
    start_with_bots(std::clamp(time - age, milliseconds{0}, time));
  }
  const bool lacks_contributions = begins_without(position_.row);
  if (!lacks_contributions) contributions_.cancel();
  if (!std::exchange(waits_for_contributions_, lacks_contributions) && lacks_contributions) {
    begin_without_contributions(limits::kContributionTimeMax);
  }
  const auto due = attendance_.due();
  if (!due) return streams_.cancel();
  const auto now = steady_clock::now();
  stand_up_missing(std::chrono::ceil<milliseconds>(std::max(*due, now) - now));
}

void Gathering::start_with_bots(milliseconds pause) {
  if (host_.ended()) return;
  players_.start(host_, pause, [this] {
    if (!expects_bots()) return;
    send(Start{.asker = position_.row.owner, .bot_level = position_.options.bot_fill->level},
         [this] { start_with_bots(limits::kBotRetryTime); });
  });
}

void Gathering::begin_without_contributions(milliseconds pause) {
  if (host_.ended()) return;
  contributions_.start(host_, pause, [this] {
    if (!begins_without(position_.row)) return;
    send(BeginWithout{}, [this] { begin_without_contributions(limits::kBotRetryTime); });
  });
}

void Gathering::stand_up_missing(milliseconds pause) {
  if (host_.ended()) return;
  streams_.start(host_, pause,
                 [this] { send(Gathered{}, [this] { stand_up_missing(limits::kBotRetryTime); }); });
}

void Gathering::send(SeatCommand command, std::function<void()> try_again) {
  const auto answer = [try_again](const Expected<store::TableRow>& row) {
    if (!row) try_again();
  };
  const bool sent = host_.enqueue(ChangeSeats{.command = std::move(command), .answer = answer});
  if (!sent) try_again();  // the inbox is full
}

}  // namespace tesela::tables
