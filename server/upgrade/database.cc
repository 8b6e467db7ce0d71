#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <exception>
#include <limits>
#include <utility>
#include <vector>

#include "server/base/postgres_limits.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/postgres/connection/connection.h"
#include "server/store/postgres/connection/failure.h"
#include "server/upgrade/packed_log.h"
#include "server/upgrade/upgrade.h"

namespace tesela::upgrade {
namespace {

using boost::asio::awaitable;
using store::postgres::Connection;
using store::postgres::Pipeline;
using store::postgres::Result;

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
    co_await connection_.open(std::move(url), std::nullopt, soon());
    const auto found = co_await ask(kFound);
    if (found.flag(0, 0)) co_return Upgraded{};
    if (!found.flag(0, 1)) {
      co_return refuse(ErrorCode::kNotFound,
                       "The database of --database holds no data of a server.");
    }
    static_cast<void>(co_await ask(store::postgres::kBegin));
    static_cast<void>(co_await ask(kLock));
    const auto fits = expect_unused(co_await ask(kState));
    if (!fits) co_return std::unexpected(fits.error());
    for (const char* sql : {kDropMembers, kDropTickets, kAllowFormat}) {
      static_cast<void>(co_await ask(sql));
    }
    Upgraded upgraded = co_await pack_anew();
    for (const char* sql : {kCheckFormat, kRename, kSetVersion, store::postgres::kCommit}) {
      static_cast<void>(co_await ask(sql));
    }
    co_return upgraded;
  }

 private:
  // One statement may rewrite a large table.
  static store::postgres::Time soon() {
    return std::chrono::steady_clock::now() + limits::kMigrationAnswerMax;
  }

  awaitable<Result> ask(const char* sql) {
    Pipeline pipeline;
    pipeline.add(sql);
    auto results = co_await connection_.run(std::move(pipeline), soon());
    co_return std::move(results.front());
  }

  static Expected<void> expect_unused(const Result& state) {
    if (state.flag(0, 2)) {
      return refuse(ErrorCode::kUnavailable,
                    "A server runs on the database: stop all of them, and run this again.");
    }
    if (state.number(0, 0) == kLastDatabase && state.number(0, 1) <= kLastDatabase) return {};
    return refuse(ErrorCode::kUnavailable,
                  "The database was written by an early version of Tesela, or a migration into it "
                  "is not finished: start the last version before the first release on it once and "
                  "stop it, then run this again.");
  }

  awaitable<Upgrade> pack_anew() {
    Upgrade upgrade;
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (;;) {
      Pipeline question;
      question.add(kOldArchives)
          .number(last)
          .number(static_cast<std::int64_t>(limits::kMigrationPackedLogsAtOnce));
      const auto answer = co_await connection_.run(std::move(question), soon());
      const Result& rows = answer.front();
      if (rows.rows() == 0) co_return upgrade;
      Pipeline changes;
      for (int row = 0; row < rows.rows(); ++row) add(changes, rows, row, upgrade);
      last = rows.number(rows.rows() - 1, 0);
      if (changes.size() > 0) {
        static_cast<void>(co_await connection_.run(std::move(changes), soon()));
      }
    }
  }

  static void add(Pipeline& changes, const Result& rows, int row, Upgrade& upgrade) {
    const auto table = rows.id<TableId>(row, 0);
    const auto packed = repack({.format = rows.number(row, 1),
                                .events = rows.number(row, 2),
                                .bytes = rows.number(row, 3),
                                .hash = rows.text(row, 4),
                                .data = rows.text(row, 5)});
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
  Upgrading upgrade(io.get_executor());
  Expected<Upgraded> upgraded;
  try {
    boost::asio::co_spawn(io, upgrade.run(url),
                          [&](const std::exception_ptr& thrown, Expected<Upgraded> answer) {
                            if (thrown) std::rethrow_exception(thrown);
                            upgraded = std::move(answer);
                          });
    io.run();
  } catch (const store::postgres::Failure& failure) {
    return refuse(ErrorCode::kUnavailable, std::string("PostgreSQL refuses the upgrade (") +
                                               failure.what() +
                                               "): run the same command again; it changes "
                                               "nothing or all.");
  }
  return upgraded;
}

}  // namespace tesela::upgrade
