// Bits change in the files of a data folder, one at a time: nothing that is read back afterwards
// differs without an error. TESELA_FLIPS: how many bits of each file, 20 by default.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/files/log_walk.h"
#include "tests/played/played_game.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace flips_test {

namespace fs = std::filesystem;

constexpr std::uint64_t kGames = 12;
constexpr std::uint64_t kPlayers = 300;
/// The first ids of games and players.
constexpr std::array<std::uint64_t, 3> kInDatabase{1000, 2000, 3000};
constexpr std::uint64_t kInLog = 5000;

/// Adds games that strategies have played.
void add_games(SqliteStore& store, std::uint64_t first, std::mt19937_64& random) {
  Caller caller(store, store);
  for (std::uint64_t id = first; id < first + kPlayers; ++id) {
    ASSERT_TRUE(caller.sign_in(PlayerId{id}, "Player " + std::to_string(id)));
  }
  for (std::uint64_t id = first; id < first + kGames; ++id) {
    const auto ids = played::counted_ids(random);
    const played::PlayedGame game = played::play(
        {.game = id % 2 == 0 ? "2048" : "samegame", .ids = ids, .moves_max = 150}, random);
    TableRow table = game.table;
    table.id = TableId{id};
    table.owner = PlayerId{first};
    table.created_ms = 1'700'000'000'000;
    table.seats.resize(1);
    table.seats.front().player = PlayerId{first};
    table.state = TableState::kInPlay;
    table.ending = std::nullopt;
    const auto records = game.encoded();
    ASSERT_TRUE(caller.wait(store.add_table(table, records.front(), {})));
    for (std::size_t i = 1; i < records.size(); ++i) {
      Append append{
          .table = table.id, .epoch = Epoch{1}, .version = Version{i + 1}, .record = records[i]};
      if (i + 1 == records.size()) append.ending = Ending{.result = "result", .ended_ms = 1};
      ASSERT_TRUE(caller.wait(store.append(std::move(append))));
    }
  }
}

/// All rows of all tables, as SQLite has them.
std::string rows_of(const fs::path& database) {
  Connection connection(database, Connection::Access::kReadOnly);
  std::vector<std::string> tables;
  Statement(connection, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .each_row([&](sql::Row row) { tables.push_back(row.text(0)); });
  std::string rows;
  for (const std::string& table : tables) {
    Statement columns(connection,
                      "SELECT group_concat('quote(\"' || name || '\")', '||') FROM "
                      "pragma_table_info('" +
                          table + "')");
    std::string all;
    columns.first_row([&](sql::Row row) { all = row.text(0); });
    std::string sql = "SELECT " + all + " FROM \"" + table + "\"";
    Statement(connection, sql).each_row([&](sql::Row row) { rows += row.text(0) + "\n"; });
  }
  return rows;
}

enum class Outcome : std::uint8_t { kRefused, kFound, kHarmless, kSilent };

class Flips : public testing::Test {
 protected:
  Flips() {
    std::mt19937_64 random(7);
    for (const std::uint64_t first : kInDatabase) {
      add_games(*open_sqlite(folder_.path()), first, random);
    }
    // Opening compacts what was recent, and closing writes it back.
    static_cast<void>(open_sqlite(folder_.path()));
    const auto store = open_sqlite(folder_.path());
    add_games(*store, kInLog, random);
    fs::copy(folder_.path(), killed());
    expected_ = read_back(fresh());
    EXPECT_TRUE(expected_);
  }

  [[nodiscard]] fs::path killed() const { return copies_.path() / "killed"; }
  [[nodiscard]] fs::path fresh() const {
    fs::path copy = copies_.path() / "copy";
    fs::remove_all(copy);
    fs::copy(killed(), copy);
    return copy;
  }

  /// All that a server can read of a folder; nothing: it says that something is damaged.
  std::optional<std::string> read_back(const fs::path& folder) {
    refused_ = false;
    const auto store = SqliteStore::open({.folder = folder});
    refused_ = !store;
    if (!store) return std::nullopt;
    std::string all;
    Caller caller(**store, **store);
    for (const std::uint64_t first : {kInDatabase[0], kInDatabase[1], kInDatabase[2], kInLog}) {
      for (std::uint64_t id = first; id < first + kGames; ++id) {
        const auto row = caller.look_at(TableId{id});
        const auto log = caller.read(TableId{id});
        if (!row || !log) return std::nullopt;
        all += row->config + row->game + std::to_string(row->created_ms) + "\n";
        for (const Entry& entry : *log) all += std::to_string(entry.version.value) + entry.record;
      }
    }
    try {
      return all + rows_of(folder / "tesela.db");
    } catch (const StorageError&) {
      return std::nullopt;
    }
  }

  Outcome flip(const std::string& name, std::uint64_t bit) {
    const fs::path folder = fresh();
    {
      std::fstream file(folder / name, std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(static_cast<std::streamoff>(bit / 8));
      const int byte = file.get();
      file.seekp(static_cast<std::streamoff>(bit / 8));
      file.put(static_cast<char>(byte ^ (1 << (bit % 8))));
    }
    const auto found = read_back(folder);
    if (!found) return refused_ ? Outcome::kRefused : Outcome::kFound;
    return found == expected_ ? Outcome::kHarmless : Outcome::kSilent;
  }

  /// Turns bits among the first `bytes` of a file, one at a time.
  void flip_all(const std::string& name, std::uint64_t bytes) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads
    const char* const wanted = std::getenv("TESELA_FLIPS");
    const int flips = wanted != nullptr ? std::atoi(wanted) : 20;
    std::mt19937_64 random(11);
    std::array<int, 4> outcomes{};
    for (int n = 0; n < flips; ++n) {
      const std::uint64_t bit =
          std::uniform_int_distribution<std::uint64_t>(0, bytes * 8 - 1)(random);
      const Outcome outcome = flip(name, bit);
      outcomes.at(static_cast<std::size_t>(outcome)) += 1;
      EXPECT_NE(outcome, Outcome::kSilent) << name << ", bit " << bit;
    }
    std::cout << flips << " bits of the " << bytes << " bytes of " << name << ": " << outcomes[0]
              << " refused at the start, " << outcomes[1] << " found while reading, " << outcomes[2]
              << " harmless, " << outcomes[3] << " silent\n";
    EXPECT_GT(outcomes[0] + outcomes[1], 0);
  }

  ScratchFolder folder_;
  ScratchFolder copies_;
  std::optional<std::string> expected_;
  bool refused_ = false;
};

TEST_F(Flips, OfTheDatabaseAreNeverSilent) {
  flip_all("tesela.db", fs::file_size(killed() / "tesela.db"));
}

TEST_F(Flips, OfTheLogAreNeverSilent) {
  flip_all("tesela.db-wal", walk_log(killed() / "tesela.db-wal")->used_bytes);
}

}  // namespace flips_test
}  // namespace tesela::store
