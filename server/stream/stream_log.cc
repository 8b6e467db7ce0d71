#include "server/stream/stream_log.h"

#include <utility>

#include "server/base/clock.h"
#include "server/base/log/seldom_log.h"
#include "server/base/text_encoding.h"

namespace tesela::stream {
namespace {

void tell(spdlog::level::level_enum level, std::string_view sentence, bool player,
          base::LogFields fields) {
  static auto of_strangers = base::SeldomLog::of_strangers();
  static auto of_players = base::SeldomLog::of_players();
  (player ? of_players : of_strangers).log(level, sentence, std::move(fields));
}

}  // namespace

StreamLog::StreamLog(metrics::Metrics& metrics, TableId table, const boost::asio::ip::address& from)
    : metrics_(metrics), table_(table), from_(from) {
  metrics_.streams_open().Increment();
}

StreamLog::~StreamLog() {
  metrics_.streams_open().Decrement();
}

void StreamLog::seated(std::optional<Seat> seat) {
  if (!spdlog::should_log(spdlog::level::debug)) return;
  tell(spdlog::level::debug, "stream began", player_.has_value(), fields(seat));
}

void StreamLog::ended(std::optional<codec::Reason> goodbye, std::optional<Seat> seat) const {
  if (!spdlog::should_log(spdlog::level::info)) return;
  auto told = fields(seat);
  told["seconds"] = base::rounded(base::seconds_since(began_));
  told["frames"] = frames_;
  told["reason"] = goodbye ? codec::name_of(*goodbye) : lost_;
  tell(spdlog::level::info, "stream ended", player_.has_value(), std::move(told));
}

base::LogFields StreamLog::fields(std::optional<Seat> seat) const {
  base::LogFields told{{"table", base::to_text(table_)}};
  if (player_) told["player"] = base::to_text(*player_);
  if (seat) told["seat"] = seat->value;
  told["address"] = from_.to_string();
  return told;
}

}  // namespace tesela::stream
