// A finished game that is shown again: how it is read, and how it is shown on the terminal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clients/cli/client/server_address.h"
#include "clients/cli/client/server_stream.h"
#include "clients/cli/client/task.h"
#include "clients/cli/play/terminal.h"
#include "clients/cli/table/table_view.h"
#include "engine/core/result.h"
#include "tesela/lobby/v1/history.pb.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::cli {

/// A finished game as HistoryService.Replay sends it, frame after frame. One thread.
class ReplayStream {
 public:
  ReplayStream(ServerAddress server, lobby::v1::ReplayRequest request)
      : stream_(std::move(server), {}), request_(std::move(request)) {}

  /// A Snapshot first, and then Events; empty at the end. Errors: what the server answers;
  /// kUnavailable when it cannot be reached or breaks off.
  Task<Expected<std::optional<play::v1::ServerFrame>>> next();

 private:
  ServerStream stream_;
  lobby::v1::ReplayRequest request_;
  bool started_ = false;
};

/// The seating of a finished table as if all players were connected.
[[nodiscard]] play::v1::Seating seating_of(const lobby::v1::Table& table);

/// Shows the game on the terminal, step by step. One thread; the terminal outlives it.
class ReplaySession {
 public:
  struct Options {
    ServerAddress server;
    lobby::v1::Table table;
    std::string invite{};
    std::uint64_t from_version = 0;
    bool animated = true;
  };

  ReplaySession(Executor executor, Options options, Terminal& terminal);

  /// Runs until the player quits. An error when nothing of the game could be read.
  Task<Expected<void>> run();

 private:
  Task<Expected<void>> read();
  Task<Expected<void>> read_all();
  void keep(play::v1::ServerFrame frame);
  Task<void> read_keys();
  Task<void> run_animation();
  /// False when the player quits.
  bool press(Key key);
  void press_way(Key key);
  void press_number(Key key);
  void go_to_typed();
  /// To a frame: by index, clamped.
  void seek(std::int64_t index);
  void step();
  void take(std::int64_t index);
  [[nodiscard]] bool keeps_position(std::int64_t index) const;
  void draw();
  [[nodiscard]] Prompt prompt() const;
  [[nodiscard]] std::int64_t last() const { return static_cast<std::int64_t>(frames_.size()) - 1; }

  Executor executor_;
  Options options_;
  Terminal& terminal_;
  ReplayStream stream_;
  TableView view_;
  std::vector<std::string> frames_;  // encoded: a Snapshot, and the Events after it
  std::size_t bytes_ = 0;            // of `frames_`
  std::uint64_t first_version_ = 0;
  bool complete_ = false;
  std::int64_t shown_ = 0;  // index of the frame
  std::string words_;       // what led to its position
  std::string notice_;      // the response to the last key, or why reading has ended
  std::string typed_;       // the version to go to
  bool playing_ = false;    // automatically
  Timer animation_timer_;   // cancelled when there is something new to show
};

}  // namespace tesela::cli
