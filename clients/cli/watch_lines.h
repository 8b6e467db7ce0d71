// A table as lines of text, one a position: for pipes, logs and screen readers.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>

#include "clients/cli/screen/game_screen.h"
#include "clients/cli/stream_client.h"
#include "clients/cli/task.h"

namespace tesela::cli {

/// A line is the version, what led to the position, and the position as the game's screen words it:
/// "version 7 left score 24 | 2 . . . | 4 8 . . | . . . . | . . . 2 | in play".
///
/// One thread; `out` and `notes` outlive it.
class WatchLines final : public StreamListener {
 public:
  /// Positions go to `out`, what happens to the connection goes to `notes`.
  WatchLines(Executor executor, StreamClient::Options stream, std::ostream& out,
             std::ostream& notes);

  /// Until the game is over. An error when the stream ended before.
  Task<Expected<void>> run();

  void on_link(const Link& link) override;
  void on_welcome(const play::v1::Welcome& welcome) override;
  void on_snapshot(const play::v1::Snapshot& snapshot) override;
  void on_event(const play::v1::Event& event) override;
  void on_seating(const play::v1::Seating& seating) override;
  void on_refusal(const play::v1::Refusal& refusal) override;

 private:
  void tell(std::uint64_t version, const std::string& what);
  void end_with(bool over);

  StreamClient client_;
  std::ostream& out_;
  std::ostream& notes_;
  Timer over_;  // cancelled when the game is over
  bool is_over_ = false;
  std::string closed_because_;
  std::unique_ptr<GameScreen> screen_;  // from Welcome on
  TableStatus status_;                  // the names alone
};

}  // namespace tesela::cli
