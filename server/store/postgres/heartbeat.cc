#include "server/store/postgres/heartbeat.h"

#include <spdlog/spdlog.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "server/base/crypto.h"
#include "server/base/durable_file.h"
#include "server/base/limits.h"
#include "server/base/ownership_limits.h"
#include "server/base/store_limits.h"
#include "server/base/threads/thread_name.h"
#include "server/base/threads/thread_priority.h"
#include "server/store/postgres/connection/failure.h"
#include "server/store/postgres/write/lives.h"

namespace tesela::store::postgres {
namespace {

using base::BootClock;
using boost::asio::awaitable;
using std::chrono::steady_clock;

Time beat_until() {
  return steady_clock::now() + limits::kHeartbeatTimeMax;
}

/// The life in the file, if it has one.
std::optional<LifeId> life_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::uint64_t life = 0;
  if (!(in >> life) || life == 0) return std::nullopt;
  return LifeId{life};
}

bool keep(LifeId life, const std::filesystem::path& file) {
  return file.empty() || base::replace_private_file(file, std::to_string(life.value) + "\n");
}

awaitable<void> wait_for(boost::asio::steady_timer& timer) {
  boost::system::error_code cancelled;
  co_await timer.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, cancelled));
}

}  // namespace

Expected<std::unique_ptr<Heartbeat>> Heartbeat::start(Options options,
                                                      std::chrono::milliseconds wait) {
  std::unique_ptr<Heartbeat> heartbeat(new Heartbeat(std::move(options)));
  Heartbeat& started = *heartbeat;
  auto begun =
      boost::asio::co_spawn(started.loop_, started.begin_first(wait), boost::asio::use_future);
  if (auto ready = begun.get(); !ready) return std::unexpected(std::move(ready.error()));
  return heartbeat;
}

Heartbeat::Heartbeat(Options options)
    : options_(std::move(options)),
      before_(life_in(options_.life_file)),
      lease_(options_.on_state),
      thread_([this] {
        base::name_thread("heartbeat");
        base::shorten_slice(limits::kWriterSlice);
        loop_.run();
      }) {
  loop_.hand_over([this] { boost::asio::co_spawn(loop_, watch(), boost::asio::detached); });
}

Heartbeat::~Heartbeat() {
  close();
}

void Heartbeat::close() {
  if (!thread_.joinable()) return;
  loop_.hand_over([this] {
    closing_ = true;
    lease_.silence();
    pause_.cancel();
    if (!running_) watch_pause_.cancel();
  });
  loop_.finish();
  thread_.join();
}

void Heartbeat::begin_again() {
  loop_.hand_over([this] {
    wants_another_life_ = dead_;
    pause_.cancel();
  });
}

awaitable<Expected<void>> Heartbeat::begin_first(std::chrono::milliseconds wait) {
  const auto end = steady_clock::now() + wait;
  dead_ = true;
  wants_another_life_ = true;
  for (;;) {
    const bool begun = co_await beat();
    if (begun) break;
    if (steady_clock::now() >= end) {
      co_return refuse(
          ErrorCode::kUnavailable,
          "The server cannot begin its life on the database of --database: " + trouble_ + ".");
    }
    pause_.expires_after(limits::kPostgresWatchInterval);
    co_await wait_for(pause_);
  }
  running_ = true;
  boost::asio::co_spawn(loop_, run(), boost::asio::detached);
  co_return Expected<void>{};
}

awaitable<void> Heartbeat::run() {
  auto next = steady_clock::now() + limits::kHeartbeatInterval;
  while (!closing_) {
    pause_.expires_at(next);
    co_await wait_for(pause_);
    if (closing_) break;
    const auto began = steady_clock::now();
    const bool answered = co_await beat();
    next = answered ? began + limits::kHeartbeatInterval
                    : steady_clock::now() + limits::kPostgresWatchInterval;
  }
  co_await end();
  running_ = false;
  watch_pause_.cancel();
}

/// Gives up what PostgreSQL does not answer, and finds out when the lease is over.
awaitable<void> Heartbeat::watch() {
  while (!closing_ || running_) {
    watch_pause_.expires_after(limits::kPostgresWatchInterval);
    co_await wait_for(watch_pause_);
    if (connection_) connection_->watch(steady_clock::now());
    tell();
  }
}

awaitable<bool> Heartbeat::beat() {
  std::optional<Failure> failure;
  try {
    if (!connection_) co_await connect();
    if (dead_ && wants_another_life_) co_await begin();
    if (!dead_) co_await renew();
    if (!dead_) co_await declare_deaths();
  } catch (const Failure& failed) {
    failure.emplace(failed);
  }
  if (!failure) co_return true;
  trouble_ = failure->what();
  spdlog::debug("heartbeat: {}", trouble_);
  connection_.reset();
  co_return false;
}

awaitable<void> Heartbeat::connect() {
  connection_ = std::make_unique<Connection>(loop_.get_executor());
  // What the connection before may still send extends a lease that was thought shorter.
  co_await connection_->open(options_.url, std::nullopt, beat_until());
}

awaitable<void> Heartbeat::begin() {
  const auto life = base::random_id<LifeId>();
  // First the file: whoever reads it finds the life that may have begun.
  if (!keep(life, options_.life_file)) {
    throw Failure::lost("The life cannot be written to " + options_.life_file.string());
  }
  if (before_) co_await end_life_at(*connection_, *before_, options_.address, beat_until());
  before_.reset();
  const auto asked = BootClock::now();
  co_await begin_life(*connection_, life, options_.address, beat_until());
  wants_another_life_ = false;
  life_.store(life.value);
  dead_ = false;
  extend(asked);
}

awaitable<void> Heartbeat::renew() {
  const auto asked = BootClock::now();
  const bool lives = co_await renew_lease(*connection_, id(), beat_until());
  tell();  // where the lease was over, that is told first
  if (lives) {
    extend(asked);
    co_return;
  }
  lease_.end();
  dead_ = true;
  tell();
}

awaitable<void> Heartbeat::declare_deaths() {
  const auto dead = co_await postgres::declare_deaths(*connection_, id(), beat_until());
  for (const std::string& address : dead) {
    spdlog::warn("the server at {} has not renewed its lease: its tables are taken over", address);
  }
}

awaitable<void> Heartbeat::end() {
  lease_.end();
  if (dead_ || !connection_) co_return;
  try {
    co_await end_life(*connection_, id(), beat_until());
  } catch (const Failure& failure) {
    spdlog::debug("heartbeat: {}", failure.what());
  }
}

void Heartbeat::extend(BootClock::time_point asked) {
  lease_.extend(id(), asked, limits::kLeaseTime - limits::kLeaseMargin);
}

void Heartbeat::tell() {
  if (life_.load() != 0) lease_.tell(id(), dead_);
}

}  // namespace tesela::store::postgres
