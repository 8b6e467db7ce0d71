#include <boost/asio/this_coro.hpp>
#include <utility>

#include "server/base/store_limits.h"
#include "server/check/data.h"
#include "server/store/migration/target.h"
#include "server/store/postgres/connection/failure.h"
#include "server/store/postgres/postgres_store.h"

namespace tesela::check {
namespace {

using boost::asio::awaitable;
using store::migration::Relation;
using store::migration::Target;
using store::sql::Row;

class DatabaseData final : public Data {
 public:
  DatabaseData(std::string url, std::unique_ptr<store::PostgresStore> store)
      : url_(std::move(url)), store_(std::move(store)) {}

  awaitable<std::vector<std::string>> damage() override { co_return std::vector<std::string>{}; }

  awaitable<Expected<void>> read(const Relation& relation,
                                 const std::function<void(Row)>& on_row) override {
    Expected<void> done;
    try {
      // A connection of its own: a failed transaction leaves the others alone.
      Target rows(co_await boost::asio::this_coro::executor, url_);
      co_await rows.connect();
      co_await rows.begin_reading();
      for (bool more = true; more;) {
        const store::sql::Rows found = co_await rows.read(relation);
        for (const Row row : found) on_row(row);
        more = found.size() == relation.rows_at_once;
      }
    } catch (const store::postgres::Failure& failure) {
      done = refuse(failure.is_damage() ? ErrorCode::kCorrupt : ErrorCode::kUnavailable,
                    failure.what());
    }
    co_return done;
  }

  awaitable<Expected<store::TableRow>> table(TableId id) override { return store_->table(id); }
  replay::Source games() override { return {*store_, *store_}; }

 private:
  const std::string url_;
  std::unique_ptr<store::PostgresStore> store_;
};

}  // namespace

Expected<std::unique_ptr<Data>> open_database(const std::string& url) {
  auto store =
      store::PostgresStore::open({.url = url, .wait = limits::kStoreWait, .reads_only = true});
  if (!store) return std::unexpected(std::move(store.error()));
  return std::make_unique<DatabaseData>(url, std::move(*store));
}

}  // namespace tesela::check
