#include "server/tables/table_gauge.h"

#include <algorithm>

#include "server/base/log/seldom_log.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"

namespace tesela::tables {

using store::TableState;

void note_made(const store::TableRow& row) {
  static auto lines = base::SeldomLog::of_players();
  const auto is_bot = [&row](const auto& seat) { return bots::is_bot(row.game, seat); };
  lines.log(spdlog::level::info, "table made",
            {{"table", base::to_text(row.id)},
             {"game", row.game},
             {"owner", base::to_text(row.owner)},
             {"seats", row.seat_count},
             {"bots", std::ranges::count_if(row.seats, is_bot)}});
}

void note_end(metrics::Metrics& metrics, const store::TableRow& row, std::string_view end) {
  if (row.state == TableState::kClosed) end = "closed";
  metrics.games_ended(row.game, end).Increment();
  static auto lines = base::SeldomLog::of_players();
  base::LogFields fields{{"table", base::to_text(row.id)}, {"game", row.game}, {"end", end}};
  if (row.ending) {
    const auto ms = static_cast<double>(row.ending->ended_ms - row.created_ms);
    fields["seconds"] = base::rounded(ms / 1000);
  }
  lines.log(spdlog::level::info, "table ended", std::move(fields));
}

void TableGauge::count(const store::TableRow& row, std::string_view end) {
  const bool first = gauge_ == nullptr;
  const bool waits = row.state == TableState::kOpen;
  const bool plays = row.state == TableState::kInPlay;
  leave();
  gauge_ = &metrics_.tables(row.game, waits ? "waiting" : plays ? "playing" : "finished");
  gauge_->Increment();
  if (plays) {
    const auto is_bot = [&row](const auto& seat) { return bots::is_bot(row.game, seat); };
    playing_bots_ = static_cast<double>(std::ranges::count_if(row.seats, is_bot));
    bots_.Increment(playing_bots_);
  }
  const bool ended = !waits && !plays;
  if (ended && !ended_ && !first) note_end(metrics_, row, end);
  ended_ = ended;
}

void TableGauge::leave() {
  if (gauge_ != nullptr) gauge_->Decrement();
  gauge_ = nullptr;
  bots_.Decrement(playing_bots_);
  playing_bots_ = 0;
}

}  // namespace tesela::tables
