// Covariance matrix adaptation with a diagonal matrix (sep-CMA-ES), for tuning the weights of
// evaluations by noisy scores. Source: Ros and Hansen, A Simple Modification in CMA-ES Achieving
// Linear Time and Space Complexity (2008).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <vector>

#include "engine/core/rng.h"

namespace tesela::cli {

/// Looks for the parameters with the largest score. All are of the size of 1: the caller scales
/// them.
class CmaEs {
 public:
  using Point = std::vector<double>;

  CmaEs(Point start, double sigma, const Seed& seed)
      : mean_{std::move(start)},
        sigma_{sigma},
        rng_{seed},
        variances_(mean_.size(), 1.0),
        path_(mean_.size(), 0.0),
        sigma_path_(mean_.size(), 0.0) {
    const auto n = static_cast<double>(mean_.size());
    population_ = 4 + static_cast<std::size_t>(3 * std::log(n));
    parents_ = population_ / 2;
    for (std::size_t i = 0; i < parents_; ++i) {
      weights_.push_back(std::log(static_cast<double>(parents_) + 0.5) -
                         std::log(static_cast<double>(i) + 1));
    }
    const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    double squares = 0;
    for (double& weight : weights_) {
      weight /= sum;
      squares += weight * weight;
    }
    effective_ = 1 / squares;
    sigma_rate_ = (effective_ + 2) / (n + effective_ + 3);
    damping_ = 1 + 2 * std::max(0.0, std::sqrt((effective_ - 1) / (n + 1)) - 1) + sigma_rate_;
    path_rate_ = 4 / (n + 4);
    const double full_rate =
        2 / (effective_ * (n + std::numbers::sqrt2) * (n + std::numbers::sqrt2)) +
        (1 - 1 / effective_) *
            std::min(1.0, (2 * effective_ - 1) / ((n + 2) * (n + 2) + effective_));
    variance_rate_ = std::min(1.0, (n + 2) / 3 * full_rate);
    expected_norm_ = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
  }

  [[nodiscard]] const Point& mean() const { return mean_; }
  [[nodiscard]] double sigma() const { return sigma_; }

  /// The points to score next.
  [[nodiscard]] std::vector<Point> ask() {
    std::vector<Point> points(population_, Point(mean_.size()));
    for (Point& point : points) {
      for (std::size_t i = 0; i < mean_.size(); ++i) {
        point[i] = mean_[i] + sigma_ * std::sqrt(variances_[i]) * normal();
      }
    }
    return points;
  }

  /// The points of ask() and their scores.
  void tell(const std::vector<Point>& points, const std::vector<double>& scores) {
    std::vector<std::size_t> order;
    order.reserve(points.size());
    while (order.size() < points.size()) order.push_back(order.size());
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    const Point before = mean_;
    double norm = 0;
    for (std::size_t i = 0; i < mean_.size(); ++i) {
      mean_[i] = 0;
      for (std::size_t parent = 0; parent < parents_; ++parent) {
        mean_[i] += weights_[parent] * points[order[parent]][i];
      }
      const double step = (mean_[i] - before[i]) / sigma_;
      sigma_path_[i] =
          (1 - sigma_rate_) * sigma_path_[i] +
          std::sqrt(sigma_rate_ * (2 - sigma_rate_) * effective_) * step / std::sqrt(variances_[i]);
      norm += sigma_path_[i] * sigma_path_[i];
      path_[i] = (1 - path_rate_) * path_[i] +
                 std::sqrt(path_rate_ * (2 - path_rate_) * effective_) * step;
      double spread = 0;
      for (std::size_t parent = 0; parent < parents_; ++parent) {
        const double way = (points[order[parent]][i] - before[i]) / sigma_;
        spread += weights_[parent] * way * way;
      }
      variances_[i] =
          (1 - variance_rate_) * variances_[i] +
          variance_rate_ * (path_[i] * path_[i] / effective_ + (1 - 1 / effective_) * spread);
    }
    sigma_ *= std::exp(sigma_rate_ / damping_ * (std::sqrt(norm) / expected_norm_ - 1));
  }

 private:
  /// Box and Muller.
  double normal() {
    const double u = (rng_.word() + 1.0) / 4294967297.0;
    const double v = rng_.word() / 4294967296.0;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

  Point mean_;
  double sigma_;
  Rng rng_;
  Point variances_;
  Point path_;
  Point sigma_path_;
  std::size_t population_{};
  std::size_t parents_{};
  Point weights_;
  double effective_{};
  double sigma_rate_{};
  double damping_{};
  double path_rate_{};
  double variance_rate_{};
  double expected_norm_{};
};

}  // namespace tesela::cli
