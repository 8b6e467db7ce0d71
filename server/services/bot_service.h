// tesela.bot.v1.BotService, over gRPC alone: the streams of remote bots.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <boost/asio/awaitable.hpp>
#include <memory>

#include "engine/core/result.h"
#include "server/accounts/players.h"
#include "server/base/io_pool.h"
#include "server/bots/remote_bots.h"
#include "server/quota/admission_control.h"
#include "server/rpc/grpc/grpc_server.h"
#include "server/rpc/open_streams.h"
#include "server/services/cluster_bots.h"
#include "server/store/friends.h"
#include "server/store/store.h"
#include "tesela/bot/v1/bot.grpc.pb.h"

namespace tesela::services {

/// Any thread. Outlives its calls: the gRPC server has stopped before it is destroyed. Not by
/// rpc::Calls, since its method takes a stream.
class BotService final : public bot::v1::BotService::CallbackService {
 public:
  struct Parts {
    base::IoPool& io;
    quota::AdmissionControl& admission;
    store::Store& store;
    store::Friends& friends;
    accounts::Players& players;
    bots::RemoteBots& remote_bots;
    ClusterBots* cluster{};  // null: no other server has bots or tables
  };
  using Reactor = grpc::ServerBidiReactor<bot::v1::PlayRequest, bot::v1::PlayResponse>;

  explicit BotService(Parts parts);
  ~BotService() override;

  /// Ends every stream with UNAVAILABLE, and every one that begins later.
  void drain();
  void undrain() { calls_.undrain(); }

  [[nodiscard]] rpc::GrpcServer::NamedService named() {
    return {.name = bot::v1::BotService::service_full_name(), .service = this};
  }

  Reactor* Play(grpc::CallbackServerContext* context) override;

 private:
  class Call;

  /// Offers the bot to tables: gives its name as a strategy. Errors: those of Play.
  boost::asio::awaitable<Expected<std::string>> accept(bot::v1::Offer offer,
                                                       std::shared_ptr<Call> call);
  void withdraw(const Call& call);

  Parts parts_;
  rpc::OpenStreams<Call> calls_;
};

}  // namespace tesela::services
