#include "server/ops/admin/admin_proto.h"

#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <string>

#include "server/base/text_encoding.h"
#include "server/directory/lobby/table_proto.h"

namespace tesela::ops {
namespace {

namespace pb = admin::v1;
using google::protobuf::util::TimeUtil;

/// From the Seating frame of the table.
play::v1::ServerFrame frame_of(const codec::FramePtr& frame) {
  play::v1::ServerFrame message;
  if (frame) message.ParseFromString(frame->bytes(codec::Protocol::kBinary));
  return message;
}

}  // namespace

pb::TableSummary to_proto(const store::TableRow& row, const std::optional<tables::LiveView>& live) {
  pb::TableSummary summary;
  *summary.mutable_table() = directory::to_proto(row);
  summary.set_invite_needed(!row.invite.empty());
  if (!live) return summary;
  const auto frame = frame_of(live->seating);
  summary.set_in_memory(true);
  summary.set_spectators(frame.seating().spectators());
  summary.set_players_connected(static_cast<std::uint32_t>(
      std::ranges::count_if(frame.seating().seats(), &play::v1::SeatOccupant::connected)));
  return summary;
}

void add_live_view(const tables::LiveView& live, pb::InspectTableResponse& response) {
  *response.mutable_seating() = frame_of(live.seating).seating();
  if (live.clocks) *response.mutable_clocks() = frame_of(live.clocks).clocks();
}

pb::PlayerSummary to_proto(const store::PlayerRow& row) {
  pb::PlayerSummary summary;
  summary.set_player_id(base::to_text(row.id));
  summary.set_display_name(row.display_name);
  *summary.mutable_created_at() = TimeUtil::MillisecondsToTimestamp(row.created_ms);
  return summary;
}

pb::LogLevel to_proto(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::trace:
      return pb::LOG_LEVEL_TRACE;
    case spdlog::level::debug:
      return pb::LOG_LEVEL_DEBUG;
    case spdlog::level::info:
      return pb::LOG_LEVEL_INFO;
    case spdlog::level::warn:
      return pb::LOG_LEVEL_WARN;
    default:
      return pb::LOG_LEVEL_ERROR;
  }
}

Expected<spdlog::level::level_enum> from_proto(pb::LogLevel level) {
  switch (level) {
    case pb::LOG_LEVEL_TRACE:
      return spdlog::level::trace;
    case pb::LOG_LEVEL_DEBUG:
      return spdlog::level::debug;
    case pb::LOG_LEVEL_INFO:
      return spdlog::level::info;
    case pb::LOG_LEVEL_WARN:
      return spdlog::level::warn;
    case pb::LOG_LEVEL_ERROR:
      return spdlog::level::err;
    default:
      return refuse(ErrorCode::kInvalidArgument,
                    "level " + std::to_string(level) + " is not a level of the log.");
  }
}

}  // namespace tesela::ops
