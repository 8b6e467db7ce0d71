#include "server/ops/admin/admin_proto.h"

#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <array>

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

static_assert(static_cast<int>(store::Duty::kSweep) == pb::NODE_DUTY_SWEEP);
static_assert(static_cast<int>(store::Duty::kMatch) == pb::NODE_DUTY_MATCH);

struct Level {
  spdlog::level::level_enum level;
  pb::LogLevel shown;
};
constexpr std::array<Level, 5> kLevels{{{spdlog::level::trace, pb::LOG_LEVEL_TRACE},
                                        {spdlog::level::debug, pb::LOG_LEVEL_DEBUG},
                                        {spdlog::level::info, pb::LOG_LEVEL_INFO},
                                        {spdlog::level::warn, pb::LOG_LEVEL_WARN},
                                        {spdlog::level::err, pb::LOG_LEVEL_ERROR}}};

/// The fields that both messages have.
template <class From, class To>
void copy_status(const From& from, To& to) {
  to.set_version(from.version());
  *to.mutable_started_at() = from.started_at();
  *to.mutable_uptime() = from.uptime();
  to.set_ready(from.ready());
  to.set_reason(from.reason());
  to.set_draining(from.draining());
  to.set_frozen(from.frozen());
  to.set_tables_in_memory(from.tables_in_memory());
  to.set_connections(from.connections());
  to.set_streams(from.streams());
  to.set_memory_bytes(from.memory_bytes());
  to.set_log_level(from.log_level());
  *to.mutable_damaged_tables() = from.damaged_tables();
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
  summary.set_kind(static_cast<pb::AccountKind>(row.kind));
  if (row.owner) summary.set_owner_id(base::to_text(*row.owner));
  return summary;
}

pb::LogLevel to_proto(spdlog::level::level_enum level) {
  const auto found = std::ranges::find(kLevels, level, &Level::level);
  return found == kLevels.end() ? pb::LOG_LEVEL_ERROR : found->shown;
}

Expected<spdlog::level::level_enum> from_proto(pb::LogLevel level) {
  const auto found = std::ranges::find(kLevels, level, &Level::shown);
  if (found != kLevels.end()) return found->level;
  return refuse(ErrorCode::kInvalidArgument,
                "level " + std::to_string(level) + " is not a level of the log.");
}

pb::Node to_proto(const store::NodeRow& row) {
  pb::Node shown;
  shown.set_address(row.address);
  shown.set_life(base::to_text(row.life));
  shown.set_alive(row.alive);
  if (row.lease_age) {
    *shown.mutable_lease_age() = TimeUtil::MillisecondsToDuration(row.lease_age->count());
  }
  if (row.dead_for) {
    *shown.mutable_dead_for() = TimeUtil::MillisecondsToDuration(row.dead_for->count());
  }
  if (row.tables) shown.set_tables(*row.tables);
  for (const store::Duty duty : row.duties) shown.add_duties(static_cast<pb::NodeDuty>(duty));
  return shown;
}

pb::GetStatusResponse to_status(const node::v1::GetNodeResponse& said) {
  pb::GetStatusResponse status;
  copy_status(said, status);
  return status;
}

node::v1::GetNodeResponse to_node(const pb::GetStatusResponse& status) {
  node::v1::GetNodeResponse said;
  copy_status(status, said);
  return said;
}

}  // namespace tesela::ops
