#include "server/store/postgres/connection/change_signal.h"

#include <spdlog/spdlog.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <optional>
#include <utility>

#include "server/base/postgres_limits.h"
#include "server/base/store_limits.h"
#include "server/store/postgres/connection/failure.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

// A signal that is lost costs nothing: it does not wait for the disk, nor for a standby, while it
// holds the lock of all signals.
constexpr const char* kSignalsOnly = "SET synchronous_commit = off";
constexpr const char* kListen = "LISTEN tesela_changes";
constexpr const char* kNotify = "NOTIFY tesela_changes";

awaitable<void> wait_until(boost::asio::steady_timer& timer, Time time) {
  boost::system::error_code cancelled;
  timer.expires_at(time);
  co_await timer.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, cancelled));
}

Time signal_until() {
  return std::chrono::steady_clock::now() + limits::kChangeSignalTimeMax;
}

}  // namespace

ChangeSignal::ChangeSignal(base::Loop& loop, std::string url, std::function<void()> on_heard)
    : loop_(loop),
      url_(std::move(url)),
      on_heard_(std::move(on_heard)),
      changed_(loop),
      pause_(loop) {}

void ChangeSignal::start() {
  boost::asio::co_spawn(loop_, run(), boost::asio::detached);
}

void ChangeSignal::raise() {
  raised_ = true;
  changed_.cancel();
}

void ChangeSignal::watch(Time now) {
  if (connection_) connection_->watch(now);
}

void ChangeSignal::close() {
  closed_ = true;
  if (connection_) connection_->abort();
  changed_.cancel();
  pause_.cancel();
}

awaitable<void> ChangeSignal::run() {
  while (!closed_) {
    std::optional<Failure> failure;
    try {
      co_await connect();
      co_await serve();
    } catch (const Failure& failed) {
      failure.emplace(failed);
    }
    connection_.reset();
    if (closed_) break;
    if (failure) spdlog::debug("signal of changes: {}", failure->what());
    co_await wait_until(pause_, std::chrono::steady_clock::now() + limits::kPostgresReopenMax);
  }
}

awaitable<void> ChangeSignal::connect() {
  connection_ = std::make_unique<Connection>(loop_.get_executor());
  co_await connection_->open(url_, std::nullopt, signal_until());
  Batch batch;
  batch.add(kSignalsOnly);
  batch.add(kListen);
  static_cast<void>(co_await connection_->run(std::move(batch), signal_until()));
  if (!closed_) on_heard_();
}

awaitable<void> ChangeSignal::serve() {
  while (!closed_) {
    if (raised_ && std::chrono::steady_clock::now() >= next_) co_await notify();
    if (closed_) break;
    if (connection_->notified()) on_heard_();
    if (connection_->lost()) throw Failure::lost("PostgreSQL has closed the connection.");
    connection_->watch_input([this] { changed_.cancel(); });
    co_await wait_until(changed_, raised_ ? next_ : Time::max());
  }
}

awaitable<void> ChangeSignal::notify() {
  raised_ = false;
  next_ = std::chrono::steady_clock::now() + limits::kChangeSignalInterval;
  Batch batch;
  batch.add(kNotify);
  static_cast<void>(co_await connection_->run(std::move(batch), signal_until()));
}

}  // namespace tesela::store::postgres
