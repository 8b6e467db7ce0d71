// One table on the terminal: what comes from the stream is animated and shown, what comes from the
// keys is played or said. What the game looks like is its GameScreen's business.
#pragma once

#include <deque>
#include <optional>
#include <string>

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
    std::string news{};               // to be said at first
    bool animated = true;
  };
  /// What the player wants next.
  enum class Wish { kQuit, kNewGame, kStart, kRematch, kLeave };

  PlaySession(Executor executor, Options options, Terminal& terminal);

  /// Shows the table until the player wishes something else, or a signal ends the program.
  Task<Wish> run();

  /// The table as it was shown last, in lines that say how to come back to it.
  [[nodiscard]] std::string farewell() const;

  [[nodiscard]] const std::string& table_id() const { return picture().table_id; }
  /// The player's; none for a spectator.
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
  void on_refusal(const play::v1::Refusal& refusal) override;

 private:
  Task<void> stay_connected();
  Task<Wish> read_keys();
  Task<void> show_film();
  Task<void> run_clocks();
  std::optional<Wish> press(Key key);
  std::optional<Wish> wish_of(Key key);
  /// A key of the table, whatever the game. False: it is none.
  bool press_table(Key key);
  void press_game(Key key);
  /// Whether the player presses a key of consequence a second time; asks the first time.
  bool is_sure(Key key, const char* question);
  void press_talk(Key key);
  void press_ahead();
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
  std::deque<Key> ahead_;           // pressed while a move was under way
  Timer film_timer_;                // cancelled when there is something new to show
  Timer clock_timer_;               // cancelled when the clocks run otherwise
  std::optional<Key> asked_about_;  // pressed once, and to be pressed again
};

}  // namespace tesela::cli
