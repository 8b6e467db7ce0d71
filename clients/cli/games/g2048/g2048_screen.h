// 2048 on a terminal.
#pragma once

#include "clients/cli/screen/grid_screen.h"
#include "tesela/game/v1/g2048.pb.h"

namespace tesela::cli {

class G2048Screen final : public GridScreen {
 public:
  bool show(const google::protobuf::Any& view) override;
  bool follow(const play::v1::Event& event, const TableStatus& status) override;
  void draw(const TableStatus& status, Canvas& canvas) const override;
  Pressed press(Key key, const TableStatus& status) override;
  [[nodiscard]] std::string help() const override { return "arrows, WASD or HJKL: move"; }
  [[nodiscard]] std::string verdict(const TableStatus& status) const override;
  [[nodiscard]] std::string line(const TableStatus& status) const override;
  [[nodiscard]] std::string score_words() const override;
  [[nodiscard]] std::string proposal_words(const google::protobuf::Any& move,
                                           const google::protobuf::Any& gain) const override;
  [[nodiscard]] std::string move_words(const play::v1::Event& event,
                                       const TableStatus& status) const override;

 private:
  [[nodiscard]] GridLayout layout() const;
  void draw_sprite(const Sprite& sprite, Canvas& canvas) const;

  game::v1::Game2048View view_;  // size 0 before the first position
};

}  // namespace tesela::cli
