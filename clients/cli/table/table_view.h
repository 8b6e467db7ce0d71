// The state of a table as its frames describe it, for whatever shows it.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "clients/cli/screen/game_screen.h"
#include "clients/cli/table/table_clock.h"
#include "clients/cli/table/table_screen.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// Keeps the picture of a table up to date with the frames of its stream. One thread.
class TableView {
 public:
  /// Sets the game, once it is known. A game that is not known here is shown as a grid, if the
  /// server says it so.
  void open(const std::string& game);
  /// The screen of the game; null before `open`.
  [[nodiscard]] GameScreen* screen() const { return screen_.get(); }

  void take(const play::v1::Seating& seating);
  void take(const play::v1::Clocks& clocks);
  /// False, and nothing changes, when the game is not known here and is no grid.
  bool take(const play::v1::Snapshot& snapshot);
  bool take(const play::v1::Event& event);

  [[nodiscard]] TablePicture& picture() { return picture_; }
  [[nodiscard]] const TablePicture& picture() const { return picture_; }
  [[nodiscard]] TableClock& clock() { return clock_; }
  /// Draws the table with its clocks as they are at `server_ms`.
  void draw(std::int64_t server_ms, Canvas& canvas);

  /// The event in words: "left", "Ann resigns".
  [[nodiscard]] std::string words_of(const play::v1::Event& event) const;
  /// How the game ended, in a sentence. Called once it is over.
  [[nodiscard]] std::string verdict() const;

 private:
  /// `news` is a Snapshot or an Event.
  template <class News>
  void take_status(const News& news);
  bool follow(const play::v1::Event& event);
  /// `grid` is `view` for the screen of a game that is not known here.
  bool show(const google::protobuf::Any& view, const game::v1::GridView& grid);

  TablePicture picture_;
  std::unique_ptr<GameScreen> screen_;
  TableClock clock_;
};

}  // namespace tesela::cli
