// tesela.admin.v1.AdminService over gRPC.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "server/base/io_pool.h"
#include "server/base/seldom_log.h"
#include "server/directory/directory.h"
#include "server/directory/operator_access.h"
#include "server/metrics/metrics.h"
#include "server/ops/health.h"
#include "server/quota/admission_control.h"
#include "server/store/store.h"
#include "tesela/admin/v1/admin.grpc.pb.h"

namespace tesela::ops {

/// Threading as LobbyService. Every method requires the admin token.
class AdminService final : public admin::v1::AdminService::CallbackService {
 public:
  struct Parts {
    base::IoPool& io;
    quota::AdmissionControl& admission;
    store::EventLog& log;
    store::Store& store;
    directory::Directory& directory;
    const Health& health;
    metrics::Metrics& metrics;
    std::string token;  // the admin token
    bool http_only{};   // the gRPC port is open to more than operators
    /// Stops accepting work and sends Goodbye to all clients; returns when it was sent. May be
    /// called again, from any thread.
    std::function<boost::asio::awaitable<void>()> drain;
    /// Ends the process after the responses under way. Any thread.
    std::function<void()> exit;
  };

  explicit AdminService(Parts parts);

  grpc::ServerUnaryReactor* GetStatus(grpc::CallbackServerContext* context,
                                      const admin::v1::GetStatusRequest* request,
                                      admin::v1::GetStatusResponse* response) override;
  grpc::ServerUnaryReactor* ListTables(grpc::CallbackServerContext* context,
                                       const admin::v1::ListTablesRequest* request,
                                       admin::v1::ListTablesResponse* response) override;
  grpc::ServerUnaryReactor* InspectTable(grpc::CallbackServerContext* context,
                                         const admin::v1::InspectTableRequest* request,
                                         admin::v1::InspectTableResponse* response) override;
  grpc::ServerUnaryReactor* ListPlayers(grpc::CallbackServerContext* context,
                                        const admin::v1::ListPlayersRequest* request,
                                        admin::v1::ListPlayersResponse* response) override;
  grpc::ServerUnaryReactor* InspectPlayer(grpc::CallbackServerContext* context,
                                          const admin::v1::InspectPlayerRequest* request,
                                          admin::v1::InspectPlayerResponse* response) override;
  grpc::ServerUnaryReactor* CloseTable(grpc::CallbackServerContext* context,
                                       const admin::v1::CloseTableRequest* request,
                                       admin::v1::CloseTableResponse* response) override;
  grpc::ServerUnaryReactor* Drain(grpc::CallbackServerContext* context,
                                  const admin::v1::DrainRequest* request,
                                  admin::v1::DrainResponse* response) override;
  grpc::ServerUnaryReactor* SetLogLevel(grpc::CallbackServerContext* context,
                                        const admin::v1::SetLogLevelRequest* request,
                                        admin::v1::SetLogLevelResponse* response) override;

 private:
  template <class T>
  using Answer = boost::asio::awaitable<Expected<T>>;

  struct Caller {
    std::string token;
    std::string from;
    bool by_grpc{};
  };

  [[nodiscard]] Caller caller_of(const grpc::CallbackServerContext& context) const;
  /// Checks the admin token. A wrong one is logged.
  [[nodiscard]] Expected<void> admit(const Caller& caller);
  /// Checks the admin token, does the work, and logs `what`.
  template <class Response>
  Answer<Response> attend(Caller caller, std::string what, Answer<Response> work);
  Answer<admin::v1::GetStatusResponse> get_status();
  Answer<admin::v1::ListTablesResponse> list_tables(admin::v1::ListTablesRequest request);
  Answer<admin::v1::InspectTableResponse> inspect_table(std::string table_id);
  Answer<admin::v1::ListPlayersResponse> list_players(admin::v1::ListPlayersRequest request);
  Answer<admin::v1::InspectPlayerResponse> inspect_player(std::string player_id);
  Answer<admin::v1::CloseTableResponse> close_table(admin::v1::CloseTableRequest request);
  Answer<admin::v1::DrainResponse> drain(bool exit);
  Answer<admin::v1::SetLogLevelResponse> set_log_level(admin::v1::LogLevel level);

  boost::asio::awaitable<Expected<void>> add_ratings(PlayerId player,
                                                     admin::v1::InspectPlayerResponse& response);
  boost::asio::awaitable<Expected<void>> add_tables(PlayerId player, store::TableState state,
                                                    admin::v1::InspectPlayerResponse& response);
  boost::asio::awaitable<admin::v1::TableSummary> summary_of(store::TableRow row);

  Parts parts_;
  directory::OperatorAccess tables_{parts_.directory};
  base::SeldomLog refusal_lines_;
  const std::chrono::system_clock::time_point started_at_;
  const std::chrono::steady_clock::time_point started_;
};

}  // namespace tesela::ops
