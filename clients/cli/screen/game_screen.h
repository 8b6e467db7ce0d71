// How one game is shown and played on a terminal. One implementation per game; the list is games.h.
#pragma once

#include <google/protobuf/any.pb.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/screen/canvas.h"
#include "clients/cli/screen/key.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// The state of a table that does not depend on its game.
struct TableStatus {
  std::uint64_t version = 0;                 // 0 before the first position
  std::optional<std::uint32_t> seat{};       // of this client; none for a spectator
  std::vector<std::string> names{};          // of the players, by seat, as far as known
  std::vector<std::string> marks{};          // how each seat is played: see marks_of
  std::vector<std::string> clocks{};         // what each seat has left; empty without clocks
  std::vector<std::uint32_t> on_turn{};      // the seats that may move
  std::optional<play::v1::Result> result{};  // once the game is over
  bool waiting = false;                      // seats are free: the game has not begun
  bool can_start = false;                    // this client's player may begin it with bots
  bool rematch = false;                      // this client's player may ask for one
};

/// The effect of a key.
struct Pressed {
  std::optional<google::protobuf::Any> move{};  // to be played
  std::string message{};                        // to be shown; empty: nothing
};

/// The position of one table, the animation of the last move, and the move that the player is
/// composing. It has no rules: the views contain the legal moves. One thread.
///
/// A move is shown as an animation: `follow` starts it, each `next_frame` shows its next picture,
/// and at its end, or after `settle`, the position itself is shown.
class GameScreen {
 public:
  virtual ~GameScreen() = default;

  /// Shows this position at once. False, and nothing changes, when it is of another game.
  virtual bool show(const google::protobuf::Any& view) = 0;
  /// Shows a move. False, and nothing changes, when it is of another game.
  virtual bool follow(const play::v1::Event& event, const TableStatus& status) = 0;
  /// Shows the next picture, and gives how long it is shown; empty at the end of the animation.
  virtual std::optional<std::chrono::milliseconds> next_frame() = 0;
  virtual void settle() = 0;

  /// Draws on the rows kGameTop .. canvas.rows() - kGameBottom - 1 of a canvas of at least kRowsMin
  /// × kColumnsMin.
  virtual void draw(const TableStatus& status, Canvas& canvas) const = 0;
  /// The player pressed a key. Not called for a spectator, when the game is over, while a move is
  /// under way or before the first position.
  virtual Pressed press(Key key, const TableStatus& status) = 0;

  /// The keys and their effects, in a line.
  [[nodiscard]] virtual std::string help() const = 0;
  /// How the game ended, in a sentence. Called once it is over by its own rules.
  [[nodiscard]] virtual std::string verdict(const TableStatus& status) const = 0;

  /// The position in a line of text that begins with `score_words`.
  [[nodiscard]] virtual std::string line(const TableStatus& status) const = 0;
  [[nodiscard]] virtual std::string score_words() const = 0;
  /// A move that could be played in the position of now, in words, with what it brings at once (a
  /// Gain message of the game, or nothing): "2 red from factory 4 to line 2, fills it: +5".
  [[nodiscard]] virtual std::string proposal_words(const google::protobuf::Any& move,
                                                   const google::protobuf::Any& gain) const = 0;
  /// A move in words.
  [[nodiscard]] virtual std::string move_words(const play::v1::Event& event,
                                               const TableStatus& status) const = 0;
};

inline constexpr int kRowsMin = 24;
inline constexpr int kColumnsMin = 80;
inline constexpr int kGameTop = 1;     // rows above the game
inline constexpr int kSideGap = 3;     // columns between a board and the facts beside it
inline constexpr int kGameBottom = 4;  // rows below it
inline constexpr int kLeftMargin = 2;

}  // namespace tesela::cli
