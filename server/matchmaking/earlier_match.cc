#include "server/matchmaking/earlier_match.h"

#include <chrono>
#include <utility>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/codec/table_options.h"
#include "server/matchmaking/matched_table.h"
#include "server/replay/game_outcome.h"

namespace tesela::matchmaking {

using boost::asio::awaitable;
using std::chrono::milliseconds;

awaitable<Expected<std::optional<store::TableRow>>> earlier_match(directory::Directory& directory,
                                                                  TableId last, Seeker seeker) {
  auto row = co_await directory.stored(last);
  if (!row) co_return std::unexpected(row.error());
  const milliseconds age{base::unix_ms() - row->created_ms};
  const bool ranked = seeker.queue.mode == Mode::kRanked;
  const auto options = codec::decode_table_options(row->options);
  const bool same = row->game == seeker.queue.game && row->config == seeker.queue.config &&
                    replay::is_ranked(*row) == ranked && options &&
                    options->clock == clock_of(seeker.queue.pace);
  const bool lives =
      row->state == store::TableState::kInPlay || row->state == store::TableState::kOpen;
  if (!same || !lives || age > limits::kMatchedAgainTime) {
    co_return std::nullopt;
  }
  const auto plays = co_await directory.plays(row->id, seeker.player);
  if (!plays) co_return std::unexpected(plays.error());
  if (!*plays) co_return std::nullopt;
  co_return std::move(*row);
}

}  // namespace tesela::matchmaking
