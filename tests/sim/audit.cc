#include "tests/sim/audit.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "server/base/text_encoding.h"
#include "server/store/personal_data.h"
#include "server/store/table_rows.h"
#include "tesela/log/v1/record.pb.h"
#include "tests/sim/truth.h"

namespace tesela::sim {
namespace {

using store::TableRow;

template <class T>
Expected<T> asked(Database& database, boost::asio::awaitable<Expected<T>> question) {
  auto answer =
      boost::asio::co_spawn(database.loop(), std::move(question), boost::asio::use_future);
  return answer.get();
}

std::vector<TableRow> all_tables(Database& database) {
  std::vector<TableRow> all;
  std::optional<store::TableCursor> after;
  const store::TableFilter every{.game = {}, .state = {}, .player = {}, .private_too = true};
  for (;;) {
    auto page = asked(database, database.sqlite().tables(every, after, 100)).value();
    if (page.empty()) return all;
    after = store::TableCursor{page.back().created_ms, page.back().id};
    for (TableRow& row : page) all.push_back(std::move(row));
  }
}

std::string move_id_of(const log::v1::Record& record) {
  if (record.has_moved()) return record.moved().move_id();
  if (record.has_resigned()) return record.resigned().move_id();
  return record.undone().move_id();
}

/// The log of a table beside what was acknowledged there.
void compare_log(Database& database, const TableRow& row, const TableTruth& truth) {
  const std::string name = "table " + base::to_text(row.id);
  const auto entries =
      asked(database, database.sqlite().read(row.id, Version{1}, std::size_t{1} << 20));
  if (!entries) return violated("unreadable", name + ": " + entries.error().message);
  std::map<std::string, std::uint64_t> stored;
  std::uint64_t expected = 1;
  for (const store::Entry& entry : *entries) {
    if (entry.version.value != expected++) {
      violated("gaps", name + ": version " + std::to_string(entry.version.value) +
                           " is stored where " + std::to_string(expected - 1) + " belongs");
    }
    log::v1::Record record;
    if (!record.ParseFromString(entry.record)) violated("unreadable", name + ": a record");
    const std::string id = move_id_of(record);
    if (id.empty() || entry.version.value == 1) continue;
    if (!stored.emplace(id, entry.version.value).second) {
      violated("duplicated", name + ": move " + id + " is stored twice");
    }
    if (truth.refused.contains(id)) violated("refused", name + ": move " + id + " is stored");
  }
  if (truth.shown >= expected) {
    violated("lost", name + ": version " + std::to_string(truth.shown) + " was shown, and " +
                         std::to_string(expected - 1) + " is the last one that is stored");
  }
  for (const auto& [id, version] : truth.acknowledged) {
    const auto found = stored.find(id);
    if (found == stored.end() || found->second != version) {
      violated("lost",
               name + ": move " + id + " was acknowledged as version " + std::to_string(version));
    }
  }
}

/// What players and operators were told of the row.
void compare_row(const TableRow& row, const TableTruth& truth) {
  const std::string name = "table " + base::to_text(row.id);
  if (truth.closed && row.state != store::TableState::kClosed) {
    violated("lost", name + ": it was closed");
  }
  for (const auto& seat : row.seats) {
    const std::string player = base::to_text(seat.player);
    const auto added = truth.dice.find(player);
    if (added != truth.dice.end() && added->second != seat.contribution) {
      violated("lost", name + ": what player " + player + " has added to the dice");
    }
    if (Truth::get().erased.contains(player) && seat.display_name != store::kErasedName) {
      violated("lost", name + ": player " + player + " was erased");
    }
  }
}

lobby::v1::TableState state_of(store::TableState state) {
  return static_cast<lobby::v1::TableState>(state);
}

std::string in_words(const TableRow& row) {
  lobby::v1::Table table;
  table.set_state(state_of(row.state));
  for (const auto& seat : row.seats) {
    auto& occupant = *table.add_seats();
    occupant.set_player_id(base::to_text(seat.player));
    occupant.set_strategy(seat.strategy);
  }
  return LobbyWatcher::in_words(table);
}

/// Watchers are not told of a merge at a table that is in no server's memory.
std::string with_accounts(std::string told) {
  for (const auto& [guest, account] : Truth::get().merged) {
    const auto at = told.find(guest);
    if (at != std::string::npos) told.replace(at, guest.size(), account);
  }
  return told;
}

/// By their players.
std::map<std::string, std::string> parties_of(const std::vector<std::unique_ptr<Person>>& people) {
  std::map<std::string, std::string> parties;
  for (const auto& person : people) {
    const auto* seeker = dynamic_cast<const Seeker*>(person.get());
    if (seeker == nullptr || seeker->party().empty()) continue;
    parties[seeker->player_id()] = seeker->party();
  }
  return parties;
}

/// Who has come with somebody sits with them.
void check_parties(const TableRow& row, const std::map<std::string, std::string>& parties) {
  std::map<std::string, int> here;
  for (const auto& seat : row.seats) {
    const auto party = parties.find(base::to_text(seat.player));
    if (party != parties.end()) ++here[party->second];
  }
  for (const auto& [party, members] : here) {
    if (members != 2) violated("parted", "table " + base::to_text(row.id) + ": " + party);
  }
}

/// Where watchers were told something else than what is stored.
std::vector<std::string> untold(Database& database,
                                const std::vector<std::unique_ptr<Person>>& people) {
  std::map<std::string, std::string> stored;
  for (const TableRow& row : all_tables(database)) stored[base::to_text(row.id)] = in_words(row);
  std::vector<std::string> found;
  for (const auto& person : people) {
    const auto* watcher = dynamic_cast<const LobbyWatcher*>(person.get());
    if (watcher == nullptr) continue;
    for (const auto& [id, told] : watcher->told()) {
      if (with_accounts(stored[id]) == with_accounts(told)) continue;
      found.push_back("table " + id + ": told " + told + ", is " + stored[id]);
    }
  }
  return found;
}

}  // namespace

void audit(Database& database, const std::vector<std::unique_ptr<Person>>& people) {
  const std::map<std::string, std::string> parties = parties_of(people);
  std::set<std::string> stored;
  std::map<std::string, int> sits;  // at tables in play
  for (const TableRow& row : all_tables(database)) {
    for (const auto& seat : row.seats) {
      if (row.state == store::TableState::kInPlay) ++sits[base::to_text(seat.player)];
    }
    const std::string id = base::to_text(row.id);
    stored.insert(id);
    check_parties(row, parties);
    const auto truth = Truth::get().tables().find(id);
    if (truth == Truth::get().tables().end()) continue;
    compare_log(database, row, truth->second);
    compare_row(row, truth->second);
  }
  for (const auto& [id, truth] : Truth::get().tables()) {
    if (!stored.contains(id)) violated("lost", "table " + id + " is not stored");
  }
  for (const auto& person : people) {
    const auto* seeker = dynamic_cast<const Seeker*>(person.get());
    if (seeker != nullptr && sits[seeker->player_id()] > 1) {
      violated("twice", seeker->name() + " sits at " + std::to_string(sits[seeker->player_id()]) +
                            " tables in play");
    }
  }
  auto differs = untold(database, people);
  if (!differs.empty()) {
    // A game that nobody comes to begins by itself, perhaps now.
    std::this_thread::sleep_for(std::chrono::seconds{2});
    differs = untold(database, people);
  }
  for (const std::string& what : differs) violated("untold", what);
}

}  // namespace tesela::sim
