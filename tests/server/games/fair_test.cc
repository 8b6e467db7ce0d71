#include "server/games/fair.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "tests/engine/seeds.h"
#include "tests/server/games/hex.h"

namespace tesela::games {
namespace {

using nlohmann::json;
using test::from_hex;
using test::hex;

std::chrono::year_month_day day_of(const std::string& text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  EXPECT_EQ(std::sscanf(text.c_str(), "%d-%u-%u", &year, &month, &day), 3);
  return std::chrono::year{year} / static_cast<int>(month) / static_cast<int>(day);
}

// The answer of the server's code to a line of the vectors.
std::string answer(const json& vector) {
  if (vector["kind"] == "daily") {
    const std::string game = vector["game"];
    return hex(daily_seed(from_hex(vector["secret"]), day_of(vector["date"]), game));
  }
  const Seed server_seed = test::seed_from_hex(vector["serverSeed"]);
  if (vector["kind"] == "seed") {
    std::vector<Contribution> contributions;
    for (const json& added : vector["contributions"]) {
      contributions.push_back({Seat{added["seat"].get<std::uint8_t>()}, from_hex(added["bytes"])});
    }
    return hex(game_seed(server_seed, contributions).value());
  }
  const std::string game = vector["game"];
  const std::string config = from_hex(vector["config"]);
  return hex(commitment(server_seed, {game, config, vector["seats"].get<std::uint8_t>()}));
}

// tests/verify/fair_vectors.py computed them, by hashlib and engine/README.md.
TEST(Fair, AgreesWithTheSecondImplementation) {
  std::ifstream file{"tests/verify/fair_vectors.jsonl"};
  std::map<std::string, int> kinds;
  for (std::string line; std::getline(file, line);) {
    const json vector = json::parse(line);
    const std::string kind = vector["kind"];
    ++kinds[kind];
    EXPECT_EQ(answer(vector),
              vector[kind == "commitment" ? "commitment" : "seed"].get<std::string>())
        << line;
  }
  EXPECT_EQ(kinds, (std::map<std::string, int>{{"commitment", 9}, {"daily", 20}, {"seed", 18}}));
}

TEST(Commitment, BindsTheSeedAndEachOfTheTerms) {
  const Terms terms{.game = "azul", .config = "ab", .seats = 2};
  const std::set<base::Sha256> all{
      commitment(test::seed_of(1), terms),
      commitment(test::seed_of(2), terms),
      commitment(test::seed_of(1), {.game = "azul2", .config = "ab", .seats = 2}),
      commitment(test::seed_of(1), {.game = "azu", .config = "lab", .seats = 2}),
      commitment(test::seed_of(1), {.game = "azul", .config = "ac", .seats = 2}),
      commitment(test::seed_of(1), {.game = "azul", .config = "ab", .seats = 3})};
  EXPECT_EQ(all.size(), 6);
}

TEST(GameSeed, EveryContributionCountsAndSoDoesItsSeat) {
  const Seed server_seed = test::seed_of(1);
  const auto seed = [&](const std::vector<Contribution>& contributions) {
    return game_seed(server_seed, contributions).value();
  };
  const std::set<Seed> all{server_seed,
                           seed({}),
                           seed({{Seat{0}, ""}}),
                           seed({{Seat{1}, ""}}),
                           seed({{Seat{0}, "a"}}),
                           seed({{Seat{0}, "a"}, {Seat{1}, "b"}}),
                           seed({{Seat{0}, "b"}, {Seat{1}, "a"}}),
                           seed({{Seat{0}, "ab"}, {Seat{1}, ""}}),
                           seed({{Seat{0}, ""}, {Seat{1}, "ab"}})};
  EXPECT_EQ(all.size(), 9);
}

TEST(GameSeed, AContributionHasAtMost64Bytes) {
  const std::vector<Contribution> most{{Seat{0}, std::string(64, 'x')}};
  EXPECT_TRUE(game_seed({}, most));
  const std::vector<Contribution> more{{Seat{0}, std::string(65, 'x')}};
  EXPECT_EQ(game_seed({}, more).error(),
            (Error{ErrorCode::kInvalidArgument, "contribution must be at most 64 bytes, not 65."}));
}

TEST(GameSeed, TheOrderIsThatOfTheSeats) {
  for (const Seat second : {Seat{0}, Seat{1}}) {
    const std::vector<Contribution> contributions{{Seat{1}, "a"}, {second, "b"}};
    EXPECT_EQ(game_seed({}, contributions).error().message,
              "The players add to the dice in the order of their seats, each once.");
  }
}

}  // namespace
}  // namespace tesela::games
