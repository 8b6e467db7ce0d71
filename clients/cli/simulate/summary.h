// What a simulation comes to, in lines for people and in JSON for programs.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/rng.h"

namespace tesela::cli {

/// Objects keep the order of their fields.
using Json = nlohmann::ordered_json;

/// The column of the bots' names in a table.
inline constexpr int kBotWidth = 26;

/// printf into a string; a line of a table is short.
template <class... Values>
[[nodiscard]] std::string line_of(const char* format, Values... values) {
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

/// A quantile is the smallest value that at least so many of all do not exceed.
struct Quantiles {
  double mean;
  std::int64_t least;
  std::int64_t p10;
  std::int64_t p50;
  std::int64_t p90;
  std::int64_t most;
};

/// One figure of every game.
class Distribution {
 public:
  explicit Distribution(std::string name) : name_{std::move(name)} {}

  void add(std::int64_t value) { values_.push_back(value); }
  /// At least one value was added, as for the others.
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

/// How often each of some words or numbers came, such as "largest tile:  2048 70.0%  32 30.0%".
class Shares {
 public:
  explicit Shares(std::string name) : name_{std::move(name)} {}

  /// Those with the highest `order` stand first.
  void add(std::int64_t order, std::string what) { ++counts_[{order, std::move(what)}]; }
  [[nodiscard]] std::string line() const;
  /// {"2048": 7, "32": 3}
  [[nodiscard]] Json json() const;

 private:
  using Entry = std::pair<std::int64_t, std::string>;

  std::string name_;
  std::map<Entry, std::uint64_t, std::greater<>> counts_;
};

/// What was simulated.
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
