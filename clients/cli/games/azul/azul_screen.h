// Azul on a terminal.
#pragma once

#include <deque>

#include "clients/cli/games/azul/azul_choice.h"
#include "clients/cli/games/azul/azul_table.h"
#include "clients/cli/screen/game_screen.h"
#include "tesela/game/v1/azul.pb.h"

namespace tesela::cli {

class AzulScreen final : public GameScreen {
 public:
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
  [[nodiscard]] std::string proposal_words(const google::protobuf::Any& move,
                                           const google::protobuf::Any& gain) const override;
  [[nodiscard]] std::string move_words(const play::v1::Event& event,
                                       const TableStatus& status) const override;

 private:
  struct Frame {
    AzulPicture picture;
    std::chrono::milliseconds time{};
  };

  void arrive(game::v1::AzulView view);
  [[nodiscard]] std::string headline(const TableStatus& status) const;
  [[nodiscard]] std::string task() const;

  game::v1::AzulView view_;
  std::string sentence_;  // the last move
  AzulPicture picture_;   // the shown picture
  std::deque<Frame> animation_;
  bool moving_ = false;  // `picture_` is of an animation
  AzulChoice choice_;
};

}  // namespace tesela::cli
