// The summary of a simulation, in lines for people and in JSON for programs.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/base/json.h"
#include "engine/core/rng.h"

namespace tesela::cli {

/// The column of the bots' names in a table.
inline constexpr int kBotWidth = 26;

/// printf into a string; a line of a table is short.
template <class... Values>
[[nodiscard]] std::string line_of(const char* format, Values... values) {
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

/// The quantile pN is the smallest value such that at least N % of all values do not exceed it.
struct Quantiles {
  double mean;
  std::int64_t least;
  std::int64_t p10;
  std::int64_t p50;
  std::int64_t p90;
  std::int64_t most;
};

/// One number per game, and its distribution.
class Distribution {
 public:
  explicit Distribution(std::string name) : name_{std::move(name)} {}

  void add(std::int64_t value) { values_.push_back(value); }
  /// This and the functions below need at least one value.
  [[nodiscard]] Quantiles quantiles() const;
  /// A line: the name, the mean, and the quantiles that distribution_head() names.
  [[nodiscard]] std::string line() const;
  [[nodiscard]] Json json() const;

 private:
  std::string name_;
  std::vector<std::int64_t> values_;
};

/// The line above distributions.
[[nodiscard]] std::string distribution_head();

/// How often each of several words or numbers occurred, such as "largest tile:  2048 70.0%  32
/// 30.0%".
class Shares {
 public:
  explicit Shares(std::string name) : name_{std::move(name)} {}

  /// Entries with the highest `order` are listed first.
  void add(std::int64_t order, std::string what) { ++counts_[{order, std::move(what)}]; }
  [[nodiscard]] std::string line() const;
  /// {"2048": 7, "32": 3}
  [[nodiscard]] Json json() const;

 private:
  using Entry = std::pair<std::int64_t, std::string>;

  std::string name_;
  std::map<Entry, std::uint64_t, std::greater<>> counts_;
};

/// The figures of games in which tiles merge, 2048 and 2248.
class TileStatistics {
 public:
  /// A game that was played. Tiles are given by their values, not exponents.
  struct Game {
    std::uint64_t score;
    std::uint64_t moves;
    std::uint64_t largest;
    std::uint64_t aim;  // the objective or goal, the same in all games
    bool reached;
  };

  /// `aim` is the name of the objective or goal in the JSON.
  explicit TileStatistics(std::string aim) : aim_name_{std::move(aim)} {}

  void add_game(const Game& game);
  /// This and `json` need at least one game.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json json() const;

 private:
  std::string aim_name_;
  Distribution score_{"score"};
  Distribution moves_{"moves"};
  Shares largest_{"largest tile"};
  std::uint64_t aim_{0};
  std::uint64_t reached_{0};
  std::uint64_t games_{0};
};

/// The description of a simulation, for the first line of the summary.
struct Simulated {
  std::string_view game;
  std::string bots;  // their names
  std::uint64_t games;
  Seed seed;
};

/// "2048, 3 games played by random, seed …", the figures, and the speed.
[[nodiscard]] std::string summary(const Simulated& simulated, const std::string& figures,
                                  std::chrono::duration<double> elapsed);

}  // namespace tesela::cli
