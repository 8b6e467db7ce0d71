// One table on the terminal: shows the frames of the stream, and turns keys into moves and
// messages. The GameScreen of the game draws it.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "clients/cli/base/printed.h"
#include "clients/cli/client/stream_client.h"
#include "clients/cli/client/task.h"
#include "clients/cli/play/terminal.h"
#include "clients/cli/table/table_view.h"

namespace tesela::cli {

/// One thread; the terminal outlives it.
class PlaySession final : public StreamListener {
 public:
  struct Options {
    StreamClient::Options stream;
    lobby::v1::TableOptions table{};  // as far as known
    std::string news{};               // to be shown at first
    bool animated = true;
  };
  /// Why a session ended.
  enum class Command { kQuit, kNewGame, kStart, kRematch, kLeave };

  PlaySession(Executor executor, Options options, Terminal& terminal);

  /// Shows the table until the player gives a command, or a signal ends the program (kQuit).
  Task<Command> run();

  /// Lines to print when the program ends: the table, the score, and how to continue.
  [[nodiscard]] Printed exit_text() const;

  [[nodiscard]] const std::string& table_id() const { return picture().table_id; }
  /// The player's seat; none for a spectator.
  [[nodiscard]] std::optional<std::uint32_t> seat() const { return picture().status.seat; }
  /// The game and the configuration of the table; empty before Welcome.
  [[nodiscard]] const std::string& game() const { return picture().game; }
  [[nodiscard]] const google::protobuf::Any& config() const { return config_; }

  void on_link(const Link& link) override;
  void on_welcome(const play::v1::Welcome& welcome) override;
  void on_snapshot(const play::v1::Snapshot& snapshot) override;
  void on_event(const play::v1::Event& event) override;
  void on_seating(const play::v1::Seating& seating) override;
  void on_clocks(const play::v1::Clocks& clocks) override;
  void on_said(const play::v1::Said& said) override;
  void on_announcement(const std::string& text) override;
  void on_hint(const play::v1::Hint& hint) override;
  void on_refusal(const play::v1::Refusal& refusal) override;

 private:
  Task<void> stay_connected();
  Task<Command> read_keys();
  Task<void> run_animation();
  Task<void> run_clocks();
  std::optional<Command> press(Key key);
  std::optional<Command> command_of(Key key);
  /// Handles a key of the table, whatever the game. False for other keys.
  bool press_table(Key key);
  void press_hint(Key key);
  void press_game(Key key);
  /// Whether the player has pressed `key` twice; shows the question the first time.
  bool confirmed(Key key, const char* question);
  void press_talk(Key key);
  void play_queued_keys();
  void play(google::protobuf::Any move,
            StreamClient::DecidedOn decided_on = StreamClient::DecidedOn::kLastVersion);
  void tell_end();
  void settle();
  void draw();
  [[nodiscard]] TablePicture& picture() { return view_.picture(); }
  [[nodiscard]] const TablePicture& picture() const { return view_.picture(); }
  [[nodiscard]] bool over() const { return picture().status.result.has_value(); }
  [[nodiscard]] bool linked() const { return picture().link.phase == Link::Phase::kOpen; }

  Executor executor_;
  Options options_;
  Terminal& terminal_;
  StreamClient client_;
  google::protobuf::Any config_;
  TableView view_;
  std::string announced_;          // by an operator
  std::deque<Key> queued_keys_;    // pressed while a move was under way
  Timer animation_timer_;          // cancelled when there is something new to show
  Timer clock_timer_;              // cancelled when the clocks run otherwise
  std::optional<Key> to_confirm_;  // pressed once, and to be pressed again
};

}  // namespace tesela::cli
