// Renews the lease of a life.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/store/lives/lease.h"
#include "server/store/postgres/connection/connection.h"

namespace tesela::store::postgres {

/// The life of a server on PostgreSQL: a row of `lives`, which a thread renews on a connection of
/// its own every limits::kHeartbeatInterval, so that neither a busy server nor a queue of calls
/// delays it. The thread also declares those dead that do not renew theirs. Any thread; not
/// close() and the destructor, which wait for the thread.
class Heartbeat final : public Life {
 public:
  struct Options {
    std::string url;      // postgres://…, as libpq reads it; its schema is of this version
    std::string address;  // where the other servers reach this one
    /// A file of a folder that one server uses at a time, as its lock ensures. It holds the life of
    /// the server before, which has therefore ended: it is declared dead, so that its tables need
    /// not wait until its lease is over. Only if it was at the same address: the folder may be a
    /// copy of another server's. None: there is no such file.
    std::filesystem::path life_file{};
    OnLifeState on_state{};
  };

  /// Begins a life, and tells its state from then on. Error: kUnavailable, when the database could
  /// not be reached for `wait`, or the file could not be written.
  static Expected<std::unique_ptr<Heartbeat>> start(Options options,
                                                    std::chrono::milliseconds wait);

  /// Closes.
  ~Heartbeat() override;
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  /// Ends the life: others may claim its tables at once, or, where the database does not answer
  /// for limits::kHeartbeatTimeMax, when its lease is over. No state is told any more. May be
  /// called again; not by two threads at once.
  void close();

  [[nodiscard]] LifeId id() const override { return LifeId{life_.load()}; }
  [[nodiscard]] bool may_speak() const override { return lease_.runs(); }
  [[nodiscard]] std::chrono::milliseconds lease_age() const override { return lease_.age(); }
  [[nodiscard]] std::uint64_t gaps() const override { return lease_.gaps(); }
  [[nodiscard]] bool dead() const override { return dead_.load(); }
  void begin_again() override;

 private:
  explicit Heartbeat(Options options);

  boost::asio::awaitable<Expected<void>> begin_first(std::chrono::milliseconds wait);
  boost::asio::awaitable<void> run();
  boost::asio::awaitable<void> watch();
  /// Whether PostgreSQL has answered.
  boost::asio::awaitable<bool> beat();
  boost::asio::awaitable<void> connect();
  boost::asio::awaitable<void> begin();
  boost::asio::awaitable<void> renew();
  boost::asio::awaitable<void> declare_deaths();
  boost::asio::awaitable<void> end();
  /// PostgreSQL has granted a lease that was asked for at `asked`.
  void extend(base::BootClock::time_point asked);
  void tell();

  const Options options_;
  std::optional<LifeId> before_;  // the life in the file, until it was declared dead
  base::Loop loop_;
  std::string trouble_;                     // of the last beat that failed
  std::unique_ptr<Connection> connection_;  // none: it was lost
  boost::asio::steady_timer pause_{loop_};
  boost::asio::steady_timer watch_pause_{loop_};
  Lease lease_;
  std::atomic<std::uint64_t> life_{0};
  std::atomic<bool> dead_{false};
  bool wants_another_life_{};  // begin_again was called
  bool closing_{};
  bool running_{};
  std::thread thread_;  // the last: it uses everything above
};

}  // namespace tesela::store::postgres
