#include "server/store/postgres/connection/transaction.h"

#include <utility>

#include "server/store/postgres/connection/failure.h"
#include "server/store/refusals.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr Text kLockHead{"SELECT epoch, version FROM heads WHERE table_id = $1 FOR UPDATE"};
constexpr Text kAddHead{"INSERT INTO heads (table_id, epoch, version, life) VALUES ($1, 1, $2, 0)"};
constexpr Text kBeginHead{"UPDATE heads SET version = 1 WHERE table_id = $1"};
constexpr Text kDropHead{"DELETE FROM heads WHERE table_id = $1"};

sql::Violation::Of constraint_of(const Failure& failure) {
  if (failure.is_foreign_key()) return sql::Violation::Of::kForeignKey;
  if (!failure.is_unique()) return sql::Violation::Of::kOther;
  return failure.constraint().ends_with("_pkey") ? sql::Violation::Of::kKey
                                                 : sql::Violation::Of::kUniqueIndex;
}

}  // namespace

awaitable<std::vector<Rows>> Transaction::send(Batch batch) {
  try {
    co_return co_await attempt_.run(std::move(batch));
  } catch (const Failure& failure) {
    if (!failure.is_constraint() || failure.is_conflict()) throw;
    throw sql::Violation(constraint_of(failure), failure.what());
  }
}

awaitable<std::vector<Rows>> Transaction::run(Batch batch) {
  const bool begins = !begun_;
  if (begins) batch.add_first(access_ == Access::kReads ? kBeginReading : kBegin);
  begun_ = true;
  auto answers = co_await send(std::move(batch));
  if (begins) answers.erase(answers.begin());
  co_return answers;
}

// What is sent without BEGIN is a transaction of its own, but each statement reads another state.
awaitable<std::vector<Rows>> Transaction::finish(Batch batch) {
  const bool begins = !begun_ && access_ == Access::kReads && batch.size() > 1;
  if (begins) batch.add_first(kBeginReading);
  if (begins || begun_) batch.add(kCommit);
  finished_ = true;
  if (batch.size() == 0) co_return std::vector<Rows>{};
  auto answers = co_await send(std::move(batch));
  if (begins) answers.erase(answers.begin());
  co_return answers;
}

awaitable<void> Transaction::roll_back() {
  if (begun_) co_await attempt_.roll_back();
  begun_ = false;
}

awaitable<void> Transaction::end() {
  if (!finished_) co_await roll_back();
}

awaitable<Expected<sql::Head>> Transaction::lock_head(TableId table) {
  Batch batch;
  batch.add(kLockHead).id(table);
  const auto answers = co_await run(std::move(batch));
  if (answers[0].empty()) co_return no_such_table();
  co_return sql::Head{answers[0][0].id<Epoch>(0), answers[0][0].id<Version>(1)};
}

void Transaction::add_log(Batch& batch, TableId table,
                          const std::optional<std::string>& first_record) {
  batch.add(kAddHead).id(table).number(first_record ? 1 : 0);
  if (first_record) batch.add(kAddFirstEvent).id(table).number(1).bytes(*first_record);
}

void Transaction::begin_log(Batch& batch, TableId table, Epoch epoch, const std::string& record) {
  batch.add(kBeginHead).id(table);
  batch.add(kAddFirstEvent).id(table).id(epoch).bytes(record);
}

void Transaction::drop_head(Batch& batch, TableId table) {
  batch.add(kDropHead).id(table);
}

}  // namespace tesela::store::postgres
