#include <algorithm>
#include <cmath>
#include <string>

#include "clients/cli/simulate/report.h"

namespace tesela::cli {
namespace {

constexpr double kWidth = 720;
constexpr double kNames = 190;   // where the axis begins
constexpr double kValues = 620;  // where it ends, and the numbers stand
constexpr double kTop = 44;
constexpr double kRow = 30;

constexpr const char* kStyle =
    R"(<style>
text{font:14px system-ui,sans-serif;fill:#222}.t{font-weight:600}.s{font-size:12px;fill:#666}
line{stroke:#bbb}.i{stroke:#2a6fb0;stroke-width:3}circle{fill:#2a6fb0}
@media(prefers-color-scheme:dark){text{fill:#ddd}.s{fill:#999}line{stroke:#555}
.i{stroke:#7db8ee}circle{fill:#7db8ee}}
</style>
)";

/// From Elo points to the picture.
class Axis {
 public:
  explicit Axis(const std::vector<Rating>& ratings) {
    for (const Rating& rating : ratings) {
      low_ = std::min(low_, std::floor(rating.low / kTick) * kTick);
      high_ = std::max(high_, std::ceil(rating.high / kTick) * kTick);
    }
    while ((high_ - low_) / step_ > kTicksMax) step_ *= 2;
  }

  [[nodiscard]] double x(double elo) const {
    return kNames + (elo - low_) / (high_ - low_) * (kValues - kNames);
  }

  [[nodiscard]] std::string ticks(double bottom) const {
    std::string text;
    for (double elo = std::ceil(low_ / step_) * step_; elo <= high_; elo += step_) {
      text += line_of(R"(<line x1="%.1f" y1="%.0f" x2="%.1f" y2="%.0f"/>)", x(elo), kTop - 8,
                      x(elo), bottom) +
              line_of(R"(<text class="s" x="%.1f" y="%.0f" text-anchor="middle">%.0f</text>)"
                      "\n",
                      x(elo), bottom + 16, elo);
    }
    return text;
  }

 private:
  static constexpr double kTick = 50;
  static constexpr double kTicksMax = 12;

  double low_{-kTick};
  double high_{kTick};
  double step_{kTick};
};

std::string row_of(const std::string& name, const Rating& rating, const Axis& axis, double y) {
  return line_of(R"(<text x="%.0f" y="%.0f" text-anchor="end">)", kNames - 14, y + 5) + name +
         "</text>" +
         line_of(R"(<line class="i" x1="%.1f" y1="%.0f" x2="%.1f" y2="%.0f"/>)", axis.x(rating.low),
                 y, axis.x(rating.high), y) +
         line_of(R"(<circle cx="%.1f" cy="%.0f" r="5"/>)", axis.x(rating.elo), y) +
         line_of(R"(<text x="%.0f" y="%.0f">%+.0f</text>)"
                 "\n",
                 kValues + 16, y + 5, rating.elo);
}

}  // namespace

std::string ratings_svg(const TournamentReport& report) {
  const Axis axis{report.ratings};
  const double bottom = kTop + kRow * static_cast<double>(report.ratings.size());
  const double height = bottom + 28;
  std::string text =
      line_of(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f">)"
              "\n",
              kWidth, height, kWidth) +
      kStyle + R"(<text class="t" x="16" y="22">)" + std::string{report.game} + ", " +
      std::to_string(report.seats) + (report.seats == 1 ? " seat, " : " seats, ") +
      std::to_string(report.games) + " games: Elo with 95 % intervals</text>\n" +
      axis.ticks(bottom);
  double y = kTop + kRow / 2;
  for (const std::size_t bot : strongest_first(report.ratings)) {
    text += row_of(report.figures.bots[bot].bot(), report.ratings[bot], axis, y);
    y += kRow;
  }
  return text + "</svg>\n";
}

}  // namespace tesela::cli
