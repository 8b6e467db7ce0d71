// One table on the terminal: what comes from the stream is animated and shown, what comes from the
// keys is played. What the game looks like is its GameScreen's business.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "clients/cli/screen/game_screen.h"
#include "clients/cli/screen/table_screen.h"
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
  enum class Wish { kQuit, kNewGame, kStart, kRematch };

  PlaySession(Executor executor, Options options, Terminal& terminal);

  /// Shows the table until the player wishes something else, or a signal ends the program.
  Task<Wish> run();

  /// The table as it was shown last, in lines that say how to come back to it.
  [[nodiscard]] std::string farewell() const;

  [[nodiscard]] const std::string& table_id() const { return picture_.table_id; }
  /// The game and the configuration of the table; empty before Welcome.
  [[nodiscard]] const std::string& game() const { return picture_.game; }
  [[nodiscard]] const google::protobuf::Any& config() const { return config_; }

  void on_link(const Link& link) override;
  void on_welcome(const play::v1::Welcome& welcome) override;
  void on_snapshot(const play::v1::Snapshot& snapshot) override;
  void on_event(const play::v1::Event& event) override;
  void on_seating(const play::v1::Seating& seating) override;
  void on_refusal(const play::v1::Refusal& refusal) override;

 private:
  Task<void> stay_connected();
  Task<Wish> read_keys();
  Task<void> show_film();
  std::optional<Wish> press(Key key);
  std::optional<Wish> press_new_game();
  void press_ahead();
  void play(google::protobuf::Any move);
  /// `place` is a Welcome or a Seating.
  template <class Place>
  void sit_on(const Place& place);
  /// `news` is a Snapshot or an Event.
  template <class News>
  void take_status(const News& news);
  void settle();
  void draw();
  [[nodiscard]] bool over() const { return picture_.status.result.has_value(); }
  [[nodiscard]] bool linked() const { return picture_.link.phase == Link::Phase::kOpen; }

  Executor executor_;
  Options options_;
  Terminal& terminal_;
  StreamClient client_;
  std::unique_ptr<GameScreen> screen_;  // from Welcome on, unless the game is not known here
  google::protobuf::Any config_;
  TablePicture picture_;
  std::deque<Key> ahead_;        // pressed while a move was under way
  Timer film_timer_;             // cancelled when there is something new to show
  bool new_game_asked_ = false;  // a game in play is left at the second asking
};

}  // namespace tesela::cli
