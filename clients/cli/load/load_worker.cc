#include "clients/cli/load/load_worker.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

#include "clients/cli/load/load_table.h"

namespace tesela::cli {
namespace {

namespace asio = boost::asio;

/// Connections that are opened at the same time: fewer than the backlog of a server.
constexpr std::size_t kOpeningMax = 64;
constexpr std::chrono::milliseconds kOpeningWait{1};
/// Tables kept ready while games end.
constexpr std::size_t kTablesAheadMax = 1000;

constexpr std::uint64_t kTypicalVersion = 100;

/// A connection to tests/bench/echo_baseline: the same loop as at a table, with frames that are as
/// large as a move. One thread.
class EchoDialogue final : public LoadDialogue {
 public:
  EchoDialogue(Endpoints endpoints, ServerAddress server);

  Task<Expected<WebSocket>> open() override;
  [[nodiscard]] std::uint32_t frames_per_second_max() const override { return 0; }
  std::string_view next_frame() override { return frame_; }
  Expected<bool> accept(std::string_view frame) override;
  [[nodiscard]] bool over() const override { return false; }

 private:
  Endpoints endpoints_;
  ServerAddress server_;
  std::string frame_;
};

EchoDialogue::EchoDialogue(Endpoints endpoints, ServerAddress server)
    : endpoints_(std::move(endpoints)), server_(std::move(server)) {
  MoveWriter{}.write(kTypicalVersion, g2048::Direction::kLeft, frame_);
}

Task<Expected<WebSocket>> EchoDialogue::open() {
  return open_web_socket(endpoints_, server_, "/");
}

Expected<bool> EchoDialogue::accept(std::string_view frame) {
  if (frame == frame_) return true;
  return refuse(ErrorCode::kInternal, "The echo differs from the sent message.");
}

std::size_t tables_ahead(const LoadOptions& options, std::size_t connections) {
  // At a human pace no game ends within a run.
  const bool none = options.idle || options.echo || options.rate > 0;
  return none ? 0 : std::min(2 * connections, kTablesAheadMax);
}

}  // namespace

LoadWorker::LoadWorker(const LoadOptions& options, Share share, const std::atomic<LoadPhase>& phase)
    : options_(options),
      share_(std::move(share)),
      phase_(phase),
      pool_(io_.get_executor(), {.server = options.server,
                                 .token = share_.token,
                                 .game = options.game,
                                 .ahead = tables_ahead(options, share_.connections)}) {
  asio::co_spawn(io_, open_all(), asio::detached);
  if (!options.echo) {
    for (std::size_t i = 0; i < TablePool::kMakers; ++i) {
      asio::co_spawn(io_, pool_.make(), asio::detached);
    }
  }
  thread_ = std::thread([this] { io_.run(); });
}

LoadWorker::~LoadWorker() {
  join();
}

void LoadWorker::join() {
  if (!thread_.joinable()) return;
  asio::post(io_, [this] { hang_up(); });
  thread_.join();
}

void LoadWorker::hang_up() {
  pool_.close();
  for (const auto& connection : connections_) connection->hang_up();
}

Task<void> LoadWorker::open_all() {
  Timer timer(io_.get_executor());
  while (connections_.size() < share_.connections && phase_ != LoadPhase::kStop) {
    if (connections_.size() >= counters_.open + kOpeningMax) {
      timer.expires_after(kOpeningWait);
      co_await timer.async_wait(kResult);
      continue;
    }
    const ThinkTime think_time(options_.rate, connections_.size());
    connections_.push_back(
        std::make_unique<LoadConnection>(make_dialogue(), think_time, counters_, phase_));
    asio::co_spawn(io_, run_one(*connections_.back()), asio::detached);
  }
}

Task<void> LoadWorker::run_one(LoadConnection& connection) {
  return options_.idle ? connection.hold() : connection.play();
}

std::unique_ptr<LoadDialogue> LoadWorker::make_dialogue() {
  if (options_.echo) {
    return std::make_unique<EchoDialogue>(share_.endpoints, options_.server);
  }
  return std::make_unique<TableDialogue>(
      TableDialogue::Options{
          .endpoints = share_.endpoints, .server = options_.server, .token = share_.token},
      pool_);
}

}  // namespace tesela::cli
