// A Table that waits for players, and begins with bots when its time is over.
#include <algorithm>

#include "server/net/limits.h"
#include "server/ops/clock.h"
#include "server/table/table.h"

namespace tesela::table {

using std::chrono::milliseconds;

bool Table::expects_bots() const {
  return row_.state == store::TableState::kOpen && options_.bot_fill.has_value();
}

void Table::wait_for_players() {
  if (!expects_bots()) return;
  const milliseconds age{ops::unix_ms() - row_.created_ms};
  start_with_bots(
      std::clamp(options_.bot_fill->after - age, milliseconds{0}, options_.bot_fill->after));
}

void Table::start_with_bots(milliseconds pause) {
  if (farewell_ || lost_) return;
  start(bots_come_, pause, [this] {
    if (!expects_bots()) return;
    const auto try_again = [this] { start_with_bots(limits::kBotRetryTime); };
    const bool sent = command(
        WishCommand{.wish = Start{.asker = row_.owner, .bot_level = options_.bot_fill->level},
                    .answer = [try_again](const Expected<store::TableRow>& started) {
                      if (!started) try_again();
                    }});
    if (!sent) try_again();  // the inbox is full
  });
}

}  // namespace tesela::table
