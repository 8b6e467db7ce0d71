// The streams of HistoryService.Analyse.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "server/base/analysis_limits.h"
#include "server/bots/bot_threads.h"
#include "server/quota/admission_control.h"
#include "server/replay/aside.h"
#include "server/replay/start_of_execution.h"
#include "server/rpc/method.h"
#include "server/rpc/open_streams.h"
#include "server/services/history/table_cache.h"
#include "server/store/table_rows.h"
#include "tesela/lobby/v1/history.pb.h"

namespace tesela::services {

/// Any thread. Outlives its streams.
class Analyses {
 public:
  struct Parts {
    replay::Aside aside;     // where games are executed again
    bots::BotThreads& bots;  // where their positions are searched
    replay::Source source;
    store::TableRows& table_rows;
    std::chrono::milliseconds effort{limits::kAnalysisTime};
    std::chrono::milliseconds time_max{limits::kAnalysedWaitMax};  // of one search
  };

  explicit Analyses(Parts parts);
  ~Analyses();
  Analyses(const Analyses&) = delete;
  Analyses& operator=(const Analyses&) = delete;

  /// A stream of the judged moves of a finished game, awaited on `executor`. One search at a time
  /// is queued, which begins when no table with connections waits for one. Each has a number of
  /// nodes by Parts::effort and the length of the game, and dice by its position: the judgements
  /// are the same on every server. What is executed is charged to `from`. Errors: kInvalidArgument;
  /// kResourceExhausted at limits::kAnalysesMax, and where a search takes Parts::time_max;
  /// kUnavailable after `drain`.
  [[nodiscard]] Expected<rpc::StreamPtr> analyse(const lobby::v1::AnalyseRequest& request,
                                                 quota::Slots slots, quota::QuotaPtr from,
                                                 const boost::asio::any_io_executor& executor);

  /// Ends every stream with kUnavailable, and refuses new ones.
  void drain();
  void undrain() { open_.undrain(); }

 private:
  class Analysis;

  Parts parts_;
  TableCache<std::vector<std::string>> cache_{limits::kAnalysesKept,
                                              limits::kAnalysesKeptBytes};  // encoded messages
  rpc::OpenStreams<Analysis> open_;
};

}  // namespace tesela::services
