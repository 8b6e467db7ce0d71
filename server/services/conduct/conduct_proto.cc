#include "server/services/conduct/conduct_proto.h"

#include <google/protobuf/util/time_util.h>

#include "server/base/text_encoding.h"

namespace tesela::services {

using google::protobuf::util::TimeUtil;

account::v1::ReportLine to_proto(const store::ReportLine& line) {
  account::v1::ReportLine message;
  message.set_player_id(base::to_text(line.player));
  *message.mutable_said_at() = TimeUtil::MillisecondsToTimestamp(line.at_ms);
  if (line.phrase != 0) {
    message.set_phrase(static_cast<play::v1::Phrase>(line.phrase));
  } else {
    message.set_text(line.text);
  }
  return message;
}

account::v1::Act to_proto(const store::ActRow& row, std::int64_t now_ms) {
  account::v1::Act act;
  act.set_act_id(base::to_text(row.id));
  act.set_kind(static_cast<account::v1::ActKind>(row.kind));
  act.set_reason(row.reason);
  *act.mutable_created_at() = TimeUtil::MillisecondsToTimestamp(row.created_ms);
  if (row.until_ms && *row.until_ms < store::kForEver) {
    *act.mutable_until() = TimeUtil::MillisecondsToTimestamp(*row.until_ms);
  }
  const bool holds = row.table || (row.until_ms && *row.until_ms > now_ms);
  act.set_in_force(holds && !row.undone_by);
  act.set_undone(row.undone_by.has_value());
  act.set_seen(row.seen_ms.has_value());
  act.set_answer(row.answer);
  if (row.table) act.set_table_id(base::to_text(*row.table));
  return act;
}

}  // namespace tesela::services
