// The chat of a table: its messages, and the prompts for writing one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "clients/cli/screen/key.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// A prompt, in place of the table's message.
struct Prompt {
  std::string text;               // the prompt and the input so far
  std::vector<std::string> keys;  // how to answer: at most two rows
};

/// "Ann: Hello!".
[[nodiscard]] std::string said_words(const play::v1::Said& said);
/// "An operator says: …".
[[nodiscard]] std::string announced_words(const std::string& text);

/// Keeps the last kLinesMax messages. One thread.
class TableTalk {
 public:
  enum class Asking : std::uint8_t {
    kNothing,
    kWords,   // a message
    kPhrase,  // one of nine
    kMute,    // whom to mute, or to stop muting
  };
  static constexpr std::size_t kLinesMax = 50;
  /// The server's limit for a message, in characters.
  static constexpr std::size_t kWordsMax = 200;

  void hear(const play::v1::Said& said) { add(said_words(said)); }
  void hear_operator(const std::string& text) { add(announced_words(text)); }
  /// Sets the seats that can be muted: all players but the one on seat `own`, and no bots.
  void take(const play::v1::Seating& seating, std::optional<std::uint32_t> own);
  [[nodiscard]] bool has_others() const { return !others_.empty(); }

  void ask(Asking what) { asking_ = what; }
  [[nodiscard]] Asking asking() const { return asking_; }
  /// Takes a key while a prompt is shown. Returns the frame to send when the input is complete.
  std::optional<play::v1::ClientFrame> press(Key key);
  /// The current prompt, if there is one.
  [[nodiscard]] std::optional<Prompt> prompt(std::size_t width) const;

  /// The frames that mute the same players again on a new stream.
  [[nodiscard]] std::vector<play::v1::ClientFrame> mutes() const;

  /// The last messages, "Ann: Hello!", in at most `rows_max` rows; the oldest first.
  [[nodiscard]] std::vector<std::string> rows(std::size_t width, std::size_t rows_max) const;

 private:
  void add(std::string line);

  struct Other {
    std::uint32_t seat;
    std::string player_id;
    std::string name;
  };

  std::optional<play::v1::ClientFrame> press_words(Key key);
  std::optional<play::v1::ClientFrame> press_phrase(Key key);
  std::optional<play::v1::ClientFrame> press_mute(Key key);

  std::deque<std::string> lines_;
  std::vector<Other> others_;
  std::set<std::string> muted_;  // by player_id
  Asking asking_ = Asking::kNothing;
  std::u32string typed_;
};

}  // namespace tesela::cli
