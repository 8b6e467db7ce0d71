// The operations of store/sql on a connection to SQLite.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/store/sql/session/session.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"

namespace tesela::store {

/// One thread. Runs statements at once, in the connection's transaction. Functions throw
/// StorageError.
class SqliteStatements {
 public:
  /// The connection outlives it.
  explicit SqliteStatements(Connection& connection) : connection_(connection) {}
  SqliteStatements(const SqliteStatements&) = delete;
  SqliteStatements& operator=(const SqliteStatements&) = delete;

  sql::Rows answer(const sql::Query& query);
  std::vector<sql::Rows> answer(const sql::Batch& batch);

 private:
  Statement& prepared(const sql::Text& sql);

  Connection& connection_;
  std::unordered_map<const char*, Statement> prepared_;  // by the address of the text
};

/// Completes coroutines on the calling thread that await nothing but each other.
class AtOnce {
 public:
  /// Throws what `work` throws.
  void run(boost::asio::awaitable<void> work) {
    std::exception_ptr thrown;
    boost::asio::co_spawn(context_, std::move(work),
                          [&thrown](std::exception_ptr failure) { thrown = std::move(failure); });
    context_.restart();
    context_.run();
    if (thrown) std::rethrow_exception(thrown);
  }

 private:
  boost::asio::io_context context_{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};
};

/// A transaction that reads, which the caller begins and ends. One thread. Functions throw
/// StorageError.
class SqliteSession final : public sql::Session {
 public:
  /// Both outlive it.
  SqliteSession(Connection& connection, const RecentEvents& recent)
      : statements_(connection), recent_(recent) {}

  boost::asio::awaitable<std::vector<sql::Rows>> run(sql::Batch batch) override {
    co_return statements_.answer(batch);
  }
  boost::asio::awaitable<std::vector<sql::Rows>> finish(sql::Batch batch) override {
    return run(std::move(batch));
  }
  [[nodiscard]] sql::Dialect dialect() const override { return sql::Dialect::kSqlite; }
  void wait_for_events() override;
  [[nodiscard]] bool has_recent_events(TableId table) const override {
    return recent_.last(table).has_value();
  }

 private:
  SqliteStatements statements_;
  const RecentEvents& recent_;
};

}  // namespace tesela::store
