// One transaction on either database, as the operations of this folder see it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/sql/session/batch.h"
#include "server/store/sql/session/rows.h"

namespace tesela::store::sql {

enum class Dialect : std::uint8_t { kSqlite, kPostgres };

/// A constraint of the schema refused a statement. Whoever catches it rolls back before anything
/// else.
class Violation : public std::runtime_error {
 public:
  enum class Of : std::uint8_t { kKey, kUniqueIndex, kForeignKey, kOther };

  Violation(Of constraint, const std::string& what)
      : std::runtime_error(what), constraint_(constraint) {}

  [[nodiscard]] Of constraint() const { return constraint_; }

 private:
  Of constraint_;
};

/// An operation runs in one, on one thread. The transaction begins with the first batch. Functions
/// throw Violation, and what their database throws, which ends the operation.
class Session {
 public:
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// An answer for each statement, in order.
  virtual boost::asio::awaitable<std::vector<Rows>> run(Batch batch) = 0;
  /// The same, and commits. Nothing runs after it. An operation that returns without it has changed
  /// nothing.
  virtual boost::asio::awaitable<std::vector<Rows>> finish(Batch batch) = 0;
  boost::asio::awaitable<std::vector<Rows>> finish() { return finish(Batch()); }
  /// The same of one statement.
  boost::asio::awaitable<Rows> run(Query query) {
    auto answers = co_await run(Batch(std::move(query)));
    co_return std::move(answers.front());
  }
  boost::asio::awaitable<Rows> finish(Query query) {
    auto answers = co_await finish(Batch(std::move(query)));
    co_return std::move(answers.front());
  }
  /// As finish, where no answer matters.
  boost::asio::awaitable<Expected<void>> commit(Batch batch) {
    static_cast<void>(co_await finish(std::move(batch)));
    co_return Expected<void>{};
  }
  boost::asio::awaitable<Expected<void>> commit(Query query) {
    return commit(Batch(std::move(query)));
  }
  boost::asio::awaitable<Expected<void>> commit() { return commit(Batch()); }

  [[nodiscard]] virtual Dialect dialect() const = 0;
  /// A row tells that a game has begun or has ended. Returns when readers of its log find the
  /// event.
  virtual void wait_for_events() = 0;
  /// Whether events of the table are not in the database's `events` yet.
  [[nodiscard]] virtual bool has_recent_events(TableId table) const = 0;

 protected:
  Session() = default;
};

/// Who owns a table, and how far its log is.
struct Head {
  Epoch epoch;
  Version last;

  friend bool operator==(const Head&, const Head&) = default;
};

/// A transaction that writes.
class WriteSession : public Session {
 public:
  /// Whether an earlier try of the same operation may have been committed.
  [[nodiscard]] virtual bool again() const = 0;
  /// Undoes what was run. The next batch begins anew.
  virtual boost::asio::awaitable<void> roll_back() = 0;

  // Heads and events, which the databases keep in different ways. What these functions change
  // belongs to the transaction.

  /// The head of a table, which nobody else changes until the end. Errors: kNotFound, kCorrupt.
  virtual boost::asio::awaitable<Expected<Head>> lock_head(TableId table) = 0;
  /// With the batch, a table gets a head with epoch 1, and its first event.
  virtual void add_log(Batch& batch, TableId table,
                       const std::optional<std::string>& first_record) = 0;
  /// With the batch, the game of a table begins.
  virtual void begin_log(Batch& batch, TableId table, Epoch epoch, const std::string& record) = 0;
  /// With the batch, which deletes the rows of a table, it loses its head.
  virtual void drop_head(Batch& batch, TableId table) = 0;
  /// Bytes that the transaction deletes do not stay in the file.
  virtual void overwrite_deleted() = 0;
};

}  // namespace tesela::store::sql
