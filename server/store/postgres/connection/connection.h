// One connection to PostgreSQL: libpq in its batch mode, on an event loop.
#pragma once

#include <libpq-fe.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/store/postgres/connection/binary.h"
#include "server/store/postgres/connection/hosts.h"

namespace tesela::store::postgres {

using Time = std::chrono::steady_clock::time_point;

/// A process of PostgreSQL that serves a connection.
struct Served {
  std::int64_t process{};
  std::int64_t began_us{};  // when it began: the system uses the numbers of processes again
};

/// One thread. One round trip at a time. Functions throw Failure.
class Connection {
 public:
  /// `writer`: who is noted as the writer of the changes that are made by this connection
  /// (FORMAT.md, "One lobby"); 0: nobody in particular.
  explicit Connection(boost::asio::any_io_executor executor, std::int64_t writer = 0)
      : executor_(std::move(executor)), writer_(writer) {}
  ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Connects to the database of `url`, for writing, and makes the settings of the session. Of
  /// several hosts each has its share of the time, so that one that is silent is passed over. Ends
  /// the process `before` first, if it still runs: what a lost connection has sent is then either
  /// committed or never will be.
  boost::asio::awaitable<void> open(std::string url, std::optional<Served> before, Time until);

  /// Sends the statements, and waits for their results: one for each, in order. Everything that the
  /// batch commits is committed when it returns. At `until` the connection is lost.
  boost::asio::awaitable<std::vector<Rows>> run(Batch batch, Time until);

  /// While nothing runs: calls `on_lost` when PostgreSQL closes the connection. Ends at the next
  /// `run`.
  void watch_idle(std::function<void()> on_lost);
  /// The same, but calls `on_input` once, when PostgreSQL has sent something or has closed the
  /// connection. Replaces the call before.
  void watch_input(std::function<void()> on_input);
  /// Whether other sessions have notified this one, by NOTIFY, since the call before. What has come
  /// with results counts.
  [[nodiscard]] bool notified();
  /// Gives up what has waited longer than until its time. Called again and again.
  void watch(Time now);
  /// The same, whatever its time.
  void abort();

  [[nodiscard]] bool lost() const { return lost_; }
  /// Whether it was lost because no answer came in time.
  [[nodiscard]] bool timed_out() const { return timed_out_; }
  [[nodiscard]] bool in_transaction() const {
    return PQtransactionStatus(handle_.get()) != PQTRANS_IDLE;
  }
  /// Whether another program answers for PostgreSQL: it gives the session a number of its own.
  [[nodiscard]] bool through_pooler() const {
    return PQbackendPID(handle_.get()) != served_->process;
  }
  /// The process at the other end. Empty before `open` has returned.
  [[nodiscard]] const std::optional<Served>& served() const { return served_; }

 private:
  using Descriptor = boost::asio::posix::stream_descriptor;

  struct Finish {
    void operator()(PGconn* handle) const { PQfinish(handle); }
  };

  boost::asio::awaitable<void> connect(const Host& host);
  boost::asio::awaitable<void> begin_session(std::optional<Served> before, Time until);
  boost::asio::awaitable<void> wait(Descriptor::wait_type what);
  void time_out();
  void watch_socket();
  /// Sends all statements; those that this connection has not prepared yet are prepared.
  void send(const Batch& batch);
  boost::asio::awaitable<void> flush();
  boost::asio::awaitable<std::vector<Rows>> receive();
  boost::asio::awaitable<PGresult*> next_result();
  /// Takes a result that is no error.
  void take(Rows result, ExecStatusType status, std::vector<Rows>& results);
  [[noreturn]] void lose(const std::string& what);
  [[noreturn]] void lose();
  static void notice(void* connection, const PGresult* notice);

  boost::asio::any_io_executor executor_;
  const std::int64_t writer_;
  std::unique_ptr<PGconn, Finish> handle_;
  std::optional<Descriptor> socket_;                       // a duplicate: libpq closes its own
  std::unordered_map<const char*, std::string> prepared_;  // the names of statements
  std::uint64_t names_{0};                                 // that were given to statements
  std::deque<const char*> preparing_;  // of the results to come: a statement's, or none
  std::optional<Time> until_;          // of what waits now
  // How often `run` was called. A handler that comes late holds no more than a weak pointer.
  std::shared_ptr<std::uint64_t> runs_{std::make_shared<std::uint64_t>(0)};
  std::optional<Served> served_;
  bool lost_{};
  bool timed_out_{};
  bool given_up_{};
  bool not_replicated_{};  // a commit has not waited for the standby
};

}  // namespace tesela::store::postgres
