// Who left whom behind, and how often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tesela::cli {

/// For each pair of bots that met, a point to the one that came before the other, half a point to
/// each on a tie.
class PairScores {
 public:
  explicit PairScores(std::size_t bots) : bots_{bots}, points_(bots * bots) {}

  [[nodiscard]] std::size_t bots() const { return bots_; }
  /// The points of one bot against another.
  [[nodiscard]] double points(std::size_t bot, std::size_t against) const {
    return points_[bot * bots_ + against];
  }
  /// How often they met.
  [[nodiscard]] double met(std::size_t one, std::size_t other) const {
    return points(one, other) + points(other, one);
  }

  void add(std::size_t bot, std::size_t against, double points) {
    points_[bot * bots_ + against] += points;
  }
  /// All pairs of a game or of a deal: bot n is `bots[n]`, with the rank `ranks[n]`.
  void add_ranks(std::span<const std::uint8_t> bots, std::span<const std::uint8_t> ranks);
  PairScores& operator+=(const PairScores& other);

 private:
  std::size_t bots_;
  std::vector<double> points_;
};

}  // namespace tesela::cli
