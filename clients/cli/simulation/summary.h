// What a simulation comes to, in lines for people.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/rng.h"

namespace tesela::cli {

/// One figure of every game.
class Distribution {
 public:
  explicit Distribution(std::string name) : name_{std::move(name)} {}

  void add(std::int64_t value) { values_.push_back(value); }
  /// A line: the name, the mean, and the quantiles that distribution_head() names. At least one
  /// value was added.
  [[nodiscard]] std::string line() const;

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

 private:
  using Entry = std::pair<std::int64_t, std::string>;

  std::string name_;
  std::map<Entry, std::uint64_t, std::greater<>> counts_;
};

/// "2048, 3 games played by random, seed …", the lines of the game's tally, and the speed.
[[nodiscard]] std::string summary(std::string_view game, std::uint64_t games, const Seed& seed,
                                  const std::string& tally, std::chrono::duration<double> elapsed);

}  // namespace tesela::cli
