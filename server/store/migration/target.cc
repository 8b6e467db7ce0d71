#include "server/store/migration/target.h"

#include <chrono>
#include <optional>
#include <utility>

#include "server/base/postgres_limits.h"
#include "server/base/store_limits.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/postgres/first_connection.h"
#include "server/store/postgres/schema/schema.h"

namespace tesela::store::migration {
namespace {

using boost::asio::awaitable;
using postgres::Batch;
using postgres::Query;
using sql::Rows;
using std::chrono::steady_clock;

// Commits wait for the disk only at the end: after a crash of PostgreSQL the progress is that of
// the rows that are left. The source may be slow to read between two statements.
constexpr const char* kBeginSession =
    "SELECT set_config('synchronous_commit', 'off', false), set_config('lock_timeout', $1, false),"
    " set_config('idle_in_transaction_session_timeout', '0', false)";
// "MIGRATE" in ASCII. Two migrations take turns.
constexpr const char* kTakeTurn = "SELECT pg_advisory_lock(21754143878239301)";
constexpr const char* kHasBegun = "SELECT to_regclass('migration') IS NOT NULL";
constexpr const char* kHasData =
    "SELECT EXISTS (SELECT 1 FROM players) OR EXISTS (SELECT 1 FROM tables)"
    " OR EXISTS (SELECT 1 FROM lives) OR EXISTS (SELECT 1 FROM shared_keys)";
constexpr const char* kCreate =
    "CREATE TABLE migration ("
    " only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),"
    " source bytea NOT NULL,"
    " relation text COLLATE \"C\" NOT NULL,"
    " rows bigint NOT NULL,"
    " finished boolean NOT NULL)";
// Nobody watches the tables that are copied.
constexpr const char* kNoteNoTables = "ALTER TABLE tables DISABLE TRIGGER tables_noted";
constexpr const char* kNoteTables = "ALTER TABLE tables ENABLE TRIGGER tables_noted";
constexpr const char* kFirstProgress =
    "INSERT INTO migration (source, relation, rows, finished) VALUES ($1, '', 0, false)";
constexpr const char* kSetReader = "UPDATE tesela_schema SET min_reader = $1";
constexpr const char* kProgress =
    "SELECT m.relation, m.rows, m.finished, m.source, s.version FROM migration m, tesela_schema s";
constexpr const char* kSetProgress = "UPDATE migration SET relation = $1, rows = $2";
constexpr const char* kFinished = "UPDATE migration SET finished = true";
constexpr const char* kNextBoard =
    "SELECT setval(pg_get_serial_sequence('boards', 'id'), coalesce(max(id), 0) + 1, false)"
    " FROM boards";
constexpr const char* kAddKey = "INSERT INTO shared_keys (name, fingerprint) VALUES ($1, $2)";
constexpr const char* kSyncCommits = "SELECT set_config('synchronous_commit', 'on', false)";

std::unexpected<Error> not_empty() {
  return refuse(ErrorCode::kInvalidArgument,
                "A server has used the database of --to, or it holds data: give an empty one, as "
                "createdb makes it.");
}

std::unexpected<Error> another_source() {
  return refuse(ErrorCode::kInvalidArgument,
                "The database of --to holds a part of another data folder, or a server has used "
                "this one since the migration began: drop the database, create it again, and begin "
                "anew.");
}

std::unexpected<Error> another_version(std::int64_t version) {
  return refuse(ErrorCode::kUnavailable,
                "The migration into the database of --to was begun by another Tesela (schema " +
                    std::to_string(version) + "; this one has " +
                    std::to_string(postgres::kSchemaVersion) +
                    "): go on with that version, or drop the database, create it again, and begin "
                    "anew.");
}

}  // namespace

Target::Target(boost::asio::any_io_executor executor, std::string url)
    : url_(std::move(url)), connection_(std::move(executor)) {}

awaitable<std::vector<Rows>> Target::run(Batch batch) {
  return connection_.run(std::move(batch), steady_clock::now() + limits::kMigrationAnswerMax);
}

awaitable<void> Target::connect() {
  co_await connection_.open(url_, std::nullopt, steady_clock::now() + limits::kStoreWait);
}

awaitable<Expected<Progress>> Target::open(std::string source) {
  co_await connect();
  const auto own =
      co_await postgres::check_pooler(connection_, url_, steady_clock::now() + limits::kStoreWait);
  if (!own) co_return std::unexpected(own.error());
  const std::chrono::milliseconds turn = limits::kMigrationTurnMax;
  Batch batch;
  batch.add(kBeginSession).bytes(std::to_string(turn.count()));
  batch.add(kTakeTurn);
  batch.add(kHasBegun);
  const auto results = co_await run(std::move(batch));
  if (results[2][0].flag(0)) co_return co_await resume(std::move(source));
  co_return co_await begin(std::move(source));
}

awaitable<Expected<Progress>> Target::begin(std::string source) {
  const auto until = steady_clock::now() + limits::kMigrationAnswerMax;
  const auto ready = co_await postgres::prepare_schema(connection_, until);
  if (!ready) co_return std::unexpected(ready.error());
  Batch question;
  question.add(kHasData);
  const auto found = co_await run(std::move(question));
  if (found.front()[0].flag(0)) co_return not_empty();
  Batch batch;
  batch.add(postgres::kBegin);
  batch.add(kSetReader).number(postgres::kNoReader);
  batch.add(kCreate);
  batch.add(kNoteNoTables);
  batch.add(kFirstProgress).bytes(source);
  batch.add(postgres::kCommit);
  static_cast<void>(co_await run(std::move(batch)));
  co_return Progress{};
}

awaitable<Expected<Progress>> Target::resume(std::string source) {
  Batch question;
  question.add(kProgress);
  const auto found = co_await run(std::move(question));
  const Rows& row = found.front();
  if (row[0].bytes(3) != source) co_return another_source();
  if (row[0].flag(2)) co_return Progress{.finished = true};
  if (row[0].number(4) != postgres::kSchemaVersion) co_return another_version(row[0].number(4));
  Progress progress{.relation = row[0].text(0), .rows = row[0].number(1)};
  co_return progress;
}

awaitable<void> Target::add(const Relation& relation, const std::vector<Values>& columns,
                            Progress progress) {
  Batch batch;
  Query& insert = batch.add(relation.insert.c_str());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    insert.encoded(postgres::binary_array(relation.columns[i].type, columns[i]));
  }
  batch.add(kSetProgress).bytes(progress.relation).number(progress.rows);
  static_cast<void>(co_await run(std::move(batch)));
}

awaitable<void> Target::begin_reading() {
  Batch batch;
  batch.add(postgres::kBeginReading);
  static_cast<void>(co_await run(std::move(batch)));
}

awaitable<Rows> Target::read(const Relation& relation) {
  Batch batch;
  if (read_ != &relation) batch.add(relation.declare.c_str());
  read_ = &relation;
  batch.add(relation.fetch.c_str());
  auto results = co_await run(std::move(batch));
  co_return std::move(results.back());
}

awaitable<void> Target::finish(std::vector<KeyFingerprint> keys) {
  Batch batch;
  batch.add(postgres::kCommit);  // of the reading
  batch.add(kSyncCommits);
  batch.add(postgres::kBegin);
  batch.add(kNextBoard);
  for (const char* sql : postgres::count_boards()) batch.add(sql);
  for (const KeyFingerprint& key : keys) batch.add(kAddKey).bytes(key.key).bytes(key.fingerprint);
  batch.add(kNoteTables);
  batch.add(kSetReader).number(postgres::kMinReader);
  batch.add(kFinished);
  batch.add(postgres::kCommit);
  static_cast<void>(co_await run(std::move(batch)));
}

}  // namespace tesela::store::migration
