// A game on a grid for which this program has no screen, drawn from tesela.game.v1.GridView: the
// arrow keys move a cursor, Enter makes the move of its cell.
#pragma once

#include <cstdint>
#include <string>

#include "clients/cli/screen/grid_screen.h"
#include "tesela/game/v1/grid.pb.h"

namespace tesela::cli {

class AnyGridScreen final : public GridScreen {
 public:
  /// `view` is a GridView.
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
  void arrive(const game::v1::GridView& view);
  /// The move of the cell under the cursor; null when there is none.
  [[nodiscard]] const game::v1::GridMove* move() const;
  [[nodiscard]] GridLayout layout(const Canvas& canvas) const;

  game::v1::GridView view_;
};

}  // namespace tesela::cli
