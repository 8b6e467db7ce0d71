// Fills a new data folder with finished games and players, for benchmarks of lists, of the archive
// and of what ends.
#include <google/protobuf/any.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/archive/packed_log.h"
#include "server/base/clock.h"
#include "server/replay/game_outcome.h"
#include "server/store/bot_account.h"
#include "tests/bench/fill/bulk_writer.h"
#include "tests/played/played_game.h"

namespace tesela::fill {
namespace {

constexpr std::string_view kHelp = R"(Fills a new data folder with finished games and players.

The games are real: --pool different games played by strategies, whose records are used again with
other ids, players and times. Each can be verified. Of a hundred games about 40 are of 2048, 20 of
2248, 20 of SameGame and 20 of Azul; one in 12 (--closed-of) was closed, one in 5 of Azul has a
bot and one in 20 is of bots alone. Few players play most games. One player in 5 is an issuer's,
the others are guests; the times lie in the last --days days.)";

struct Options {
  std::uint64_t games = 1'000'000;
  std::uint64_t players = 200'000;
  std::filesystem::path out;
  std::size_t pool = 400;
  std::uint64_t seed = 1;
  int days = 730;
  std::uint64_t closed_of = 12;
  bool unpacked = false;
  bool replace = false;
};

constexpr std::array<std::string_view, 24> kNames{
    "Ada",   "Bruno", "Chiara", "Dana",  "Elif",  "Farid", "Greta", "Hugo",
    "Imani", "Jonas", "Kaya",   "Lena",  "Mateo", "Nadia", "Oskar", "Paula",
    "Quinn", "Rosa",  "Samir",  "Tessa", "Umut",  "Vera",  "Wanda", "Yuki"};

constexpr std::string_view kBot = "greedy";

class Filler {
 public:
  explicit Filler(const Options& options)
      : options_(options), random_(options.seed), now_ms_(base::unix_ms()), writer_(options.out) {}

  void run() {
    make_pool();
    add_players();
    std::vector<TableId> ids(options_.games);
    std::ranges::generate(ids, [this] { return TableId{id()}; });
    std::ranges::sort(ids);
    for (const TableId table : ids) add_game(table);
    writer_.finish();
    std::cout << "games " << options_.games << "  players " << options_.players << "  events "
              << events_ << "  bytes of records " << record_bytes_ << "  packed " << packed_bytes_
              << '\n';
  }

 private:
  std::uint64_t id() { return std::max<std::uint64_t>(random_() >> 1U, 1); }

  std::int64_t past_ms() {
    const auto span = std::chrono::milliseconds(std::chrono::days(options_.days)).count();
    return now_ms_ - 86'400'000 -
           static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(span));
  }

  void make_pool() {
    for (std::size_t n = 0; n < options_.pool; ++n) {
      constexpr std::array<std::string_view, 5> kGames{"2048", "2048", "2248", "samegame", "azul"};
      played::Plan plan{.game = std::string(kGames[n % kGames.size()]),
                        .ids = played::counted_ids(random_)};
      if (plan.game == "azul" && random_() % 5 == 0) plan.bots[1] = kBot;
      if (plan.game == "azul" && random_() % 20 == 0) plan.bots = {"greedy", "greedy"};
      plan.moves_max = random_() % options_.closed_of == 0 ? 1 + random_() % 30 : 2000;
      pool_.push_back(played::play(plan, random_));
    }
  }

  void add_players() {
    players_.reserve(options_.players);
    for (std::uint64_t n = 0; n < options_.players; ++n) {
      store::PlayerRow row{.id = PlayerId{id()},
                           .display_name = std::string(kNames[random_() % kNames.size()]) + " " +
                                           std::to_string(n + 1),
                           .created_ms = past_ms()};
      if (random_() % 5 == 0) {
        const auto account = store::hashed_account("tesela.issuer.v1", "fill", std::to_string(n));
        row.id = account.id;
        row.kind = store::PlayerKind::kOfIssuer;
        row.identity = account.identity;
      }
      players_.push_back(row.id);
      writer_.add(std::move(row));
    }
    const auto bot = store::bot_account("azul", kBot);
    bot_ = bot.id;
    writer_.add({.id = bot.id,
                 .display_name = std::string(kBot),
                 .kind = store::PlayerKind::kBot,
                 .identity = bot.identity});
  }

  /// Some play often.
  PlayerId player() {
    const double share = std::uniform_real_distribution<double>()(random_);
    return players_[static_cast<std::size_t>(share * share * static_cast<double>(players_.size()))];
  }

  /// A player sits once at a table.
  static bool sits(const store::TableRow& table, PlayerId player) {
    return std::ranges::find(table.seats, player, &store::SeatRow::player) != table.seats.end();
  }

  void take_seats(store::TableRow& table, const played::PlayedGame& game) {
    for (std::uint8_t seat = 0; seat < table.seat_count; ++seat) {
      const bool bot = std::ranges::any_of(game.records, [seat](const codec::Record& record) {
        const auto* moved = std::get_if<codec::Moved>(&record.event);
        return moved != nullptr && moved->seat.value == seat && !moved->strategy.empty();
      });
      store::SeatRow row{.seat = Seat{seat}, .player = player(), .display_name = {}};
      while (!bot && players_.size() > table.seat_count && sits(table, row.player)) {
        row.player = player();
      }
      if (bot) {
        row = {.seat = Seat{seat},
               .player = bot_,
               .display_name = {},
               .strategy = std::string(kBot),
               .bot = true};
      }
      table.seats.push_back(std::move(row));
    }
    table.owner = table.seats.front().bot ? player() : table.seats.front().player;
  }

  void add_game(TableId id) {
    const played::PlayedGame& game = pool_[random_() % pool_.size()];
    store::TableRow table = game.table;
    table.id = id;
    table.created_ms = past_ms();
    take_seats(table, game);
    const std::int64_t later_ms = table.created_ms - game.table.created_ms;
    archive::RecordList log;
    for (codec::Record record : game.records) {
      record.at_ms += later_ms;
      log.add(codec::encode(record));
    }
    events_ += log.size();
    record_bytes_ += log.bytes();
    const std::int64_t ended_ms = game.records.back().at_ms + later_ms;
    store::GameOutcome outcome;
    if (game.result) {
      table.state = store::TableState::kOver;
      table.ending = store::Ending{.result = game.result->result, .ended_ms = ended_ms};
      replay::Participation all;
      all.played.fill(true);
      outcome = replay::outcome_of(table, game.result->standings, ended_ms, all);
    } else {
      table.state = store::TableState::kClosed;
      table.ending = store::Ending{.result = {}, .ended_ms = ended_ms + 1000};
    }
    if (options_.unpacked) return writer_.add(std::move(table), std::move(outcome), log);
    const auto packed = archive::pack(log);
    if (!packed) throw std::runtime_error(packed.error().message);
    packed_bytes_ += packed->data.size();
    writer_.add(std::move(table), std::move(outcome), *packed);
  }

  const Options& options_;
  std::mt19937_64 random_;
  const std::int64_t now_ms_;
  BulkWriter writer_;
  std::vector<played::PlayedGame> pool_;
  std::vector<PlayerId> players_;
  PlayerId bot_;
  std::uint64_t events_ = 0;
  std::uint64_t record_bytes_ = 0;
  std::uint64_t packed_bytes_ = 0;
};

}  // namespace
}  // namespace tesela::fill

int main(int argc, char** argv) try {
  tesela::fill::Options options;
  CLI::App app{std::string(tesela::fill::kHelp)};
  app.add_option("--games", options.games, "")->capture_default_str();
  app.add_option("--players", options.players, "At least 8")
      ->capture_default_str()
      ->check(CLI::Range(8, 100'000'000));
  app.add_option("--out", options.out, "The data folder; must not exist")->required();
  app.add_option("--pool", options.pool, "Different games")
      ->capture_default_str()
      ->check(CLI::Range(5, 100'000));
  app.add_option("--seed", options.seed, "")->capture_default_str();
  app.add_option("--days", options.days, "")->capture_default_str();
  app.add_option("--closed-of", options.closed_of, "One game in so many was closed")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_flag("--unpacked", options.unpacked, "Stores events one by one, as before the archiver");
  app.add_flag("--replace", options.replace, "Removes the folder first");
  CLI11_PARSE(app, argc, argv);
  if (options.replace) std::filesystem::remove_all(options.out);
  if (std::filesystem::exists(options.out)) throw std::runtime_error("the folder exists");
  tesela::fill::Filler(options).run();
  return 0;
} catch (const std::exception& error) {
  std::cerr << "fill: " << error.what() << '\n';
  return 1;
}
