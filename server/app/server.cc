#include "server/app/server.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <future>
#include <iterator>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "server/accounts/players.h"
#include "server/accounts/tokens.h"
#include "server/app/account_services.h"
#include "server/app/database_of.h"
#include "server/app/drain.h"
#include "server/app/life_follower.h"
#include "server/app/need.h"
#include "server/app/node_port_of.h"
#include "server/app/operators.h"
#include "server/app/ops_port.h"
#include "server/app/options_of.h"
#include "server/app/pages.h"
#include "server/app/running_part.h"
#include "server/app/secrets_of.h"
#include "server/app/stop_times.h"
#include "server/app/watchdog.h"
#include "server/base/io_pool.h"
#include "server/bots/bot_threads.h"
#include "server/bots/bots.h"
#include "server/bots/remote_bots.h"
#include "server/directory/directory.h"
#include "server/directory/lobby/change_follower.h"
#include "server/directory/lobby/table_feed.h"
#include "server/history/boards.h"
#include "server/matchmaking/matcher.h"
#include "server/metrics/metrics.h"
#include "server/net/http/http_router.h"
#include "server/net/http/http_session.h"
#include "server/net/listener.h"
#include "server/ops/archiver.h"
#include "server/ops/config.h"
#include "server/ops/health.h"
#include "server/ops/ops_routes.h"
#include "server/ops/revocation_follower.h"
#include "server/retention/retention.h"
#include "server/rpc/calls.h"
#include "server/rpc/connect_gateway.h"
#include "server/rpc/grpc/grpc_server.h"
#include "server/rpc/grpc/grpc_session.h"
#include "server/services/bot_service.h"
#include "server/services/cluster_bots.h"
#include "server/services/conduct/conduct_service.h"
#include "server/services/history/history_service.h"
#include "server/services/leaderboard_service.h"
#include "server/services/lobby_service.h"
#include "server/services/matchmaking_service.h"
#include "server/services/node_bots.h"
#include "server/store/backend/backend.h"
#include "server/stream/stream_server.h"
#include "server/sweeping/sweeper.h"

namespace tesela {

namespace asio = boost::asio;

// Each member is made of those above it. What uses one below is called when all are there.
class Server::Parts {
 public:
  explicit Parts(const ops::Config& config)
      : config_(config),
        backend_(need(store::open_backend(
            {.folder = config.data,
             .database = config.database,
             .wait = config.store_wait,
             .address = address_of(config),
             .on_life_state = [this](auto state, auto life) { follower_.changed(state, life); },
             .shared_keys = need(shared_keys(config)),
             .own_keys = own_secrets(config),
             .accept_damaged_log = config.accept_damaged_log,
             .on_commit = commit_observer(metrics_),
             .on_error = [this](auto what) { metrics_.store_errors(what).Increment(); },
             .on_health_change = tell_health}))),
        tokens_(need(secret(accounts::kTokenKey, config.token_secret_file, config.data)),
                std::chrono::duration_cast<std::chrono::seconds>(config.token_ttl),
                need(issuer(config)), need(former_token_key(config))),
        daily_games_(need(secret(accounts::kDailyKey, config.daily_secret_file, config.data))),
        io_(config.threads, 0, "table") {
    add_services_of_players(gateway_, router_);
    ops::add_health_routes(router_, health_);
    pages_.add_routes(router_);
    for (base::IoPool* pool : pools_) pool->run();
    need(asio::co_spawn(io_.any(), bots::add_bot_accounts(*store_), asio::use_future).get());
    need(asio::co_spawn(io_.any(), revocations_.begin(), asio::use_future).get());
    grpc_listener_.start();
    for (const RunningPart& part : parts_) part.start();
    start_watchdog({&io_, &ops_front_, &grpc_front_, &front_});
    follower_.follow({io_.any(), directory_, feed_, backend_->life(), node_port_ != nullptr});
  }

  [[nodiscard]] std::uint16_t http_port() const { return listener_.port(); }
  [[nodiscard]] std::uint16_t grpc_port() const { return grpc_listener_.port(); }
  [[nodiscard]] std::uint16_t ops_port() const { return ops_port_.port(); }

  void reload() { tesela::reload(config_, tls_.get(), metrics_, operators_.gate()); }

  void stop() {
    times_.begin();
    drain_.begin();
    if (!node_port_) streams_.stop();  // otherwise streams are passed on until the tables have gone
    for (const RunningPart& part : parts_ | std::views::reverse) finish(part);
    auto ended =
        asio::co_spawn(io_.any(), grpc_listener_.stop(times_.until_cut()), asio::use_future);
    grpc_.stop(times_.until_cut());
    if (ended.wait_for(times_.left() + StopTimes::kAbortTime) != std::future_status::ready) {
      spdlog::warn("stopping: the connections of gRPC did not end in time");
    }
    backend_->close();  // before the loops, on which its calls resume
    for (base::IoPool* pool : pools_) {
      pool->stop();
      pool->join();
    }
  }

 private:
  void finish(const RunningPart& part) {
    auto ended = asio::co_spawn(io_.any(), part.stop(), asio::use_future);
    if (ended.wait_for(times_.of(part)) != std::future_status::ready) {
      spdlog::warn("stopping: the {} did not end in time", part.what);
    }
  }

  template <class Port>
  RunningPart part_of_port(std::string_view what, Port& port) {
    return {.what = what,
            .start = [&port] { port.start(); },
            .stop = [this, &port] { return port.stop(times_.until_cut()); },
            .time = RunningPart::Time::kAllAndAborts};
  }
  /// In the order of their start. They end in the reverse one: the ports last, to tell clients.
  std::vector<RunningPart> parts() {
    std::vector<RunningPart> parts{part_of(notifier_),
                                   part_of_port("connections of operators", ops_port_),
                                   part_of_port("HTTP connections", listener_),
                                   {.what = "streams",
                                    .stop =
                                        [this] {
                                          static_cast<void>(times_.until_cut());
                                          return streams_.ended();
                                        }},
                                   part_of(changes_)};
    if (traces_) parts.insert(parts.begin(), part_of(*traces_));
    if (node_port_) parts.push_back(part_of_port("node port", *node_port_));
    if (search_relays_) parts.push_back(part_of(*search_relays_));
    if (cluster_bots_) parts.push_back(part_of(*cluster_bots_));
    std::ranges::move(drain_.parts(), std::back_inserter(parts));
    return parts;
  }

  ops::Config config_;
  metrics::Metrics metrics_;
  LifeFollower follower_;
  std::unique_ptr<store::Backend> backend_;
  store::Store* const store_{&backend_->store()};
  ops::Health health_{*store_, backend_->life(), away_means(config_)};
  accounts::Tokens tokens_;
  history::DailyGames daily_games_;
  // HTTP and calls, at a lower priority than moves; under TLS also streams: it outlives io_.
  base::IoPool front_{config_.threads, config_.tls_certificate_file ? 0 : limits::kGrpcNiceness,
                      "lobby"};
  base::IoPool grpc_front_{1, limits::kGrpcNiceness, "grpc"};  // never has the socket of a stream
  base::IoPool ops_front_{1, limits::kGrpcNiceness, "ops"};  // the port of operators, and /metrics
  // Executes logs, at the lowest priority.
  base::IoPool executions_{limits::kExecutionThreads, limits::kExecutionNiceness, "execution"};
  base::IoPool archiving_{1, limits::kArchiveNiceness, "packing"};  // packs logs
  base::IoPool io_;
  const std::vector<base::IoPool*> pools_{&front_,      &grpc_front_, &ops_front_,
                                          &executions_, &archiving_,  &io_};
  bots::BotThreads bots_{bot_options(config_), metrics_};
  bots::RemoteBots remote_bots_{{.time_max = config_.bot_answer}, metrics_};
  quota::AdmissionControl admission_{admission_options(config_), metrics_};
  std::unique_ptr<ops::TraceExporter> traces_ = trace_exporter(config_, ops_front_.any());
  push::Notifier notifier_{notifier_parts(config_, *backend_, metrics_, front_.any())};
  directory::TableFeed feed_;
  directory::Directory directory_{{.io = io_,
                                   .log = backend_->log(),
                                   .snapshots = backend_->snapshots(),
                                   .table_rows = backend_->table_rows(),
                                   .store = *store_,
                                   .ownership = backend_->ownership(),
                                   .life = backend_->life(),
                                   .feed = feed_,
                                   .metrics = metrics_,
                                   .bots = bots_,
                                   .remote_bots = remote_bots_,
                                   .bot_pace = config_.bot_pace,
                                   .bot_pace_alone = config_.bot_pace_alone,
                                   .claim_after = config_.claim_after,
                                   .come_within = config_.come_within,
                                   .rate_bots = config_.rate_bots,
                                   .table_idle = config_.table_idle,
                                   .executions = &executions_,
                                   .snapshot_events = config_.snapshot_events,
                                   .frames_per_second_max = config_.frame_rate,
                                   .notices = &notifier_}};
  sweeping::Sweeper sweeper_{{.loop = io_.any(),
                              .store = *store_,
                              .ownership = backend_->ownership(),
                              .life = backend_->life(),
                              .directory = directory_,
                              .in_play = config_.abandoned_after,
                              .waiting = config_.waiting_max}};
  ops::Archiver archiver_{{.loop = archiving_.any(),
                           .log = backend_->log(),
                           .archives = backend_->archives(),
                           .metrics = metrics_,
                           .damaged = directory_.damaged(),
                           .after = config_.archive_after,
                           .snapshot_events = config_.snapshot_events,
                           .on_duty = [this] { return sweeper_.on_duty(); }}};
  retention::Retention retention_{{.loop = front_.any(),
                                   .store = backend_->removals(),
                                   .metrics = metrics_,
                                   .keep_games = config_.keep_games,
                                   .keep_guests = config_.keep_guests,
                                   .on_duty = [this] { return sweeper_.on_duty(); }}};
  directory::ChangeFollower changes_{{.loop = front_.any(),
                                      .changes = backend_->changes(),
                                      .feed = feed_,
                                      .metrics = metrics_,
                                      .on_duty = [this] { return sweeper_.on_duty(); }}};
  ops::RevocationFollower revocations_{{.loop = io_.any(),
                                        .backend = *backend_,
                                        .directory = directory_,
                                        .remote_bots = remote_bots_,
                                        .tokens = tokens_,
                                        .several = !config_.database.empty()}};
  accounts::Players players_{*store_, backend_->accounts(), tokens_, metrics_,
                             sign_of_life_age(config_)};
  services::LobbyService lobby_{{.io = front_,
                                 .admission = admission_,
                                 .store = *store_,
                                 .directory = directory_,
                                 .players = players_,
                                 .tokens = tokens_,
                                 .daily_games = daily_games_,
                                 .remote_bots = remote_bots_,
                                 .feed = feed_}};
  AccountServices accounts_{
      {config_, *backend_, players_, tokens_, admission_, directory_, notifier_}};
  services::ConductService conduct_{{backend_->moderation(), players_, admission_, directory_}};
  services::HistoryService history_{{.admission = admission_,
                                     .tokens = tokens_,
                                     .log = backend_->history(),
                                     .snapshots = backend_->snapshots(),
                                     .table_rows = backend_->table_rows(),
                                     .aside = directory_.aside(),
                                     .bots = bots_}};
  matchmaking::Matcher matcher_{{.loop = io_.any(),
                                 .store = *store_,
                                 .ownership = backend_->ownership(),
                                 .life = backend_->life(),
                                 .directory = directory_,
                                 .metrics = metrics_,
                                 .may_seek = [this](auto id) { return players_.may_seek(id); }}};
  services::MatchmakingService matchmaking_{
      {admission_, tokens_, players_, directory_.live_tables(), matcher_}};
  services::LeaderboardService leaderboard_{{*store_, tokens_, daily_games_}};
  services::NodeBots node_bots_{remote_bots_};
  Operators operators_{{.config = config_,
                        .backend = *backend_,
                        .tokens = tokens_,
                        .directory = directory_,
                        .effects = revocations_.effects(),
                        .health = health_,
                        .metrics = metrics_,
                        .bots = bots_,
                        .remote_bots = remote_bots_,
                        .node_calls = [this]() -> auto& { return node_port_->node_calls(); },
                        .drain = [this] { return drain_.run(); },
                        .undrain = [this] { return drain_.undo(); }}};
  net::ConnectionLimit connections_{config_.connections_max, metrics_};
  std::unique_ptr<nodes::NodePort> node_port_ = open_node_port(
      config_,
      {.at = config_.node,
       .io = front_,
       .connections_max = config_.connections_max,
       .clients = admission_,
       .upgrade = [this](auto... stream) { streams_.upgrade_relayed(std::move(stream)...); },
       .relays = {.ownership = backend_->ownership(),
                  .life = backend_->life(),
                  .metrics = metrics_},
       .here = tables_in(io_, directory_),
       .methods = nodes::methods_of_owner(
           methods_of({lobby_.methods(), conduct_.methods(), operators_.admin().methods()})),
       .node_methods = methods_of({operators_.node_service().methods(), node_bots_.methods()}),
       .leader_methods = matchmaking_.methods_for_relays(),
       .leads = [this] { return matcher_.leads(); }});
  std::unique_ptr<services::ClusterBots> cluster_bots_ =
      bots_of_cluster(node_port_, *backend_, front_, remote_bots_);
  services::BotService bot_service_{{.io = front_,
                                     .admission = admission_,
                                     .store = *store_,
                                     .friends = backend_->friends(),
                                     .players = players_,
                                     .remote_bots = remote_bots_,
                                     .cluster = cluster_bots_.get()}};
  std::unique_ptr<nodes::SearchRelays> search_relays_ =
      open_search_relays(node_port_, *backend_, matcher_, matchmaking_, metrics_, front_.any());
  rpc::Calls calls_{
      {relayed(node_port_, methods_of({lobby_.methods(), conduct_.methods()}), players_of(tokens_)),
       relayed(node_port_, operators_.admin().methods(), operators_of(operators_.gate())),
       operators_.moderation().methods(), history_.methods(),
       search_relays_ ? std::vector{search_relays_->find()} : matchmaking_.methods(),
       leaderboard_.methods(), accounts_.methods()},
      admission_,
      metrics_,
      &tokens_};
  std::unique_ptr<net::Tls> tls_ = open_tls(config_, metrics_);
  rpc::GrpcServer grpc_{{.calls = {.calls = calls_, .io = front_, .admission = admission_},
                         .metrics = metrics_,
                         .services = {bot_service_.named()}}};
  Drain drain_{{.health = health_,
                .grpc = grpc_,
                .lobby = lobby_,
                .history = history_,
                .bots = bot_service_,
                .directory = directory_,
                .revocations = revocations_,
                .workers = {&retention_, &sweeper_, &archiver_, &matcher_},
                .hands_over = node_port_ != nullptr,
                .notice_max = config_.stop_timeout / 2}};
  stream::StreamServer streams_{io_,
                                {.directory = directory_,
                                 .tokens = tokens_,
                                 .metrics = metrics_,
                                 .ping_interval = config_.ping_interval,
                                 .frames_per_second_max = config_.frame_rate,
                                 .admission = admission_,
                                 .friends = backend_->friends()},
                                node_port_.get()};
  net::Origins origins_{config_.allowed_origins};
  net::HttpRouter router_;
  rpc::ConnectGateway gateway_{calls_};
  const Pages pages_{config_, *backend_, directory_.aside(), health_};
  net::Listener<net::HttpSession> listener_{
      config_.http,
      front_,
      {.router = router_,
       .origins = origins_,
       .connections = connections_,
       .admission = admission_,
       .metrics = metrics_,
       .upgrade = [this](auto... stream) { streams_.upgrade(std::move(stream)...); },
       .tls = tls_.get()}};
  net::Listener<rpc::GrpcSession> grpc_listener_{
      config_.grpc,
      grpc_front_,
      {.server = grpc_, .connections = connections_, .admission = admission_, .tls = tls_.get()}};
  OpsPort ops_port_{{.config = config_,
                     .io = ops_front_,
                     .everybody = router_,
                     .gateway = gateway_,
                     .origins = origins_,
                     .health = health_,
                     .metrics = metrics_,
                     .pages = pages_}};
  const std::vector<RunningPart> parts_ = parts();
  StopTimes times_{config_.stop_timeout};
};

Server::Server(const ops::Config& config) : parts_(std::make_unique<Parts>(config)) {}

Server::~Server() = default;

std::uint16_t Server::http_port() const {
  return parts_->http_port();
}

std::uint16_t Server::grpc_port() const {
  return parts_->grpc_port();
}

std::uint16_t Server::ops_port() const {
  return parts_->ops_port();
}

void Server::reload() {
  parts_->reload();
}

void Server::stop() {
  parts_->stop();
}

}  // namespace tesela
