// A table that is watched in lines of text.
#pragma once

#include <iosfwd>
#include <string>

#include "clients/cli/client/stream_client.h"
#include "clients/cli/client/task.h"
#include "clients/cli/table/table_lines.h"

namespace tesela::cli {

/// One thread; `out` and `notes` outlive it.
class WatchLines final : public StreamListener {
 public:
  /// Positions go to `out`; what happens to the connection, and what is said, goes to `notes`.
  WatchLines(Executor executor, StreamClient::Options stream, std::ostream& out,
             std::ostream& notes);

  /// Until the game is over. An error when the stream ended before.
  Task<Expected<void>> run();

  void on_link(const Link& link) override;
  void on_welcome(const play::v1::Welcome& welcome) override;
  void on_snapshot(const play::v1::Snapshot& snapshot) override;
  void on_event(const play::v1::Event& event) override;
  void on_seating(const play::v1::Seating& seating) override;
  void on_clocks(const play::v1::Clocks& clocks) override;
  void on_said(const play::v1::Said& said) override;
  void on_refusal(const play::v1::Refusal& refusal) override;

 private:
  void end_with(bool over);

  StreamClient client_;
  TableLines lines_;
  std::ostream& notes_;
  Timer over_;  // cancelled when the game is over
  bool is_over_ = false;
  std::string closed_because_;
};

}  // namespace tesela::cli
