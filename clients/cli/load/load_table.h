// A connection that plays legal moves at its own tables, one game after the other.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "clients/cli/load/frame_fields.h"
#include "clients/cli/load/load_connection.h"
#include "clients/cli/load/table_pool.h"
#include "engine/g2048/direction.h"
#include "engine/g2048/packed_board.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// Encodes moves of 2048 without allocating: one message, which is filled again for each.
class MoveWriter {
 public:
  MoveWriter();

  /// Replaces `frame` by an encoded ClientFrame that plays `direction` at `version`. The version is
  /// also the move's id, which is unique as long as the table accepts one move a version.
  void write(std::uint64_t version, g2048::Direction direction, std::string& frame);

 private:
  play::v1::ClientFrame frame_;
};

/// One thread. The pool outlives it.
class TableDialogue final : public LoadDialogue {
 public:
  struct Options {
    Endpoints endpoints;
    ServerAddress server;
    std::string token;
  };

  TableDialogue(Options options, TablePool& pool) : options_(std::move(options)), pool_(pool) {}

  Task<Expected<WebSocket>> open() override;
  [[nodiscard]] std::uint32_t frames_per_second_max() const override { return frames_per_second_; }
  std::string_view next_frame() override;
  Expected<bool> accept(std::string_view frame) override;
  Expected<void> overhear(std::string_view frame) override;
  [[nodiscard]] std::optional<std::chrono::milliseconds> moved() const override { return moved_; }
  [[nodiscard]] bool over() const override { return over_; }

  /// How often in a row it comes back to a table without being shown it. One more is an error.
  static constexpr int kComebacksMax = 50;

 private:
  Task<Expected<void>> greet(WebSocket& stream);
  Error explained(const play::v1::ServerFrame& frame);
  Expected<bool> accept_event(const EventFields& event);
  [[nodiscard]] bool take(const std::optional<ViewFields>& view);
  Expected<void> accept_snapshot(const play::v1::Snapshot& snapshot);

  Options options_;
  TablePool& pool_;
  std::string table_;
  std::optional<std::chrono::milliseconds> moved_;  // by the Goodbye of the last connection
  int comebacks_ = 0;                               // to the table, since it was last shown
  std::uint32_t frames_per_second_ = 0;
  std::uint64_t version_ = 0;
  g2048::PackedBoard board_;
  bool over_ = true;
  MoveWriter writer_;
  std::string frame_;
};

}  // namespace tesela::cli
