// A Table that waits: for players, and begins with bots when their time is over; for what its
// players add to the dice, and begins without.
#include <algorithm>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/tables/table.h"

namespace tesela::tables {

using std::chrono::milliseconds;

bool Table::expects_bots() const {
  return row_.state == store::TableState::kOpen && options_.bot_fill.has_value() && !is_full(row_);
}

void Table::wait_for_players() {
  if (!expects_bots()) return;
  const milliseconds age{base::unix_ms() - row_.created_ms};
  start_with_bots(
      std::clamp(options_.bot_fill->after - age, milliseconds{0}, options_.bot_fill->after));
}

void Table::start_with_bots(milliseconds pause) {
  if (goodbye_ || lost_) return;
  start(bots_come_, pause, [this] {
    if (!expects_bots()) return;
    const auto try_again = [this] { start_with_bots(limits::kBotRetryTime); };
    const bool sent = enqueue(
        ChangeSeats{.command = Start{.asker = row_.owner, .bot_level = options_.bot_fill->level},
                    .answer = [try_again](const Expected<store::TableRow>& started) {
                      if (!started) try_again();
                    }});
    if (!sent) try_again();  // the inbox is full
  });
}

void Table::wait_for_contributions() {
  // A contribution that comes gives the others no more time.
  if (contributions_ || !begins_without(row_)) return;
  begin_without_contributions(limits::kContributionTimeMax);
}

void Table::begin_without_contributions(milliseconds pause) {
  if (goodbye_ || lost_) return;
  start(contributions_, pause, [this] {
    if (!begins_without(row_)) return;
    const auto try_again = [this] { begin_without_contributions(limits::kBotRetryTime); };
    const bool sent =
        enqueue(ChangeSeats{.command = BeginWithout{}, .answer = [try_again](const auto& begun) {
                              if (!begun) try_again();
                            }});
    if (!sent) try_again();  // the inbox is full
  });
}

}  // namespace tesela::tables
