// Every kind of write as SQL, inside the writer's transaction.
#pragma once

#include <vector>

#include "server/store/sqlite/connection.h"
#include "server/store/sqlite/heads.h"
#include "server/store/sqlite/recent_events.h"
#include "server/store/sqlite/write.h"

namespace tesela::store {

/// The writer's thread alone.
class WriteStatements {
 public:
  /// Both outlive it.
  WriteStatements(Connection& connection, RecentEvents& recent);

  /// Runs one write. Its refusal (kFenced, kNotFound, kSeatTaken and so on) leaves the transaction
  /// as it was; a StorageError ends the whole transaction.
  [[nodiscard]] Expected<Epoch> apply(Write& write);
  /// The transaction was committed: readers may see its events.
  void commit();
  /// The transaction was rolled back.
  void roll_back();

 private:
  Expected<Epoch> run(Append& append);
  Expected<Epoch> run(const AddPlayer& add);
  Expected<Epoch> run(AddTable& add);
  Expected<Epoch> run(const SeatClaim& claim);
  Expected<Epoch> run(const Claim& claim);

  std::optional<Head> head_of(TableId table);
  void append_event(TableId table, Version version, std::string record);
  void insert_table(const TableRow& table);

  RecentEvents& recent_;
  Heads heads_;
  std::vector<RecentEvents::Committed> events_;  // of this transaction
  Statement head_;
  Statement append_;
  Statement end_;
  Statement add_player_;
  Statement add_table_;
  Statement add_seat_;
  Statement seat_count_;
  Statement begin_;
  Statement claim_;
  Statement savepoint_;
  Statement undo_;
  Statement release_;
};

}  // namespace tesela::store
