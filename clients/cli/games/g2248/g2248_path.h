// The path that a player of 2248 is drawing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tesela/game/v1/g2248.pb.h"

namespace tesela::cli {

/// Takes the legal steps from the links of the view. The view must outlive the path, and the path
/// is cleared when the view changes.
class G2248Path {
 public:
  explicit G2248Path(const game::v1::Game2248View& view) : view_(&view) {}

  [[nodiscard]] const std::vector<std::uint32_t>& cells() const { return cells_; }
  [[nodiscard]] bool empty() const { return cells_.empty(); }
  [[nodiscard]] bool contains(std::uint32_t cell) const;

  /// Whether the path can begin with the cell, or go on to it.
  [[nodiscard]] bool takes(std::uint32_t cell) const;
  /// A cell that it takes.
  void extend(std::uint32_t cell) { cells_.push_back(cell); }
  void undo() { cells_.pop_back(); }
  void clear() { cells_.clear(); }

  /// The exponent of the path's value so far (R-2248-4, R-2248-11); empty above 2^60. The path is
  /// not empty.
  [[nodiscard]] std::optional<std::uint32_t> value() const;

 private:
  [[nodiscard]] std::uint32_t links(std::uint32_t cell) const;

  const game::v1::Game2248View* view_;
  std::vector<std::uint32_t> cells_;
};

}  // namespace tesela::cli
