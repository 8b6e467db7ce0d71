// A player at this terminal, from one table to the next.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "clients/cli/client/dice_notes.h"
#include "clients/cli/client/lobby_client.h"
#include "clients/cli/client/player_file.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "clients/cli/play/play_session.h"
#include "clients/cli/play/terminal.h"
#include "engine/core/result.h"

namespace CLI {
class App;
}

namespace tesela::cli {

struct TerminalOptions {
  ServerAddress server;
  std::string name;
  bool still = false;
};

/// Adds --server, --name and --still, which fill `options`: it outlives the parsing.
void add_terminal_options(CLI::App& app, TerminalOptions& options);

/// A derived class says how tables are found. One thread.
class TerminalPlayer {
 public:
  explicit TerminalPlayer(TerminalOptions options);
  virtual ~TerminalPlayer() = default;
  TerminalPlayer(const TerminalPlayer&) = delete;
  TerminalPlayer& operator=(const TerminalPlayer&) = delete;

  /// Takes over the terminal, plays until the player quits, and gives the lines to print then.
  /// Errors: why the player has no table. Called once.
  Task<Expected<Printed>> play();

 protected:
  /// The table to play at; empty when the player quits. After kUnauthenticated the player signs in
  /// again, and it is called once more.
  virtual Task<Expected<std::optional<lobby::v1::Table>>> sit_down() = 0;
  /// Called before sit_down() when the player wants another table than that of `session`.
  virtual void move_on(const PlaySession& session) = 0;

  [[nodiscard]] LobbyClient& lobby() { return lobby_; }
  // From `play` on:
  [[nodiscard]] Terminal& terminal() { return *terminal_; }
  [[nodiscard]] const lobby::v1::SignInResponse& identity() const { return identity_; }
  [[nodiscard]] const ServerAddress& server() const { return options_.server; }

 private:
  Task<Expected<void>> sign_in(bool anew);
  Task<Expected<void>> renew(lobby::v1::SignInResponse& known, std::string secret);
  using NextTable = Expected<std::optional<lobby::v1::Table>>;

  Task<NextTable> next_table();
  Task<NextTable> table_after(PlaySession::Command command, const PlaySession& session);
  Task<Expected<lobby::v1::Table>> ask_for(PlaySession::Command command,
                                           const PlaySession& session);
  Task<void> add_to_dice(lobby::v1::Table table);
  [[nodiscard]] PlaySession::Options session_at(const lobby::v1::Table& table) const;

  TerminalOptions options_;
  PlayerFile file_;
  DiceNotes notes_;
  LobbyClient lobby_;
  lobby::v1::SignInResponse identity_;
  std::string news_;  // why the last command failed
  std::optional<Terminal> terminal_;
};

/// Runs `player` to its end, and prints its last lines, or fails.
void play_on_terminal(std::unique_ptr<TerminalPlayer> player);

}  // namespace tesela::cli
