// tesela-server: builds the parts, joins them, and waits for a signal.
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <future>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/lobby/abandoned_tables.h"
#include "server/lobby/bot_service.h"
#include "server/lobby/daily_games.h"
#include "server/lobby/directory.h"
#include "server/lobby/history_service.h"
#include "server/lobby/issuer.h"
#include "server/lobby/leaderboard_service.h"
#include "server/lobby/lobby_service.h"
#include "server/lobby/matcher.h"
#include "server/lobby/matchmaking_service.h"
#include "server/lobby/players.h"
#include "server/lobby/secret_file.h"
#include "server/lobby/table_feed.h"
#include "server/lobby/tokens.h"
#include "server/net/connect_gateway.h"
#include "server/net/grpc_server.h"
#include "server/net/http_router.h"
#include "server/net/io_pool.h"
#include "server/net/listener.h"
#include "server/net/ops_routes.h"
#include "server/net/static_files.h"
#include "server/net/stream_server.h"
#include "server/ops/config.h"
#include "server/ops/health.h"
#include "server/ops/logging.h"
#include "server/ops/metrics.h"
#include "server/store/sqlite/sqlite_store.h"
#include "server/table/bot_threads.h"
#include "server/table/bots.h"
#include "server/table/desk.h"

namespace tesela {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Unwraps what start-up cannot do without.
template <class T>
T need(Expected<T> value) {
  if (!value) throw std::runtime_error(value.error().message);
  return std::move(*value);
}

void need(const Expected<void>& done) {
  if (!done) throw std::runtime_error(done.error().message);
}

/// The operator's secret, or the server's own.
Expected<std::string> secret(lobby::SecretKind kind,
                             const std::optional<std::filesystem::path>& file,
                             const std::filesystem::path& data) {
  return file ? lobby::read_secret(kind, *file) : lobby::own_secret(kind, data);
}

/// The operator's own issuer of tokens, if there is one.
std::optional<lobby::Issuer> issuer(const ops::Config& config) {
  if (!config.issuer_key_file) return std::nullopt;
  return need(lobby::Issuer::open({.key_file = *config.issuer_key_file,
                                   .name = config.issuer_name,
                                   .audience = config.issuer_audience}));
}

/// A connection is a file: as many as the system lets us have.
void allow_many_files() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

/// The parts of the process, in the order in which they need each other.
class Server {
 public:
  explicit Server(const ops::Config& config)
      : config_(config),
        store_(need(store::SqliteStore::open(
            {.folder = config.data,
             .on_commit =
                 [this](const store::CommitReport& report) {
                   metrics_.commit_seconds().Observe(
                       std::chrono::duration<double>(report.time).count());
                   metrics_.commit_writes().Observe(static_cast<double>(report.writes));
                 }}))),
        tokens_(need(secret(lobby::kTokenKey, config.token_secret_file, config.data)),
                std::chrono::duration_cast<std::chrono::seconds>(config.token_ttl), issuer(config)),
        daily_games_(need(secret(lobby::kDailyKey, config.daily_secret_file, config.data))),
        io_(config.threads) {
    gateway_.add_routes(router_, lobby::v1::LobbyService::service_full_name());
    gateway_.add_routes(router_, lobby::v1::HistoryService::service_full_name());
    gateway_.add_routes(router_, lobby::v1::MatchmakingService::service_full_name());
    gateway_.add_routes(router_, lobby::v1::LeaderboardService::service_full_name());
    gateway_.add_routes(router_, bot::v1::BotService::service_full_name());
    net::add_ops_routes(router_, metrics_, health_);
    static_files_.add_routes(router_);
    io_.run();
    need(asio::co_spawn(io_.any(), table::add_bot_accounts(*store_), asio::use_future).get());
    asio::co_spawn(io_.any(), directory_.resume(), asio::detached);
    matcher_.start();
    abandoned_.start();
    listener_.start();
  }

  [[nodiscard]] std::uint16_t http_port() const { return listener_.port(); }
  [[nodiscard]] std::uint16_t grpc_port() const { return grpc_.port(); }

  /// Takes nothing new, tells everybody to come back, and returns when everything is flushed, or
  /// after the stop time-out.
  void stop() {
    const auto end = steady_clock::now() + config_.stop_timeout;
    const auto left = [end] {
      return std::max(milliseconds{0},
                      std::chrono::duration_cast<milliseconds>(end - steady_clock::now()));
    };
    health_.drain();
    grpc_.drain();
    directory_.drain();
    lobby_.drain();
    finish(matcher_.stop(), left(), "searches");
    finish(abandoned_.stop(), left(), "search for abandoned tables");
    finish(directory_.close_all(), left(), "tables");
    outside_.drain();
    finish(streams_.ended(), left(), "streams");
    finish(listener_.stop(left()), left() + kAbortTime, "HTTP connections");
    grpc_.stop(left());
    store_->close();  // its answers go to the contexts: it ends before they do
    io_.stop();
    io_.join();
  }

 private:
  // For connections to be gone after their grace is over.
  static constexpr milliseconds kAbortTime{500};

  void finish(asio::awaitable<void> work, milliseconds time_max, std::string_view what) {
    auto done = asio::co_spawn(io_.any(), std::move(work), asio::use_future);
    if (done.wait_for(time_max) != std::future_status::ready) {
      spdlog::warn("stopping: the {} did not end in time", what);
    }
  }

  ops::Config config_;
  ops::Metrics metrics_{TESELA_VERSION};
  std::unique_ptr<store::SqliteStore> store_;
  ops::Health health_{*store_};
  lobby::Tokens tokens_;
  lobby::DailyGames daily_games_;
  net::IoPool io_;
  table::BotThreads bots_{{.threads = config_.bot_threads, .time_max = config_.bot_think},
                          metrics_};
  table::Desk desk_{{.time_max = config_.bot_answer}, metrics_};
  lobby::TableFeed feed_;
  lobby::Directory directory_{{.io = io_,
                               .log = *store_,
                               .store = *store_,
                               .feed = feed_,
                               .metrics = metrics_,
                               .bots = bots_,
                               .desk = desk_,
                               .bot_pace = config_.bot_pace,
                               .table_idle = config_.table_idle,
                               .frames_per_second_max = config_.frame_rate}};
  lobby::AbandonedTables abandoned_{{.context = io_.any(),
                                     .store = *store_,
                                     .directory = directory_,
                                     .in_play = config_.abandoned_after,
                                     .waiting = config_.waiting_max}};
  lobby::Players players_{*store_, tokens_};
  lobby::LobbyService lobby_{{.io = io_,
                              .store = *store_,
                              .directory = directory_,
                              .players = players_,
                              .tokens = tokens_,
                              .daily_games = daily_games_,
                              .desk = desk_,
                              .feed = feed_}};
  lobby::HistoryService history_{{.io = io_, .log = *store_, .store = *store_}};
  lobby::Matcher matcher_{{.context = io_.any(), .store = *store_, .directory = directory_}};
  lobby::MatchmakingService matchmaking_{
      {.io = io_, .tokens = tokens_, .players = players_, .matcher = matcher_}};
  lobby::LeaderboardService leaderboard_{
      {.io = io_, .store = *store_, .tokens = tokens_, .daily_games = daily_games_}};
  lobby::BotService outside_{{.io = io_, .store = *store_, .players = players_, .desk = desk_}};
  std::array<grpc::Service*, 5> services_{&lobby_, &history_, &matchmaking_, &leaderboard_,
                                          &outside_};
  net::GrpcServer grpc_{config_.grpc, services_, metrics_};
  net::Origins origins_{config_.allowed_origins};
  net::ConnectionLimit connections_{config_.connections_max, metrics_};
  net::StreamServer streams_{io_,
                             {.directory = directory_,
                              .tokens = tokens_,
                              .metrics = metrics_,
                              .ping_interval = config_.ping_interval,
                              .frames_per_second_max = config_.frame_rate}};
  net::HttpRouter router_;
  net::ConnectGateway gateway_{grpc_.in_process(), origins_};
  net::StaticFiles static_files_{net::embedded_web_client()};
  net::Listener listener_{config_.http,
                          io_,
                          {.router = router_,
                           .origins = origins_,
                           .connections = connections_,
                           .metrics = metrics_,
                           .upgrade = [this](auto socket, auto request, auto slot) {
                             streams_.upgrade(std::move(socket), std::move(request),
                                              std::move(slot));
                           }}};
};

int serve(const ops::Config& config) {
  // Before any thread: signals go to this thread alone.
  asio::io_context waiting;
  asio::signal_set signals(waiting, SIGINT, SIGTERM);
  allow_many_files();
  Server server(config);
  spdlog::info("tesela-server {} serves http://{}:{} and gRPC on {}:{}, data in {}", TESELA_VERSION,
               config.http.address, server.http_port(), config.grpc.address, server.grpc_port(),
               config.data.string());
  signals.async_wait(
      [](boost::system::error_code, int signal) { spdlog::info("stopping on signal {}", signal); });
  waiting.run();
  server.stop();
  spdlog::info("stopped; everything is flushed");
  return 0;
}

int run(int argc, const char* const* argv) {
  const auto config = ops::read_config(argc, argv);
  if (!config) {
    (config.error().code == 0 ? std::cout : std::cerr) << config.error().text;
    return config.error().code;
  }
  ops::start_logging(config->log_format, config->log_level);
  try {
    return serve(*config);
  } catch (const std::exception& failure) {
    spdlog::critical("cannot serve: {}", failure.what());
    return 1;
  }
}

}  // namespace
}  // namespace tesela

int main(int argc, char** argv) {
  return tesela::run(argc, argv);
}
