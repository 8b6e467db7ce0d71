// The store in memory, for tests of the layers above: it can be made to fail.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/store/event_log.h"
#include "server/store/only_life.h"
#include "server/store/store.h"
#include "server/store/table_rows.h"
#include "tests/server/store/memory/memory_boards.h"
#include "tests/server/store/memory/memory_snapshots.h"

namespace tesela::store {

/// Threading: any thread.
class MemoryStore final : public EventLog,
                          public TableRows,
                          public Store,
                          public MemorySnapshots,
                          public OnlyLifesDuties {
 public:
  /// Whether an append that fails has stored its event; kStored with kInternal is the ambiguous
  /// case.
  enum class Fate : std::uint8_t { kRefused, kStored };

  /// Makes the next append fail with `error`.
  void fail_next_append(Error error, Fate fate);
  /// Delays the answer of every append and of every change of a table after it was stored.
  void delay_appends(std::chrono::milliseconds delay) { delay_ = delay; }
  /// Makes the next `last` fail with `error`.
  void fail_next_last(Error error) { last_fault_ = std::move(error); }
  /// Whether writable() and all writes succeed from now on.
  void set_writable(bool writable);

  void begin_append(Append append, base::Continuation caller, Resume<void> resume) override {
    resume_after(store_and_answer(std::move(append)), caller, std::move(resume));
  }
  boost::asio::awaitable<Expected<std::vector<Entry>>> read(TableId table, Version from,
                                                            std::size_t max) override;
  boost::asio::awaitable<Expected<std::optional<Entry>>> last(TableId table) override;

  boost::asio::awaitable<Expected<void>> add_player(PlayerRow player) override;
  boost::asio::awaitable<Expected<PlayerRow>> player(PlayerId id) override;
  /// Neither lists players nor makes matches: no layer that has this store asks for them.
  boost::asio::awaitable<Expected<std::vector<PlayerRow>>> players(
      std::string /*name_prefix*/, std::optional<PlayerCursor> /*after*/,
      std::size_t /*max*/) override {
    co_return refuse(ErrorCode::kInternal, kNotInMemory);
  }
  boost::asio::awaitable<Expected<std::vector<SeekerRow>>> seekers(
      std::string /*game*/, std::vector<PlayerId> /*players*/) override {
    co_return refuse(ErrorCode::kInternal, kNotInMemory);
  }
  boost::asio::awaitable<Expected<void>> make_tables(std::vector<MatchedTable> /*tables*/,
                                                     Epoch /*lease*/) override {
    co_return refuse(ErrorCode::kInternal, kNotInMemory);
  }
  boost::asio::awaitable<Expected<void>> add_table(TableRow table,
                                                   std::optional<std::string> first_record,
                                                   GameOutcome outcome) override;
  boost::asio::awaitable<Expected<void>> change_table(TableRow table,
                                                      std::optional<std::string> first_record,
                                                      GameOutcome outcome) override;
  boost::asio::awaitable<Expected<TableRow>> table(TableId id) override;
  boost::asio::awaitable<Expected<std::vector<TableRow>>> tables(TableFilter filter,
                                                                 std::optional<TableCursor> after,
                                                                 std::size_t max) override;
  /// As of SqliteStore.
  boost::asio::awaitable<Expected<Claimed>> claim(TableId table, LifeId life) override;
  boost::asio::awaitable<Expected<TableHeads>> heads(std::vector<TableId> tables) override {
    TableHeads found;
    const std::scoped_lock lock(mutex_);
    for (const TableId table : tables) {
      const auto it = tables_.find(table);
      if (it == tables_.end()) continue;
      const auto& [row, records] = it->second;
      found.push_back({.table = table, .epoch = row.epoch, .version = Version{records.size()}});
    }
    co_return found;
  }
  boost::asio::awaitable<Expected<RatingRow>> rating(std::string game, PlayerId player) override;
  boost::asio::awaitable<Expected<std::vector<BoardEntry>>> board(BoardKey key,
                                                                  BoardRange range) override;
  [[nodiscard]] Expected<void> writable() const override;

 private:
  static constexpr const char* kNotInMemory = "The store in memory has no such call.";

  boost::asio::awaitable<Expected<void>> store_and_answer(Append append);
  /// Waits as `delay_appends` says.
  boost::asio::awaitable<void> answer_late();
  struct Stored {
    TableRow row;
    std::vector<std::string> records;  // of version 1, 2, 3 …
  };
  struct Fault {
    Error error;
    Fate fate;
  };

  // The functions below need the mutex.
  Expected<void> check_writable() const;
  Expected<void> store(Append append);
  Expected<void> add(TableRow table, std::optional<std::string> first_record,
                     const GameOutcome& outcome);
  Expected<void> change(TableRow table, std::optional<std::string> first_record,
                        const GameOutcome& outcome);
  void count_ending_of(const TableRow& table, const GameOutcome& outcome);
  [[nodiscard]] bool already_tried_by(const TableRow& table) const;
  [[nodiscard]] bool knows_players_of(const TableRow& table) const;
  TableRow with_names(TableRow table) const;

  mutable std::mutex mutex_;
  std::map<PlayerId, PlayerRow> players_;
  std::map<TableId, Stored> tables_;
  MemoryBoards boards_;
  std::optional<Fault> fault_;
  std::optional<Error> last_fault_;  // set and used by one thread
  std::atomic<std::chrono::milliseconds> delay_{};
  bool writable_{true};
};

}  // namespace tesela::store
