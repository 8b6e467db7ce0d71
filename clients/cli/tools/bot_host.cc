#include "clients/cli/tools/bot_host.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

#include "server/games/bot_question.h"
#include "server/games/codec_parts.h"
#include "tesela/bot/v1/bot.grpc.pb.h"
#include "tesela/lobby/v1/lobby.grpc.pb.h"

namespace tesela::cli {
namespace {

using bot::v1::PlayRequest;
using bot::v1::PlayResponse;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::string_view kPrefix = "ext/";

PlayResponse question_of(std::uint64_t id, const std::string& config,
                         const games::BotRequest& request, microseconds time) {
  PlayResponse response;
  games::write(id, config, request, std::chrono::ceil<milliseconds>(time),
               *response.mutable_question());
  return response;
}

/// A connected bot: its stream, and the open questions to it.
class Visit {
 public:
  using Stream = grpc::ServerReaderWriter<PlayResponse, PlayRequest>;

  explicit Visit(Stream& stream) : stream_{stream} {}

  /// Asks the bot for a move. Its answer, packed; empty when it is late or leaves.
  std::optional<google::protobuf::Any> ask(const std::string& config,
                                           const games::BotRequest& request, microseconds time) {
    const auto deadline = std::chrono::steady_clock::now() + time;
    std::unique_lock lock{mutex_};
    const std::uint64_t id = ++last_id_;
    open_.emplace(id, std::nullopt);
    lock.unlock();
    send(question_of(id, config, request, time));
    lock.lock();
    answered_.wait_until(lock, deadline, [&] { return gone_ || open_.at(id).has_value(); });
    auto answer = std::move(open_.at(id));
    open_.erase(id);
    lock.unlock();
    if (!answer) {
      PlayResponse late;
      late.mutable_dismissed()->set_question_id(id);
      late.mutable_dismissed()->set_message("Too late.");
      send(late);
    }
    return answer;
  }

  void answer(bot::v1::Answer answer) {
    {
      const std::lock_guard lock{mutex_};
      if (const auto open = open_.find(answer.question_id()); open != open_.end()) {
        open->second = std::move(*answer.mutable_move());
      }
    }
    answered_.notify_all();
  }

  void leave() {
    {
      const std::lock_guard lock{mutex_};
      gone_ = true;
    }
    answered_.notify_all();
  }

  void send(const PlayResponse& response) {
    const std::lock_guard lock{writing_};
    stream_.Write(response);
  }

  std::size_t users{0};  // that may use the stream; guarded by the mutex of the host

 private:
  Stream& stream_;
  std::mutex writing_;
  std::mutex mutex_;
  std::condition_variable answered_;
  std::uint64_t last_id_{0};  // from here on under `mutex_`
  std::map<std::uint64_t, std::optional<google::protobuf::Any>> open_;
  bool gone_{false};
};

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
    builder.RegisterService(&lobby_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    return server_ != nullptr && port_ != 0;
  }

  grpc::Status Play(grpc::ServerContext* /*context*/, Visit::Stream* stream) override {
    PlayRequest request;
    if (!stream->Read(&request) || !request.has_offer()) {
      return {grpc::StatusCode::INVALID_ARGUMENT, "The first message is an Offer."};
    }
    const std::string name = std::string{kPrefix} + request.offer().name();
    const auto expected = expected_.find(name);
    if (request.offer().game() != game_ || expected == expected_.end()) {
      return {grpc::StatusCode::INVALID_ARGUMENT,
              "This is a tournament of " + game_ + " without " + name + "."};
    }
    const auto visit = std::make_shared<Visit>(*stream);
    PlayResponse accepted;
    accepted.mutable_accepted()->set_strategy(name);
    accepted.mutable_accepted()->set_move_ms(
        static_cast<std::uint32_t>(std::chrono::ceil<milliseconds>(expected->second).count()));
    if (!enter(name, visit, accepted)) {
      return {grpc::StatusCode::ALREADY_EXISTS, name + " is here already."};
    }
    while (stream->Read(&request)) {
      if (request.has_answer()) visit->answer(std::move(*request.mutable_answer()));
    }
    leave(name, *visit);
    return grpc::Status::OK;
  }

  [[nodiscard]] int port() const { return port_; }

  void wait_for_all() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return here_.size() == expected_.size(); });
  }

  std::optional<std::string> ask(const std::string& bot, const std::string& config,
                                 const games::BotRequest& request, microseconds time) {
    std::shared_ptr<Visit> visit;
    {
      const std::lock_guard lock{mutex_};
      const auto found = here_.find(bot);
      if (found == here_.end()) return std::nullopt;
      visit = found->second;
      ++visit->users;
    }
    auto answer = visit->ask(config, request, time);
    {
      const std::lock_guard lock{mutex_};
      --visit->users;
    }
    changed_.notify_all();
    if (!answer || games::type_of(*answer) != request.move_type) return std::nullopt;
    return std::move(*answer->mutable_value());
  }

  void missed(const std::string& bot) {
    const std::lock_guard lock{mutex_};
    ++misses_[bot];
  }
  std::map<std::string, std::uint64_t> misses() const {
    const std::lock_guard lock{mutex_};
    return misses_;
  }

 private:
  /// Accepts the bot before the first question.
  bool enter(const std::string& name, const std::shared_ptr<Visit>& visit,
             const PlayResponse& accepted) {
    const std::lock_guard lock{mutex_};
    if (!here_.emplace(name, visit).second) return false;
    visit->send(accepted);
    changed_.notify_all();
    return true;
  }

  /// Returns when no call uses the stream, which ends with this call.
  void leave(const std::string& name, Visit& visit) {
    visit.leave();
    std::unique_lock lock{mutex_};
    here_.erase(name);
    changed_.wait(lock, [&visit] { return visit.users == 0; });
  }

  const std::string game_;
  const Expectations expected_;
  OpenLobby lobby_;
  int port_{0};
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::shared_ptr<Visit>> here_;  // from here on under `mutex_`
  std::map<std::string, std::uint64_t> misses_;
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

std::map<std::string, std::uint64_t> BotHost::misses() const {
  return services_->misses();
}

std::optional<std::string> BotHost::ask(const std::string& bot, const std::string& config,
                                        const games::BotRequest& request, microseconds time) {
  return services_->ask(bot, config, request, time);
}

void BotHost::missed(const std::string& bot) {
  services_->missed(bot);
}

}  // namespace tesela::cli
