#include "clients/cli/load/load_player.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

namespace tesela::cli {
namespace {

constexpr unsigned kCellBits = 4;

/// The value of a line: empty cells and pairs that can merge count for it, and deviations from a
/// monotonic order against it.
int order_of(std::uint32_t line) {
  int empty = 0;
  int pairs = 0;
  int rises = 0;
  int falls = 0;
  for (unsigned place = 0; place < g2048::PackedBoard::kSize; ++place) {
    const auto cell = static_cast<int>(line >> (kCellBits * place) & 0xfU);
    empty += cell == 0 ? 1 : 0;
    if (place == 0) continue;
    const auto before = static_cast<int>(line >> (kCellBits * (place - 1)) & 0xfU);
    pairs += cell != 0 && cell == before ? 1 : 0;
    rises += std::max(cell - before, 0);
    falls += std::max(before - cell, 0);
  }
  return 2 * empty + pairs - std::min(rises, falls);
}

}  // namespace

const LoadPlayer& LoadPlayer::get() {
  static const LoadPlayer player;
  return player;
}

LoadPlayer::LoadPlayer() {
  for (std::size_t line = 0; line < lines_.size(); ++line) {
    lines_[line] = static_cast<std::int8_t>(order_of(static_cast<std::uint32_t>(line)));
  }
}

g2048::Direction LoadPlayer::choose(const g2048::PackedBoard& board) const {
  auto best = g2048::Direction::kLeft;
  int best_order = std::numeric_limits<int>::min();
  for (const auto direction : g2048::kDirections) {
    if ((board.legal() >> static_cast<unsigned>(direction) & 1U) == 0) continue;
    auto after = board;
    after.slide(direction);
    if (const int found = order(after); found > best_order) {
      best = direction;
      best_order = found;
    }
  }
  return best;
}

int LoadPlayer::order(const g2048::PackedBoard& board) const {
  int sum = 0;
  for (int line = 0; line < g2048::PackedBoard::kSize; ++line) {
    sum += lines_[board.row(line)] + lines_[board.column(line)];
  }
  return sum;
}

}  // namespace tesela::cli
