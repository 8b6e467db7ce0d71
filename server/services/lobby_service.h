// tesela.lobby.v1.LobbyService over gRPC.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>

#include "server/accounts/players.h"
#include "server/accounts/tokens.h"
#include "server/base/io_pool.h"
#include "server/bots/remote_bots.h"
#include "server/directory/directory.h"
#include "server/directory/table_feed.h"
#include "server/history/boards.h"
#include "server/quota/admission_control.h"
#include "server/services/table_watches.h"
#include "server/store/store.h"
#include "tesela/lobby/v1/lobby.grpc.pb.h"

namespace tesela::services {

/// Called by gRPC's threads; each call's work runs on a context of the pool. The pool must run
/// until the gRPC server has stopped.
class LobbyService final : public lobby::v1::LobbyService::CallbackService {
 public:
  struct Parts {
    base::IoPool& io;
    quota::AdmissionControl& admission;
    store::Store& store;
    directory::Directory& directory;
    accounts::Players& players;
    const accounts::Tokens& tokens;
    const history::DailyGames& daily_games;
    bots::RemoteBots& remote_bots;
    directory::TableFeed& feed;
  };

  explicit LobbyService(Parts parts);

  /// Ends every watch with UNAVAILABLE, and takes no new one. Any thread.
  void drain() { watches_.drain(); }

  grpc::ServerUnaryReactor* SignIn(grpc::CallbackServerContext* context,
                                   const lobby::v1::SignInRequest* request,
                                   lobby::v1::SignInResponse* response) override;
  grpc::ServerUnaryReactor* RenewToken(grpc::CallbackServerContext* context,
                                       const lobby::v1::RenewTokenRequest* request,
                                       lobby::v1::RenewTokenResponse* response) override;
  grpc::ServerUnaryReactor* CreateTable(grpc::CallbackServerContext* context,
                                        const lobby::v1::CreateTableRequest* request,
                                        lobby::v1::CreateTableResponse* response) override;
  grpc::ServerUnaryReactor* JoinTable(grpc::CallbackServerContext* context,
                                      const lobby::v1::JoinTableRequest* request,
                                      lobby::v1::JoinTableResponse* response) override;
  grpc::ServerUnaryReactor* Contribute(grpc::CallbackServerContext* context,
                                       const lobby::v1::ContributeRequest* request,
                                       lobby::v1::ContributeResponse* response) override;
  grpc::ServerUnaryReactor* AddBot(grpc::CallbackServerContext* context,
                                   const lobby::v1::AddBotRequest* request,
                                   lobby::v1::AddBotResponse* response) override;
  grpc::ServerUnaryReactor* StartTable(grpc::CallbackServerContext* context,
                                       const lobby::v1::StartTableRequest* request,
                                       lobby::v1::StartTableResponse* response) override;
  grpc::ServerUnaryReactor* RematchTable(grpc::CallbackServerContext* context,
                                         const lobby::v1::RematchTableRequest* request,
                                         lobby::v1::RematchTableResponse* response) override;
  grpc::ServerUnaryReactor* FreeSeat(grpc::CallbackServerContext* context,
                                     const lobby::v1::FreeSeatRequest* request,
                                     lobby::v1::FreeSeatResponse* response) override;
  grpc::ServerUnaryReactor* ListStrategies(grpc::CallbackServerContext* context,
                                           const lobby::v1::ListStrategiesRequest* request,
                                           lobby::v1::ListStrategiesResponse* response) override;
  grpc::ServerUnaryReactor* GetTable(grpc::CallbackServerContext* context,
                                     const lobby::v1::GetTableRequest* request,
                                     lobby::v1::GetTableResponse* response) override;
  grpc::ServerUnaryReactor* ListTables(grpc::CallbackServerContext* context,
                                       const lobby::v1::ListTablesRequest* request,
                                       lobby::v1::ListTablesResponse* response) override;
  grpc::ServerWriteReactor<lobby::v1::WatchTablesResponse>* WatchTables(
      grpc::CallbackServerContext* context, const lobby::v1::WatchTablesRequest* request) override;

 private:
  /// Who makes a call.
  struct Call {
    std::string token;
    quota::QuotaPtr from;
  };

  [[nodiscard]] std::optional<PlayerId> viewer(const std::string& token) const;
  [[nodiscard]] Call call_of(const grpc::CallbackServerContext& context) const;
  /// Who may make one more table, and the slots that it takes.
  struct Maker {
    accounts::Identity identity;
    directory::TableSlots slots;
  };

  boost::asio::awaitable<Expected<Maker>> admit_maker(Call call);
  boost::asio::awaitable<Expected<lobby::v1::SignInResponse>> sign_in(
      quota::QuotaPtr from, lobby::v1::SignInRequest request);
  boost::asio::awaitable<Expected<lobby::v1::RenewTokenResponse>> renew_token(
      std::string token, lobby::v1::RenewTokenRequest request);
  boost::asio::awaitable<Expected<lobby::v1::CreateTableResponse>> create_table(
      Call call, lobby::v1::CreateTableRequest request);
  template <class Response, class Request>
  boost::asio::awaitable<Expected<Response>> change_seats(Call call, Request request);
  boost::asio::awaitable<Expected<lobby::v1::ContributeResponse>> contribute(
      Call call, lobby::v1::ContributeRequest request);
  boost::asio::awaitable<Expected<lobby::v1::RematchTableResponse>> rematch_table(
      Call call, lobby::v1::RematchTableRequest request);
  boost::asio::awaitable<Expected<lobby::v1::ListStrategiesResponse>> list_strategies(
      std::string name);
  boost::asio::awaitable<Expected<lobby::v1::GetTableResponse>> get_table(std::string token,
                                                                          std::string table_id);
  boost::asio::awaitable<Expected<lobby::v1::ListTablesResponse>> list_tables(
      std::string token, lobby::v1::ListTablesRequest request);

  Parts parts_;
  TableWatches watches_;
};

}  // namespace tesela::services
