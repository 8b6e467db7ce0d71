// The operations of store/sql on a connection to PostgreSQL.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "server/store/postgres/connection/attempts.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::postgres {

/// Inserts the first event of a table: its id, the epoch and the record.
inline constexpr const char* kAddFirstEvent =
    "INSERT INTO events (table_id, version, epoch, record) VALUES ($1, 1, $2, $3)";

/// One try of an operation. Functions throw Failure.
class Transaction final : public sql::WriteSession {
 public:
  /// The attempt outlives it.
  Transaction(Attempt& attempt, Access access) : attempt_(attempt), access_(access) {}

  boost::asio::awaitable<std::vector<Rows>> run(Batch batch) override;
  boost::asio::awaitable<std::vector<Rows>> finish(Batch batch) override;
  boost::asio::awaitable<void> roll_back() override;
  /// Rolls back, if the operation has not finished.
  boost::asio::awaitable<void> end();
  [[nodiscard]] bool finished() const { return finished_; }

  [[nodiscard]] sql::Dialect dialect() const override { return sql::Dialect::kPostgres; }
  void wait_for_events() override {}
  [[nodiscard]] bool has_recent_events(TableId /*table*/) const override { return false; }
  [[nodiscard]] bool again() const override { return attempt_.again(); }
  boost::asio::awaitable<Expected<sql::Head>> lock_head(TableId table) override;
  void add_log(Batch& batch, TableId table,
               const std::optional<std::string>& first_record) override;
  void begin_log(Batch& batch, TableId table, Epoch epoch, const std::string& record) override;
  void drop_head(Batch& batch, TableId table) override;
  void overwrite_deleted() override {}

 private:
  boost::asio::awaitable<std::vector<Rows>> send(Batch batch);

  Attempt& attempt_;
  Access access_;
  bool begun_{};
  bool finished_{};
};

}  // namespace tesela::store::postgres
