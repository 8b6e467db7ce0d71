// The names of the messages that moves are.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace tesela::codec {

/// The full name of the message in the body of a move, such as "tesela.game.v1.Game2048Move". The
/// names of this server's games take no memory of their own: every move has one.
class MoveType {
 public:
  MoveType() = default;
  // A name is meant wherever a text is given.
  template <std::convertible_to<std::string_view> Text>
  MoveType(const Text& name) : MoveType(named(name)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::string_view name() const { return other_.empty() ? known_ : other_; }
  /// Whether it is the move of a game of this server.
  [[nodiscard]] bool known() const { return !known_.empty(); }
  [[nodiscard]] bool empty() const { return name().empty(); }

  friend bool operator==(const MoveType& type, std::string_view name) {
    return type.name() == name;
  }

 private:
  static MoveType named(std::string_view name);

  std::string_view known_;
  std::string other_;  // a name that no game has
};

}  // namespace tesela::codec
