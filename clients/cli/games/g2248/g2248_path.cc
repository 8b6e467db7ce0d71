#include "clients/cli/games/g2248/g2248_path.h"

#include <algorithm>
#include <array>
#include <bit>

#include "clients/cli/screen/key.h"

namespace tesela::cli {
namespace {

constexpr std::uint32_t kEqualLinks = 0xff;
constexpr std::uint32_t kDirections = 8;
constexpr std::uint32_t kExponentMax = 60;
// In the order of the bits of Game2248View.links.
constexpr std::array<Way, kDirections> kWays{
    {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}};

}  // namespace

bool G2248Path::contains(std::uint32_t cell) const {
  return std::ranges::find(cells_, cell) != cells_.end();
}

std::uint32_t G2248Path::links(std::uint32_t cell) const {
  return cell < static_cast<std::uint32_t>(view_->links_size())
             ? view_->links(static_cast<int>(cell))
             : 0;
}

bool G2248Path::takes(std::uint32_t cell) const {
  if (cells_.empty()) return (links(cell) & kEqualLinks) != 0;
  if (contains(cell)) return false;
  const auto columns = static_cast<int>(view_->columns());
  const int from = static_cast<int>(cells_.back());
  const int to = static_cast<int>(cell);
  const Way way{.rows = to / columns - from / columns, .columns = to % columns - from % columns};
  const auto direction = std::ranges::find(kWays, way);
  if (direction == kWays.end()) return false;
  const auto bit = static_cast<std::uint32_t>(direction - kWays.begin());
  std::uint32_t allowed = 1U << bit;
  if (cells_.size() > 1) allowed |= 1U << (kDirections + bit);
  return (links(cells_.back()) & allowed) != 0;
}

std::optional<std::uint32_t> G2248Path::value() const {
  constexpr std::uint64_t kValueMax = std::uint64_t{1} << kExponentMax;
  std::uint64_t sum = 0;
  for (const std::uint32_t cell : cells_) {
    const std::uint32_t exponent = view_->cells(static_cast<int>(cell));
    sum += std::uint64_t{1} << std::min(exponent, kExponentMax);
    if (sum > kValueMax) return std::nullopt;
  }
  return static_cast<std::uint32_t>(std::bit_width(sum - 1));
}

}  // namespace tesela::cli
