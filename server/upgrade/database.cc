#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "server/base/postgres_limits.h"
#include "server/base/store_limits.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/postgres/connection/connection.h"
#include "server/store/postgres/connection/failure.h"
#include "server/store/postgres/first_connection.h"
#include "server/upgrade/packed_log.h"
#include "server/upgrade/upgrade.h"

namespace tesela::upgrade {
namespace {

using boost::asio::awaitable;
using namespace boost::asio::experimental::awaitable_operators;
using store::postgres::Batch;
using store::postgres::Connection;
using store::sql::Rows;

constexpr std::int64_t kLastDatabase = 8;

constexpr const char* kFound =
    "SELECT to_regclass('tesela_schema') IS NOT NULL, to_regclass('schema_version') IS NOT NULL";
// No server of those versions starts or writes meanwhile.
constexpr const char* kLock = "LOCK TABLE schema_version, heads, tables, lives";
constexpr const char* kState =
    "SELECT version, min_reader, EXISTS (SELECT 1 FROM lives WHERE state = 'alive'"
    " AND lease_until > clock_timestamp()) FROM schema_version";
constexpr const char* kDropMembers = "DROP TABLE ticket_members";
constexpr const char* kDropTickets = "DROP TABLE tickets";
constexpr const char* kDropCopies = "ALTER TABLE seats DROP COLUMN display_name, DROP COLUMN bot";
constexpr const char* kAllowFormat = "ALTER TABLE archives DROP CONSTRAINT archives_format_check";
constexpr const char* kCheckFormat = "ALTER TABLE archives ADD CHECK (format >= 1)";
constexpr const char* kOldArchives =
    "SELECT table_id, format, events, bytes, hash, data FROM archives WHERE table_id > $1"
    " ORDER BY table_id LIMIT $2";
constexpr const char* kSetArchive =
    "UPDATE archives SET format = $2, events = $3, bytes = $4, hash = $5, data = $6"
    " WHERE table_id = $1";
constexpr const char* kRename = "ALTER TABLE schema_version RENAME TO tesela_schema";
constexpr const char* kSetVersion = "UPDATE tesela_schema SET version = 1, min_reader = 1";

class Upgrading {
 public:
  explicit Upgrading(boost::asio::any_io_executor executor) : connection_(std::move(executor)) {}

  awaitable<Expected<Upgraded>> run(std::string url) {
    const auto ended =
        co_await (run_to_end(std::move(url)) || store::postgres::keep_watching(connection_));
    co_return std::get<0>(ended);
  }

 private:
  awaitable<Expected<Upgraded>> run_to_end(std::string url) {
    try {
      co_return co_await upgrade(std::move(url));
    } catch (const store::postgres::Failure& failure) {
      co_return refuse(ErrorCode::kUnavailable, std::string("PostgreSQL refuses the upgrade (") +
                                                    failure.what() +
                                                    "): run the same command again; it changes "
                                                    "nothing or all.");
    }
  }

  awaitable<Expected<Upgraded>> upgrade(std::string url) {
    const auto until = std::chrono::steady_clock::now() + limits::kStoreWait;
    co_await connection_.open(url, std::nullopt, until);
    const auto own = co_await store::postgres::check_pooler(connection_, std::move(url), until);
    if (!own) co_return std::unexpected(own.error());
    const auto found = co_await ask(kFound);
    if (found[0].flag(0)) co_return Upgraded{};
    if (!found[0].flag(1)) {
      co_return refuse(ErrorCode::kNotFound,
                       "The database of --database holds no data of a server.");
    }
    static_cast<void>(co_await ask(store::postgres::kBegin));
    static_cast<void>(co_await ask(kLock));
    const auto fits = expect_unused(co_await ask(kState));
    if (!fits) co_return std::unexpected(fits.error());
    for (const char* sql : {kDropMembers, kDropTickets, kDropCopies, kAllowFormat}) {
      static_cast<void>(co_await ask(sql));
    }
    Upgraded upgraded = co_await pack_anew();
    for (const char* sql : {kCheckFormat, kRename, kSetVersion, store::postgres::kCommit}) {
      static_cast<void>(co_await ask(sql));
    }
    co_return upgraded;
  }

  // One statement may rewrite a large table.
  static store::postgres::Time soon() {
    return std::chrono::steady_clock::now() + limits::kMigrationAnswerMax;
  }

  awaitable<Rows> ask(const char* sql) {
    Batch batch;
    batch.add(sql);
    auto results = co_await connection_.run(std::move(batch), soon());
    co_return std::move(results.front());
  }

  static Expected<void> expect_unused(const Rows& state) {
    if (state[0].flag(2)) {
      return refuse(ErrorCode::kUnavailable,
                    "A server runs on the database: stop all of them, and run this again.");
    }
    if (state[0].number(0) == kLastDatabase && state[0].number(1) <= kLastDatabase) return {};
    return refuse(ErrorCode::kUnavailable,
                  "The database was written by an early version of Tesela, or a migration into it "
                  "is not finished: start the last version before the first release on it once and "
                  "stop it, then run this again.");
  }

  awaitable<Upgrade> pack_anew() {
    Upgrade upgrade;
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (;;) {
      Batch question;
      question.add(kOldArchives)
          .number(last)
          .number(static_cast<std::int64_t>(limits::kMigrationPackedLogsAtOnce));
      const auto answer = co_await connection_.run(std::move(question), soon());
      const Rows& rows = answer.front();
      if (rows.empty()) co_return upgrade;
      Batch changes;
      for (std::size_t row = 0; row < rows.size(); ++row) add(changes, rows, row, upgrade);
      last = rows[rows.size() - 1].number(0);
      if (changes.size() > 0) {
        static_cast<void>(co_await connection_.run(std::move(changes), soon()));
      }
    }
  }

  static void add(Batch& changes, const Rows& rows, std::size_t row, Upgrade& upgrade) {
    const auto table = rows[row].id<TableId>(0);
    const auto packed = repack({.format = rows[row].number(1),
                                .events = rows[row].number(2),
                                .bytes = rows[row].number(3),
                                .hash = rows[row].text(4),
                                .data = rows[row].text(5)});
    if (!packed) return upgrade.unreadable.push_back(unreadable(table, packed.error()));
    ++upgrade.packed;
    changes.add(kSetArchive)
        .id(table)
        .number(static_cast<std::int64_t>(packed->format))
        .number(static_cast<std::int64_t>(packed->events))
        .number(static_cast<std::int64_t>(packed->bytes))
        .bytes(packed->hash)
        .bytes(packed->data);
  }

  Connection connection_;
};

}  // namespace

Expected<Upgraded> upgrade_database(const std::string& url) {
  boost::asio::io_context io{1};
  Upgrading upgrading(io.get_executor());
  auto upgraded = boost::asio::co_spawn(io, upgrading.run(url), boost::asio::use_future);
  io.run();
  return upgraded.get();
}

}  // namespace tesela::upgrade
