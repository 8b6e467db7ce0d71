// The methods of tesela.lobby.v1.HistoryService.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "server/accounts/tokens.h"
#include "server/base/analysis_limits.h"
#include "server/history/game_record.h"
#include "server/quota/admission_control.h"
#include "server/replay/aside.h"
#include "server/rpc/method.h"
#include "server/services/history/analyses.h"
#include "server/services/history/replays.h"
#include "server/store/snapshots.h"
#include "server/store/table_rows.h"
#include "tesela/lobby/v1/history.pb.h"

namespace tesela::services {

/// Any thread. Outlives its calls.
class HistoryService {
 public:
  struct Parts {
    quota::AdmissionControl& admission;
    const accounts::Tokens& tokens;
    store::EventReader& log;
    store::Snapshots& snapshots;
    store::TableRows& table_rows;
    replay::Aside aside;                                        // where games are executed again
    bots::BotThreads& bots;                                     // where they are analysed
    std::chrono::milliseconds analysis{limits::kAnalysisTime};  // Analyses::Parts::effort
  };

  explicit HistoryService(Parts parts)
      : parts_(parts),
        replays_(parts.aside, {parts.log, parts.snapshots}, parts.table_rows),
        analyses_({.aside = parts.aside,
                   .bots = parts.bots,
                   .source = {parts.log, parts.snapshots},
                   .table_rows = parts.table_rows,
                   .effort = parts.analysis}) {}

  [[nodiscard]] std::vector<rpc::Method> methods();
  /// Ends every analysis with UNAVAILABLE, and every one that begins later.
  void drain() { analyses_.drain(); }
  void undrain() { analyses_.undrain(); }

 private:
  /// The slots of a look at a finished game, of the address and of the player whom the token names.
  [[nodiscard]] Expected<quota::Slots> hold(quota::Held what, const rpc::Caller& caller) const;
  boost::asio::awaitable<Expected<lobby::v1::GetRecordResponse>> get_record(
      lobby::v1::GetRecordRequest request, rpc::Caller caller);
  boost::asio::awaitable<Expected<lobby::v1::VerifyResponse>> verify(
      lobby::v1::VerifyRequest request, rpc::Caller caller);
  boost::asio::awaitable<Expected<rpc::StreamPtr>> replay(lobby::v1::ReplayRequest request,
                                                          rpc::Caller caller);
  boost::asio::awaitable<Expected<rpc::StreamPtr>> analyse(lobby::v1::AnalyseRequest request,
                                                           rpc::Caller caller);
  [[nodiscard]] history::Invitation invitation_of(std::string invite,
                                                  const std::string& table_id) const;
  boost::asio::awaitable<Expected<lobby::v1::GameRecord>> read_record(
      std::string table_id, quota::QuotaPtr from, history::Invitation invitation);
  boost::asio::awaitable<Expected<lobby::v1::GameRecord>> read_charged(
      TableId id, quota::QuotaPtr from, history::Invitation invitation);

  Parts parts_;
  Replays replays_;
  Analyses analyses_;
};

}  // namespace tesela::services
