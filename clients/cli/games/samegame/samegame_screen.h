// SameGame on a terminal.
#pragma once

#include <cstdint>
#include <string>

#include "clients/cli/screen/grid_screen.h"
#include "tesela/game/v1/samegame.pb.h"

namespace tesela::cli {

class SameGameScreen final : public GridScreen {
 public:
  bool show(const google::protobuf::Any& view) override;
  bool follow(const play::v1::Event& event, const TableStatus& status) override;
  void draw(const TableStatus& status, Canvas& canvas) const override;
  Pressed press(Key key, const TableStatus& status) override;
  [[nodiscard]] std::string help() const override;
  [[nodiscard]] std::string verdict(const TableStatus& status) const override;
  [[nodiscard]] std::string line(const TableStatus& status) const override;
  [[nodiscard]] std::string score_words() const override;
  [[nodiscard]] std::string proposal_words(const google::protobuf::Any& move,
                                           const google::protobuf::Any& gain) const override;
  [[nodiscard]] std::string move_words(const play::v1::Event& event,
                                       const TableStatus& status) const override;

 private:
  void arrive(game::v1::SameGameView view);
  /// Moves the cursor to a tile when the tile under it has gone.
  void move_cursor_to_tile();
  void next_group();
  [[nodiscard]] std::uint32_t cell_at(std::uint32_t row, std::uint32_t column) const;
  /// The group under the cursor; null when there is none.
  [[nodiscard]] const game::v1::SameGameGroup* group() const;
  [[nodiscard]] GridLayout layout(const Canvas& canvas) const;
  void draw_sprite(const GridLayout& layout, const Sprite& sprite, Canvas& canvas) const;
  void draw_group(const GridLayout& layout, Canvas& canvas) const;
  void draw_side(const GridLayout& layout, const TableStatus& status, Canvas& canvas) const;

  game::v1::SameGameView view_;
  std::string news_;  // about the last move
};

}  // namespace tesela::cli
