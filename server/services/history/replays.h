// The streams of HistoryService.Replay.
#pragma once

#include <atomic>
#include <cstddef>

#include "server/history/game_record.h"
#include "server/quota/admission_control.h"
#include "server/replay/aside.h"
#include "server/replay/start_of_execution.h"
#include "server/rpc/method.h"
#include "server/store/table_rows.h"
#include "tesela/lobby/v1/history.pb.h"

namespace tesela::services {

/// Any thread. Outlives its streams.
class Replays {
 public:
  /// Games are executed by `aside`, after what people who play wait for.
  Replays(replay::Aside aside, replay::Source source, store::TableRows& table_rows)
      : aside_(aside), source_(source), table_rows_(table_rows) {}

  /// A stream of a game's frames, which are made limits::kReplayAhead at a time as they are read.
  /// What is executed is charged to `from`. Errors: kInvalidArgument; kResourceExhausted at
  /// limits::kReplaysMax.
  [[nodiscard]] Expected<rpc::StreamPtr> show(const lobby::v1::ReplayRequest& request,
                                              quota::Slots slots, quota::QuotaPtr from,
                                              history::Invitation invitation);

 private:
  class Show;

  const replay::Aside aside_;
  const replay::Source source_;
  store::TableRows& table_rows_;
  std::atomic<std::size_t> running_ = 0;
};

}  // namespace tesela::services
