// 2248 on a terminal.
#pragma once

#include <cstdint>

#include "clients/cli/games/g2248/g2248_path.h"
#include "clients/cli/screen/game_screen.h"
#include "clients/cli/screen/grid_animation.h"
#include "clients/cli/screen/grid_board.h"
#include "tesela/game/v1/g2248.pb.h"

namespace tesela::cli {

class G2248Screen final : public GameScreen {
 public:
  G2248Screen() = default;
  // The path refers to the view.
  G2248Screen(const G2248Screen&) = delete;
  G2248Screen& operator=(const G2248Screen&) = delete;

  bool show(const google::protobuf::Any& view) override;
  bool follow(const play::v1::Event& event, const TableStatus& status) override;
  std::optional<std::chrono::milliseconds> next_frame() override;
  void settle() override;
  void draw(const TableStatus& status, Canvas& canvas) const override;
  Pressed press(Key key, const TableStatus& status) override;
  [[nodiscard]] std::string help() const override;
  [[nodiscard]] std::string verdict(const TableStatus& status) const override;
  [[nodiscard]] std::string line(const TableStatus& status) const override;
  [[nodiscard]] std::string score_words() const override;
  [[nodiscard]] std::string move_words(const play::v1::Event& event,
                                       const TableStatus& status) const override;

 private:
  void arrive(game::v1::Game2248View view);
  void move_cursor(Way way);
  Pressed press_cell();
  Pressed play_path();
  Pressed play_booster();
  [[nodiscard]] std::uint32_t cursor() const { return row_ * view_.columns() + column_; }
  [[nodiscard]] GridLayout layout() const;
  void draw_sprite(const GridLayout& layout, const Sprite& sprite, Canvas& canvas) const;
  void draw_path(const GridLayout& layout, Canvas& canvas) const;
  void draw_cell(const GridLayout& layout, std::uint32_t cell, char32_t left, char32_t right,
                 bool reverse, Canvas& canvas) const;
  void draw_side(const GridLayout& layout, const TableStatus& status, Canvas& canvas) const;
  [[nodiscard]] std::string path_words() const;

  game::v1::Game2248View view_;
  G2248Path path_{view_};
  GridAnimation animation_;
  bool moving_ = false;
  std::string news_;  // about the last move
  std::uint32_t row_ = 0;
  std::uint32_t column_ = 0;
};

}  // namespace tesela::cli
