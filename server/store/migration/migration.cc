#include "server/store/migration/migration.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "server/base/crypto.h"
#include "server/base/postgres_limits.h"
#include "server/base/store_limits.h"
#include "server/store/migration/relations.h"
#include "server/store/migration/source.h"
#include "server/store/migration/target.h"
#include "server/store/postgres/connection/binary.h"
#include "server/store/postgres/connection/failure.h"
#include "server/store/sqlite/database/diagnosis.h"

namespace tesela::store {
namespace {

using boost::asio::awaitable;
using migration::Progress;
using migration::Relation;
using migration::Source;
using migration::Target;
using migration::Values;
using migration::values_of;

/// A digest of rows in their order: SHA-256 of the digest before and the row, from row to row.
class Digest {
 public:
  void add(const Values& row) {
    constexpr std::int64_t kNull = -1;
    std::string bytes(digest_.begin(), digest_.end());
    for (const auto& value : row) {
      bytes += postgres::binary_number(value ? static_cast<std::int64_t>(value->size()) : kNull);
      if (value) bytes += *value;
    }
    digest_ = base::sha256(bytes);
  }

  /// In hexadecimal.
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const std::uint8_t byte : digest_) {
      fmt::format_to(std::back_inserter(text), "{:02x}", byte);
    }
    return text;
  }

 private:
  base::Sha256 digest_{};
};

std::unexpected<Error> differs(const Relation& relation, std::int64_t row) {
  return refuse(ErrorCode::kCorrupt,
                "The database of --to is not what the data folder is: " + relation.name +
                    " differs in row " + std::to_string(row) +
                    ". Another program has changed one of the two: drop the database, create it "
                    "again, and begin anew.");
}

class Migration {
 public:
  Migration(const MigrationOptions& options, Source& source, Target& target)
      : options_(options), source_(source), target_(target) {}

  awaitable<Expected<Migrated>> run();

 private:
  awaitable<void> copy(const Relation& relation, std::int64_t done);
  awaitable<Expected<Migrated>> compare_all();
  awaitable<Expected<MigratedRelation>> compare(const Relation& relation);
  void tell(const Relation& relation, std::int64_t rows, bool compared) const {
    if (options_.on_progress) options_.on_progress(relation.name, rows, compared);
  }

  const MigrationOptions& options_;
  Source& source_;
  Target& target_;
};

awaitable<Expected<Migrated>> Migration::run() {
  const auto begun = co_await target_.open(source_.fingerprint());
  if (!begun) co_return std::unexpected(begun.error());
  if (begun->finished) {
    if (auto marked = source_.mark_migrated(); !marked) co_return std::unexpected(marked.error());
    co_return Migrated{};
  }
  const auto& all = migration::relations();
  auto relation = std::ranges::find(all, begun->relation, &Relation::name);
  std::int64_t done = begun->rows;
  if (relation == all.end()) relation = all.begin();  // before the first
  for (; relation != all.end(); ++relation) {
    co_await copy(*relation, done);
    done = 0;
  }
  auto migrated = co_await compare_all();
  if (!migrated) co_return migrated;
  // First the mark: at no moment may servers start on both.
  if (auto marked = source_.mark_migrated(); !marked) co_return std::unexpected(marked.error());
  co_await target_.finish(options_.keys);
  co_return migrated;
}

awaitable<void> Migration::copy(const Relation& relation, std::int64_t done) {
  Statement rows = source_.rows(relation, done);
  for (bool more = true; more;) {
    std::vector<Values> columns(relation.columns.size());
    std::size_t count = 0;
    std::size_t bytes = 0;
    while (count < relation.rows_at_once && bytes < limits::kMigrationBytesAtOnce &&
           (more = rows.next())) {
      Values values = values_of(rows.row(), relation);
      for (std::size_t i = 0; i < values.size(); ++i) {
        bytes += values[i] ? values[i]->size() : 0;
        columns[i].push_back(std::move(values[i]));
      }
      ++count;
    }
    if (count == 0) break;
    done += static_cast<std::int64_t>(count);
    Progress progress{.relation = relation.name, .rows = done};
    co_await target_.add(relation, columns, std::move(progress));
    tell(relation, done, false);
  }
}

awaitable<Expected<Migrated>> Migration::compare_all() {
  co_await target_.begin_reading();
  Migrated migrated;
  for (const Relation& relation : migration::relations()) {
    auto compared = co_await compare(relation);
    if (!compared) co_return std::unexpected(std::move(compared.error()));
    migrated.relations.push_back(std::move(*compared));
  }
  co_return migrated;
}

awaitable<Expected<MigratedRelation>> Migration::compare(const Relation& relation) {
  Statement expected = source_.rows(relation, 0);
  Digest digest;
  std::int64_t count = 0;
  for (bool more = true; more;) {
    const sql::Rows found = co_await target_.read(relation);
    for (const sql::Row row : found) {
      ++count;
      const Values values = values_of(row, relation);
      if (!expected.next() || values_of(expected.row(), relation) != values) {
        co_return differs(relation, count);
      }
      digest.add(values);
    }
    more = found.size() == relation.rows_at_once;
    tell(relation, count, true);
  }
  if (expected.next()) co_return differs(relation, count + 1);
  MigratedRelation same{.name = relation.name, .rows = count, .digest = digest.text()};
  co_return same;
}

awaitable<void> watch(Target& target, boost::asio::steady_timer timer) {
  for (;;) {
    timer.expires_after(limits::kPostgresWatchInterval);
    co_await timer.async_wait(boost::asio::use_awaitable);
    target.watch();
  }
}

/// Runs the migration to its end. Throws postgres::Failure and StorageError.
Expected<Migrated> run_to_end(const MigrationOptions& options, Source& source) {
  boost::asio::io_context io{1};
  Target target(io.get_executor(), options.to);
  Migration migration(options, source, target);
  std::optional<Expected<Migrated>> migrated;
  boost::asio::co_spawn(io, watch(target, boost::asio::steady_timer(io)), boost::asio::detached);
  boost::asio::co_spawn(io, migration.run(),
                        [&](const std::exception_ptr& thrown, Expected<Migrated> answer) {
                          if (thrown) std::rethrow_exception(thrown);
                          migrated = std::move(answer);
                          io.stop();
                        });
  io.run();
  return std::move(migrated.value());
}

}  // namespace

Expected<Migrated> migrate(const MigrationOptions& options) {
  auto source = migration::Source::open(options.from);
  if (!source) return std::unexpected(std::move(source.error()));
  try {
    return run_to_end(options, **source);
  } catch (const StorageError& error) {
    return std::unexpected(cannot_open((*source)->database(), error));
  } catch (const postgres::Failure& failure) {
    return refuse(ErrorCode::kUnavailable,
                  std::string("PostgreSQL refuses the migration (") + failure.what() +
                      "): once that is put right, run the same command again, and it goes on where "
                      "it was.");
  }
}

}  // namespace tesela::store
