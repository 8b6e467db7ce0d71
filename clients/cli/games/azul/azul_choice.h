// The move that a player of Azul is composing: which tiles to take, and where to put them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "clients/cli/screen/key.h"
#include "tesela/game/v1/azul.pb.h"

namespace tesela::cli {

inline constexpr int kAzulColours = 5;
inline constexpr int kAzulRows = 5;              // of the wall, and its columns
inline constexpr std::uint32_t kAzulMarker = 6;  // the marker among the colours from 1

/// In place of a pattern line: the floor line.
inline constexpr std::uint32_t kAzulFloor = 5;

/// Chooses among the offers of a view. First an offer: left and right to the next one, up and down
/// to the next source, a digit for a factory display, `c` for the centre, the letter of a colour;
/// enter takes it. Then a line: up and down, a digit, `f` for the floor; enter plays, escape goes
/// back.
class AzulChoice {
 public:
  /// Starts again with the offers of this view.
  void offer(const game::v1::AzulView& view);
  /// Returns to the choice of tiles, and keeps the cursor.
  void put_back() { placing_ = false; }

  /// The move, once it is complete.
  std::optional<game::v1::AzulMove> press(Key key);

  /// The offer under the cursor; null when there is none.
  [[nodiscard]] const game::v1::AzulOffer* current() const;
  /// Whether the tiles are taken and a line is being chosen.
  [[nodiscard]] bool placing() const { return placing_; }
  /// The line under the cursor, or kAzulFloor. There is a current offer.
  [[nodiscard]] std::uint32_t target() const { return targets()[target_]; }
  /// How many of the tiles would go to the floor.
  [[nodiscard]] std::uint32_t overflow() const;

 private:
  [[nodiscard]] std::vector<std::uint32_t> targets() const;
  void take();
  void press_source(Key key);
  void press_target(Key key);
  void next_source(int step);
  void select_source(std::optional<std::uint32_t> factory);
  void select_colour(std::uint32_t colour);
  void select_target(std::uint32_t target);
  [[nodiscard]] game::v1::AzulMove move() const;

  std::vector<game::v1::AzulOffer> offers_;
  std::size_t offer_ = 0;
  std::size_t target_ = 0;
  bool placing_ = false;
};

/// Whether two offers take from the same factory, or both from the centre.
[[nodiscard]] bool same_source(const game::v1::AzulOffer& a, const game::v1::AzulOffer& b);

}  // namespace tesela::cli
