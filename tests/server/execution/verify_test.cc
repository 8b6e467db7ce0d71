// A record that was altered is not true: every field of every record is changed in turn, and the
// verdict finds it or names the field as not covered.
#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/time_util.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "server/execution/verify.h"
#include "server/games/fair.h"
#include "server/games/games.h"
#include "tesela/play/v1/course.pb.h"
#include "tests/server/execution/changed_fields.h"
#include "tests/server/games/hex.h"

namespace tesela::execution {
namespace {

using nlohmann::json;
using test::Field;
using test::fields_of;
using test::from_hex;
using test::message_of;
using testing::HasSubstr;

constexpr std::int64_t kBegunMs = 1'700'000'000'000;

void write_move(const json& event, std::string_view type, lobby::v1::RecordedMove& out) {
  const auto message = message_of(type);
  ASSERT_TRUE(
      google::protobuf::util::JsonStringToMessage(event["move"].dump(), message.get()).ok());
  out.mutable_move()->PackFrom(*message);
}

void write_events(const json& events, std::string_view move_type, lobby::v1::GameRecord& record) {
  record.set_first_digest(std::stoull(events[0]["digest"].get<std::string>(), nullptr, 16));
  for (std::size_t at = 1; at < events.size(); ++at) {
    auto& move = *record.add_moves();
    move.set_version(at + 1);
    move.set_at_ms(kBegunMs + static_cast<std::int64_t>(at) * 1000);
    move.set_seat(events[at]["seat"]);
    move.set_move_id("m" + std::to_string(at));
    move.set_digest(std::stoull(events[at]["digest"].get<std::string>(), nullptr, 16));
    write_move(events[at], move_type, move);
  }
}

/// The game ended with its last event.
void end_when_last_happened(lobby::v1::GameRecord& record) {
  const std::int64_t last_ms =
      record.moves().empty() ? record.dealt_at_ms() : record.moves().rbegin()->at_ms();
  *record.mutable_table()->mutable_ended_at() =
      google::protobuf::util::TimeUtil::MillisecondsToTimestamp(last_ms);
}

void end(const json& file, lobby::v1::GameRecord& record) {
  lobby::v1::Table& table = *record.mutable_table();
  table.set_state(lobby::v1::TABLE_STATE_OVER);
  for (std::uint32_t seat = 0; seat < table.seat_count(); ++seat) {
    auto& standing = *table.mutable_result()->add_standings();
    standing.set_seat(seat);
    standing.set_points(file["events"].back()["scores"][seat]);
    standing.set_rank(file["ranks"][seat]);
  }
  end_when_last_happened(record);
}

void close(lobby::v1::GameRecord& record) {
  record.mutable_table()->set_state(lobby::v1::TABLE_STATE_CLOSED);
  record.mutable_table()->clear_result();
  end_when_last_happened(record);
}

/// What HistoryService.GetRecord answers of a game of tests/verify/records.
lobby::v1::GameRecord record_of(const json& file) {
  const games::GameEntry& game = **games::find_game(file["game"].get<std::string>());
  lobby::v1::GameRecord record;
  lobby::v1::Table& table = *record.mutable_table();
  table.set_table_id("0123456789abc");
  table.set_game(file["game"]);
  EXPECT_TRUE(table.mutable_config()->ParseFromString(game.configure(nullptr)->any));
  table.mutable_config()->set_value(from_hex(file["config"]));
  record.set_config(table.config().value());
  table.set_seat_count(file["seats"]);
  table.set_commitment(from_hex(file["commitment"]));
  table.mutable_created_at()->set_seconds(kBegunMs / 1000 - 10);
  record.set_server_seed(from_hex(file["serverSeed"]));
  record.set_dealt_at_ms(kBegunMs);
  for (std::uint32_t seat = 0; seat < table.seat_count(); ++seat) {
    auto& occupant = *table.add_seats();
    occupant.set_seat(seat);
    occupant.set_player_id("player");
  }
  std::vector<games::Contribution> added;
  for (const json& one : file["contributions"]) {
    auto& contribution = *record.add_contributions();
    contribution.set_seat(one["seat"]);
    contribution.set_bytes(from_hex(one["bytes"]));
    table.mutable_seats(one["seat"].get<int>())
        ->set_contribution(play::v1::CONTRIBUTION_STATE_AFTER_COMMITMENT);
    added.push_back({Seat{one["seat"].get<std::uint8_t>()}, contribution.bytes()});
  }
  const Seed seed = games::game_seed(test::seed_from_hex(file["serverSeed"]), added).value();
  record.set_game_seed(seed.data(), seed.size());
  write_events(file["events"], game.move_type, record);
  if (file.contains("ranks")) {
    end(file, record);
  } else {
    close(record);
  }
  return record;
}

lobby::v1::GameRecord record_named(const std::string& name) {
  std::ifstream file("tests/verify/records/" + name + ".json");
  return record_of(json::parse(file));
}

/// The versions of the moves from `at` on, anew.
void count_anew(lobby::v1::GameRecord& record, int at) {
  for (; at < record.moves_size(); ++at) {
    auto& move = *record.mutable_moves(at);
    move.set_version(static_cast<std::uint64_t>(at) + 2);
    move.set_at_ms(kBegunMs + (at + 1) * 1000);
  }
}

/// The third move is taken back, and played once more.
lobby::v1::GameRecord with_a_move_taken_back(lobby::v1::GameRecord record) {
  const lobby::v1::GameRecord before = record;
  play::v1::Undone undone;
  undone.set_to_version(3);
  record.mutable_moves()->DeleteSubrange(3, record.moves_size() - 3);
  auto& back = *record.add_moves();
  back.mutable_move()->PackFrom(undone);
  back.set_digest(before.moves(1).digest());
  for (int at = 2; at < before.moves_size(); ++at) *record.add_moves() = before.moves(at);
  count_anew(record, 0);
  end_when_last_happened(record);
  return record;
}

/// The first seat gives up after ten moves, and a game of several is broken off.
lobby::v1::GameRecord with_a_seat_given_up(lobby::v1::GameRecord record,
                                           const play::v1::Resigned& how = {}) {
  record.mutable_moves()->DeleteSubrange(10, record.moves_size() - 10);
  auto& given_up = *record.add_moves();
  given_up.mutable_move()->PackFrom(how);
  given_up.set_digest(record.moves(9).digest());
  count_anew(record, 0);
  close(record);
  return record;
}

/// One of every kind there is.
std::map<std::string, lobby::v1::GameRecord> records() {
  std::map<std::string, lobby::v1::GameRecord> all;
  for (const auto& entry : std::filesystem::directory_iterator("tests/verify/records")) {
    const std::string name = entry.path().stem();
    all[name] = record_named(name);
  }
  all["2048 with a move taken back"] = with_a_move_taken_back(all["2048_usual"]);
  all["azul given up"] = with_a_seat_given_up(all["azul_4_players"]);
  play::v1::Resigned claimed;
  claimed.set_claimed_by(1);
  all["azul claimed"] = with_a_seat_given_up(all["azul_4_players"], claimed);
  return all;
}

/// The entry of the verdict's list that names a field; empty when there is none.
std::string entry_for(const lobby::v1::VerifyResponse& verdict, const std::string& path) {
  for (const std::string& entry : verdict.not_covered()) {
    const std::string name = entry.substr(0, entry.find(':'));
    if (path == name || path.starts_with(name + ".")) return name;
  }
  return {};
}

TEST(Verify, TrueRecordsAreTrue) {
  for (const auto& [name, record] : records()) {
    const auto verdict = execution::verify(record);
    EXPECT_TRUE(verdict.ok()) << name << ": " << verdict.message();
  }
}

TEST(Verify, EveryFieldIsCheckedOrNamedAsNotCovered) {
  std::set<std::string> named;
  std::set<std::string> passed;
  for (const auto& [record_name, record] : records()) {
    const auto honest = execution::verify(record);
    for (const std::string& entry : honest.not_covered()) {
      named.insert(entry.substr(0, entry.find(':')));
    }
    for (const auto& [path, change] : fields_of(record, "")) {
      lobby::v1::GameRecord changed = record;
      change(changed);
      if (changed.SerializeAsString() == record.SerializeAsString()) continue;
      if (!execution::verify(changed).ok()) continue;
      const std::string entry = entry_for(honest, path);
      EXPECT_NE(entry, "") << record_name << ": " << path << " was changed, and nobody noticed";
      passed.insert(entry);
    }
  }
  // The list names nothing that is checked.
  EXPECT_EQ(passed, named);
}

TEST(Verify, ARecordWithoutItsPromiseIsNotTrue) {
  for (const auto& [name, honest] : records()) {
    lobby::v1::GameRecord record = honest;
    record.clear_server_seed();
    record.mutable_table()->clear_commitment();
    const auto verdict = execution::verify(record);
    EXPECT_FALSE(verdict.ok()) << name;
    EXPECT_EQ(verdict.message(),
              "The record holds no promise of the server, neither its seed nor its commitment: "
              "nobody can tell whether its dice were chosen.");
    record.mutable_moves()->RemoveLast();
    EXPECT_FALSE(execution::verify(record).ok()) << name;
  }
}

/// Every way to change what the server promised and what the dice follow from.
std::vector<Field> changes_of_the_promise(const lobby::v1::GameRecord& record) {
  static const std::set<std::string> promise{"server_seed", "game_seed",       "contributions",
                                             "config",      "table.config",    "table.commitment",
                                             "table.game",  "table.seat_count"};
  std::vector<Field> changes;
  for (auto& field : fields_of(record, "")) {
    const std::string whole = field.path.substr(0, field.path.find("[]"));
    if (promise.contains(whole)) changes.push_back(std::move(field));
  }
  const auto clear = [&changes](const std::string& path, auto cleared) {
    changes.push_back({path, [cleared](google::protobuf::Message& message) {
                         cleared(dynamic_cast<lobby::v1::GameRecord&>(message));
                       }});
  };
  using Record = lobby::v1::GameRecord;
  clear("no server_seed", [](Record& changed) { changed.clear_server_seed(); });
  clear("no game_seed", [](Record& changed) { changed.clear_game_seed(); });
  clear("no contributions", [](Record& changed) { changed.clear_contributions(); });
  clear("no config", [](Record& changed) { changed.clear_config(); });
  clear("no table.commitment",
        [](Record& changed) { changed.mutable_table()->clear_commitment(); });
  return changes;
}

TEST(Verify, TwoChangesOfThePromiseAreFound) {
  for (const auto& [name, record] : records()) {
    const auto changes = changes_of_the_promise(record);
    EXPECT_GE(changes.size(), 12U) << name;
    for (std::size_t one = 0; one < changes.size(); ++one) {
      for (std::size_t two = one + 1; two < changes.size(); ++two) {
        lobby::v1::GameRecord changed = record;
        changes[one].change(changed);
        changes[two].change(changed);
        if (changed.SerializeAsString() == record.SerializeAsString()) continue;
        EXPECT_FALSE(execution::verify(changed).ok())
            << name << ": " << changes[one].path << " and " << changes[two].path;
      }
    }
  }
}

TEST(Verify, TheDocumentNamesWhatIsNotCovered) {
  std::ifstream file("engine/README.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  for (const auto& [name, record] : records()) {
    const auto verdict = execution::verify(record);
    for (const std::string& entry : verdict.not_covered()) {
      EXPECT_THAT(document, HasSubstr("`" + entry.substr(0, entry.find(':')) + "`"));
    }
  }
}

TEST(Verify, TimesThatRunBackwardsAreFound) {
  for (const auto& [name, honest] : records()) {
    for (const int at : {0, honest.moves_size() / 2, honest.moves_size() - 1}) {
      lobby::v1::GameRecord record = honest;
      record.mutable_moves(at)->set_at_ms(record.moves(at).at_ms() - 3'600'000);
      EXPECT_FALSE(execution::verify(record).ok()) << name << " at " << at;
    }
  }
}

TEST(Verify, FieldsThatNoRecordHasAreFound) {
  lobby::v1::GameRecord record = record_named("2048_amat");
  std::string bytes = record.SerializeAsString();
  bytes += "\xfa\x7f\x01x";  // field 2047
  ASSERT_TRUE(record.ParseFromString(bytes));
  EXPECT_FALSE(execution::verify(record).ok());
}

TEST(Verify, SaysHowThePlayersAdded) {
  const auto said = execution::verify(record_named("azul_4_players")).message();
  EXPECT_THAT(said, HasSubstr("seats 1 and 3 added to the dice after the commitment"));
  lobby::v1::GameRecord withheld = record_named("azul_4_players");
  withheld.mutable_table()->mutable_seats(0)->set_contribution(
      play::v1::CONTRIBUTION_STATE_WITHHELD);
  EXPECT_THAT(execution::verify(withheld).message(), HasSubstr("seat 0 added nothing in time"));
  EXPECT_THAT(execution::verify(record_named("2048_amat")).message(), HasSubstr("No player added"));
  lobby::v1::GameRecord erased = record_named("azul_4_players");
  erased.mutable_contributions()->DeleteSubrange(0, 1);
  EXPECT_FALSE(execution::verify(erased).ok());
  EXPECT_THAT(execution::verify(erased).message(), HasSubstr("erased with its player"));
}

/// What an operator writes who has chosen other contributions: the dice follow from them, and
/// the game was closed before its first move.
lobby::v1::GameRecord dealt_anew(lobby::v1::GameRecord record) {
  std::vector<games::Contribution> added;
  for (const auto& one : record.contributions()) {
    added.push_back({Seat{static_cast<std::uint8_t>(one.seat())}, one.bytes()});
  }
  const Seed seed = games::game_seed(*games::seed_of(record.server_seed()), added).value();
  record.set_game_seed(seed.data(), seed.size());
  const auto* game = games::find_game(record.table().game()).value();
  record.set_first_digest(game->start(record.config(), seed).value()->digest());
  record.clear_moves();
  close(record);
  return record;
}

void add_contribution(lobby::v1::GameRecord& record, std::uint32_t seat) {
  auto& added = *record.add_contributions();
  added.set_seat(seat);
  added.set_bytes("until the dice are liked");
}

void clear_states(lobby::v1::GameRecord& record) {
  for (auto& seat : *record.mutable_table()->mutable_seats()) seat.clear_contribution();
}

TEST(Verify, AContributionThatNoPlayerOfTheTableMadeIsFound) {
  for (const auto& [name, record] : records()) {
    ASSERT_TRUE(execution::verify(dealt_anew(record)).ok()) << name;
    for (const bool states : {true, false}) {
      lobby::v1::GameRecord forged = record;
      if (!states) clear_states(forged);
      add_contribution(forged, forged.table().seat_count());
      EXPECT_FALSE(execution::verify(dealt_anew(forged)).ok()) << name;
      forged = record;
      if (!states) clear_states(forged);
      forged.clear_contributions();
      add_contribution(forged, 0);
      forged.mutable_table()->mutable_seats(0)->set_bot(true);
      EXPECT_FALSE(execution::verify(dealt_anew(forged)).ok()) << name;
    }
  }
  lobby::v1::GameRecord unsaid = record_named("azul_4_players");
  unsaid.clear_contributions();
  add_contribution(unsaid, 2);
  EXPECT_FALSE(execution::verify(dealt_anew(unsaid)).ok());
}

TEST(Verify, WithoutStatesTheContributionsAreNotCovered) {
  lobby::v1::GameRecord record = dealt_anew(record_named("azul_4_players"));
  EXPECT_EQ(entry_for(execution::verify(record), "contributions"), "");
  clear_states(record);
  const auto verdict = execution::verify(record);
  EXPECT_TRUE(verdict.ok()) << verdict.message();
  EXPECT_EQ(entry_for(verdict, "contributions"), "contributions");
  EXPECT_THAT(verdict.message(), HasSubstr("says of no seat that it added"));
}

TEST(Verify, TheTableHasTheSeatsOfItsGame) {
  for (const auto& [name, record] : records()) {
    for (const std::uint32_t more : {1U, 256U}) {
      lobby::v1::GameRecord forged = record;
      lobby::v1::Table& table = *forged.mutable_table();
      table.set_seat_count(table.seat_count() + more);
      while (table.seats_size() < static_cast<int>(table.seat_count())) {
        const auto seat = static_cast<std::uint32_t>(table.seats_size());
        table.add_seats()->set_seat(seat);
      }
      // The server had committed itself to what the byte of the commitment says.
      const auto hash = games::commitment(*games::seed_of(forged.server_seed()),
                                          {.game = table.game(),
                                           .config = forged.config(),
                                           .seats = static_cast<std::uint8_t>(table.seat_count())});
      table.set_commitment(hash.data(), hash.size());
      EXPECT_FALSE(execution::verify(forged).ok()) << name << " with " << more << " seats more";
    }
  }
}

}  // namespace
}  // namespace tesela::execution
