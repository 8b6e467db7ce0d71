#include "clients/cli/tools/bot_host.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

#include "clients/cli/simulate/bot.h"
#include "clients/cli/tools/remote_visit.h"
#include "tesela/bot/v1/bot.grpc.pb.h"
#include "tesela/lobby/v1/lobby.grpc.pb.h"

namespace tesela::cli {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// As on a server, where limits::kGrpcPingInterval says the same: the time without data before a
// ping, and for its answer. Later: the connection is closed.
constexpr milliseconds kPingInterval{20'000};

/// Accepts every sign-in: nothing here belongs to a player.
class OpenLobby final : public lobby::v1::LobbyService::Service {
 public:
  grpc::Status SignIn(grpc::ServerContext* /*context*/, const lobby::v1::SignInRequest* request,
                      lobby::v1::SignInResponse* response) override {
    response->set_token("tournament");
    response->set_display_name(request->display_name());
    return grpc::Status::OK;
  }
};

}  // namespace

class BotHost::Services final : public bot::v1::BotService::Service {
 public:
  Services(std::string game, Expectations expected)
      : game_{std::move(game)}, expected_{std::move(expected)} {}

  ~Services() override {
    if (server_) server_->Shutdown(std::chrono::system_clock::now());
  }

  /// False when the address cannot be had.
  bool listen(const std::string& address) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port_);
    // Else a second program could listen here too, and get some of the bots.
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    constexpr int kPingMs = kPingInterval.count();
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kPingMs);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kPingMs);
    // A bot may ping as often as it likes.
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
    builder.RegisterService(&lobby_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    return server_ != nullptr && port_ != 0;
  }

  grpc::Status Play(grpc::ServerContext* context, RemoteVisit::Stream* stream) override {
    bot::v1::PlayRequest request;
    if (!stream->Read(&request) || !request.has_offer()) {
      return {grpc::StatusCode::INVALID_ARGUMENT, "The first message is an Offer."};
    }
    const std::string name = std::string{kRemotePrefix} + request.offer().name();
    const auto expected = expected_.find(name);
    if (request.offer().game() != game_ || expected == expected_.end()) {
      return {grpc::StatusCode::INVALID_ARGUMENT,
              "This is a tournament of " + game_ + " without " + name + "."};
    }
    bot::v1::PlayResponse accepted;
    accepted.mutable_accepted()->set_strategy(name);
    accepted.mutable_accepted()->set_move_ms(
        static_cast<std::uint32_t>(std::chrono::ceil<milliseconds>(expected->second).count()));
    const auto visit = enter(name, *context, *stream, std::move(accepted));
    if (!visit) return {grpc::StatusCode::ALREADY_EXISTS, name + " is here already."};
    grpc::Status status = visit->read_all();
    leave(name, *visit);
    return status;
  }

  [[nodiscard]] int port() const { return port_; }

  void wait_for_all() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return here_.size() == expected_.size(); });
  }

  std::optional<std::string> ask(const std::string& bot, const std::string& config,
                                 games::BotRequest request, microseconds time) {
    std::shared_ptr<RemoteVisit> visit;
    {
      const std::lock_guard lock{mutex_};
      const auto found = here_.find(bot);
      if (found == here_.end()) return std::nullopt;
      visit = found->second;
    }
    return visit->ask(config, std::move(request), time);
  }

  std::set<std::string> cut_off() const {
    const std::lock_guard lock{mutex_};
    std::set<std::string> all = cut_off_;
    for (const auto& [name, visit] : here_) {
      if (visit->is_cut_off()) all.insert(name);
    }
    return all;
  }

 private:
  /// Null while the bot is here already.
  std::shared_ptr<RemoteVisit> enter(const std::string& name, grpc::ServerContext& context,
                                     RemoteVisit::Stream& stream, bot::v1::PlayResponse accepted) {
    const std::lock_guard lock{mutex_};
    if (here_.contains(name)) return nullptr;
    auto visit = std::make_shared<RemoteVisit>(context, stream, std::move(accepted));
    here_.emplace(name, visit);
    changed_.notify_all();
    return visit;
  }

  void leave(const std::string& name, const RemoteVisit& visit) {
    const std::lock_guard lock{mutex_};
    if (visit.is_cut_off()) cut_off_.insert(name);
    here_.erase(name);
  }

  const std::string game_;
  const Expectations expected_;
  OpenLobby lobby_;
  int port_{0};
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::shared_ptr<RemoteVisit>> here_;  // from here on under `mutex_`
  std::set<std::string> cut_off_;                             // of those that have left
  std::unique_ptr<grpc::Server> server_;  // last: its calls use everything above
};

Expected<std::unique_ptr<BotHost>> BotHost::listen(const std::string& address,
                                                   const std::string& game,
                                                   const Expectations& expected) {
  auto services = std::make_unique<Services>(game, expected);
  if (!services->listen(address)) {
    return refuse(ErrorCode::kUnavailable, "Cannot listen at " + address + ".");
  }
  return std::make_unique<BotHost>(std::move(services));
}

BotHost::BotHost(std::unique_ptr<Services> services) : services_{std::move(services)} {}

BotHost::~BotHost() = default;

int BotHost::port() const {
  return services_->port();
}

void BotHost::wait_for_all() {
  services_->wait_for_all();
}

std::set<std::string> BotHost::cut_off() const {
  return services_->cut_off();
}

std::optional<std::string> BotHost::ask(const std::string& bot, const std::string& config,
                                        games::BotRequest request, microseconds time) {
  return services_->ask(bot, config, std::move(request), time);
}

}  // namespace tesela::cli
