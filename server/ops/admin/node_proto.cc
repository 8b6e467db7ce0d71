#include "server/ops/admin/node_proto.h"

#include <google/protobuf/util/time_util.h>

#include "server/base/text_encoding.h"

namespace tesela::ops {
namespace {

namespace pb = admin::v1;
using google::protobuf::util::TimeUtil;

pb::NodeDuty to_proto(store::Duty duty) {
  switch (duty) {
    case store::Duty::kSweep:
      return pb::NODE_DUTY_SWEEP;
    case store::Duty::kMatch:
      return pb::NODE_DUTY_MATCH;
  }
  return pb::NODE_DUTY_UNSPECIFIED;
}

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
}

}  // namespace

std::string to_text(store::LifeId life) {
  return base::to_text(TableId{life.value});
}

pb::Node to_proto(const store::NodeRow& row) {
  pb::Node shown;
  shown.set_address(row.address);
  shown.set_life(to_text(row.life));
  shown.set_alive(row.alive);
  if (row.lease_age) {
    *shown.mutable_lease_age() = TimeUtil::MillisecondsToDuration(row.lease_age->count());
  }
  if (row.dead_for) {
    *shown.mutable_dead_for() = TimeUtil::MillisecondsToDuration(row.dead_for->count());
  }
  if (row.tables) shown.set_tables(*row.tables);
  for (const store::Duty duty : row.duties) shown.add_duties(to_proto(duty));
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
