// One table on the terminal: what comes from the stream is animated and shown, what comes from the
// keys is played.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>

#include "clients/cli/g2048_animation.h"
#include "clients/cli/g2048_screen.h"
#include "clients/cli/stream_client.h"
#include "clients/cli/task.h"
#include "clients/cli/terminal.h"

namespace tesela::cli {

/// One thread; the terminal outlives it.
class PlaySession final : public StreamListener {
 public:
  struct Options {
    StreamClient::Options stream;
    bool animated = true;
  };
  /// What the player wants next.
  enum class Wish { kQuit, kNewGame };

  PlaySession(Executor executor, Options options, Terminal& terminal);

  /// Shows the table until the player wishes something else, or a signal ends the program.
  Task<Wish> run();

  /// What was shown last.
  [[nodiscard]] const G2048Picture& picture() const { return picture_; }

  void on_link(const Link& link) override;
  void on_welcome(const play::v1::Welcome& welcome) override;
  void on_snapshot(const play::v1::Snapshot& snapshot) override;
  void on_event(const play::v1::Event& event) override;
  void on_refusal(const play::v1::Refusal& refusal) override;

 private:
  Task<void> stay_connected();
  Task<Wish> read_keys();
  Task<void> show_frames();
  Task<void> follow_size();
  Task<Wish> wait_for_signal();
  std::optional<Wish> press(int key);
  std::optional<Wish> press_new_game();
  void press_direction(game::v1::Direction direction);
  void play_next();
  void show(const game::v1::Game2048View& view, std::uint64_t version);
  void skip_animation();
  void draw() { screen_.draw(picture_); }

  Executor executor_;
  Options options_;
  Terminal& terminal_;
  G2048Screen screen_;
  StreamClient client_;
  G2048Picture picture_;
  std::deque<Frame> frames_;               // still to be shown
  std::deque<game::v1::Direction> ahead_;  // pressed while a move was under way
  Timer frame_timer_;
  bool new_game_asked_ = false;  // a game in play is left at the second asking
};

}  // namespace tesela::cli
