#include "server/store/sqlite/write/write_statements.h"

#include <variant>

#include "server/base/limits.h"
#include "server/store/refusals.h"
#include "server/store/sql/table_writes.h"

namespace tesela::store {

WriteStatements::WriteStatements(Connection& connection, RecentEvents& recent)
    : recent_(recent),
      handle_(connection.handle()),
      appended_(connection, "recent_events"),
      claim_(connection, "UPDATE tables SET epoch = ?2 WHERE id = ?1"),
      unused_pages_(connection),
      session_(connection, recent, heads_, events_) {}

Expected<void> WriteStatements::apply(Write& write) {
  return std::visit([this](auto& request) { return run(request); }, write.request);
}

void WriteStatements::finish() {
  appended_.insert(events_.size(), [this](std::size_t i) {
    const auto& [table, entry] = events_[i];
    return EventRows::Row{table, entry.version, entry.record};
  });
  if (!events_.empty()) recent_.hide(sqlite3_last_insert_rowid(handle_));
}

void WriteStatements::commit() {
  heads_.commit();
  recent_.add(events_);
  if (heads_.size() > limits::kStoreHeadsMax) {
    heads_.forget_unless([this](TableId table) { return recent_.contains(table); });
  }
}

void WriteStatements::roll_back() {
  heads_.roll_back();
  events_.clear();
  recent_.give_up();
}

Expected<void> WriteStatements::run(Append& append) {
  const auto head = session_.head_of(append.table);
  if (!head) return std::unexpected(head.error());
  if (append.epoch != head->epoch) return another_owner();
  if (append.version != next(head->last)) return not_the_next_version();
  if (append.ending) {
    const auto ended = session_.operate(
        [&append](sql::WriteSession& session) { return sql::end_table(session, append); });
    if (!ended) return ended;
  }
  events_.push_back({append.table, Entry{append.version, std::move(append.record)}});
  heads_.change(append.table, sql::Head{head->epoch, append.version});
  return {};
}

Expected<void> WriteStatements::run(const Claim& claim) {
  const auto head = session_.head_of(claim.table);
  if (!head) return std::unexpected(head.error());
  const Epoch epoch{head->epoch.value + 1};
  claim_.bind(1, claim.table).bind(2, epoch).run();
  heads_.change(claim.table, sql::Head{epoch, head->last});
  *claim.owned = Owned{epoch, head->last};
  return {};
}

Expected<void> WriteStatements::run(const sql::Batch& aside) {
  session_.run_now(aside);
  return {};
}

Expected<void> WriteStatements::run(Operation& operation) {
  return session_.operate(operation.work);
}

Expected<void> WriteStatements::run(const GiveBackPages& give_back) {
  *give_back.pages = unused_pages_.give_back();
  return {};
}

Expected<void> WriteStatements::run(const HurryCompaction& /*hurry*/) {
  hurry_ = true;
  return {};
}

}  // namespace tesela::store
