// The database on PostgreSQL that a migration fills.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/store/key_fingerprint.h"
#include "server/store/migration/relations.h"
#include "server/store/postgres/connection/connection.h"

namespace tesela::store::migration {

/// How far a migration has come.
struct Progress {
  std::string relation{};  // which is being copied; empty before the first
  std::int64_t rows{};     // of it that are there
  bool finished{};         // all of it is there, was compared, and servers may use it
};

/// One thread. Until the migration is finished no server may use the database
/// (postgres::kNoReader). Functions throw postgres::Failure.
class Target {
 public:
  Target(boost::asio::any_io_executor executor, std::string url);

  /// Connects, to read a database that servers use.
  boost::asio::awaitable<void> connect();
  /// Begins a migration in an empty database, or finds how far an earlier run of the same one came.
  /// `source`: Source::fingerprint. Errors, each a sentence for the operator: kInvalidArgument (a
  /// database with other data, or with a migration of another source), and those of
  /// postgres::prepare_schema.
  boost::asio::awaitable<Expected<Progress>> open(std::string source);
  /// Inserts rows, the values of each column, and stores the progress, in one transaction.
  boost::asio::awaitable<void> add(const Relation& relation, const std::vector<Values>& columns,
                                   Progress progress);
  /// Begins to read all relations in one state.
  boost::asio::awaitable<void> begin_reading();
  /// The next rows of a relation: fewer than Relation::rows_at_once are the last ones.
  boost::asio::awaitable<sql::Rows> read(const Relation& relation);

  /// Stores the fingerprints of the keys, and lets servers use the database.
  boost::asio::awaitable<void> finish(std::vector<KeyFingerprint> keys);

  /// Gives up what has waited for too long. Called again and again.
  void watch() { connection_.watch(std::chrono::steady_clock::now()); }

 private:
  boost::asio::awaitable<std::vector<sql::Rows>> run(postgres::Batch batch);
  boost::asio::awaitable<Expected<Progress>> begin(std::string source);
  boost::asio::awaitable<Expected<Progress>> resume(std::string source);

  const std::string url_;
  postgres::Connection connection_;
  const Relation* read_{};  // last
};

}  // namespace tesela::store::migration
