// 2248 on a terminal.
#pragma once

#include <cstdint>
#include <string>

#include "clients/cli/games/g2248/g2248_path.h"
#include "clients/cli/screen/grid_screen.h"
#include "tesela/game/v1/g2248.pb.h"

namespace tesela::cli {

class G2248Screen final : public GridScreen {
 public:
  G2248Screen() = default;
  // The path refers to the view.
  G2248Screen(const G2248Screen&) = delete;
  G2248Screen& operator=(const G2248Screen&) = delete;

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
  void arrive(game::v1::Game2248View view);
  Pressed press_cell();
  Pressed play_path();
  Pressed play_booster();
  [[nodiscard]] GridLayout layout() const;
  void draw_sprite(const GridLayout& layout, const Sprite& sprite, Canvas& canvas) const;
  void draw_path(const GridLayout& layout, Canvas& canvas) const;
  void draw_cell(const GridLayout& layout, std::uint32_t cell, char32_t left, char32_t right,
                 bool reverse, Canvas& canvas) const;
  void draw_side(const GridLayout& layout, const TableStatus& status, Canvas& canvas) const;
  [[nodiscard]] std::string path_words() const;

  game::v1::Game2248View view_;
  G2248Path path_{view_};
  std::string news_;  // about the last move
};

}  // namespace tesela::cli
