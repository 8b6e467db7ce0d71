// Who plays in a simulation.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "clients/cli/client/lobby_client.h"
#include "clients/cli/client/task.h"
#include "tests/sim/players/seat.h"

namespace tesela::sim {

/// One person after another at one table after another, until `stop`.
class Person {
 public:
  virtual ~Person() = default;
  Person(const Person&) = delete;
  Person& operator=(const Person&) = delete;

  virtual cli::Task<void> play() = 0;
  virtual void stop() { stops_ = true; }
  /// How many moves, or answers, were acknowledged until now.
  [[nodiscard]] virtual std::uint64_t progress() const = 0;
  /// How long may be thought at a table of its until it has moved.
  [[nodiscard]] virtual std::chrono::milliseconds thinks() const { return {}; }
  /// Where it stands, for people.
  [[nodiscard]] virtual std::string standing() const = 0;
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& player_id() const { return player_id_; }

 protected:
  Person(cli::Executor executor, cli::ServerAddress server, std::string name)
      : executor_(executor), server_(std::move(server)), name_(std::move(name)), lobby_(server_) {}

  /// Until it has worked, or `stop`.
  cli::Task<bool> sign_in();
  /// Adds to the dice of a table that awaits it of the player who has signed in at `lobby`. False
  /// when it does not any more.
  cli::Task<bool> contribute(cli::LobbyClient& lobby, std::string table, std::string player);
  cli::Task<void> pause(std::chrono::milliseconds time);
  /// Whether the same call may be answered otherwise in a moment.
  [[nodiscard]] static bool passes(ErrorCode code) {
    return code == ErrorCode::kUnavailable || code == ErrorCode::kInternal ||
           code == ErrorCode::kStale;
  }

  cli::Executor executor_;
  const cli::ServerAddress server_;
  const std::string name_;
  cli::LobbyClient lobby_;
  std::string token_;
  std::string player_id_;
  std::string trouble_;
  bool stops_{};
  bool ended_{};
};

/// Plays games of its own, or at a table of Azul with bots or other people.
class Gambler final : public Person {
 public:
  struct Plan {
    std::string game;
    std::uint32_t people{1};  // of Azul
    std::uint32_t bots{};
    std::uint32_t move_ms{};  // of its clock; 0: none
    Habits habits{};
  };

  Gambler(cli::Executor executor, cli::ServerAddress server, std::string name, Plan plan)
      : Person(executor, std::move(server), std::move(name)), plan_(std::move(plan)) {}

  cli::Task<void> play() override;
  void stop() override;
  [[nodiscard]] std::uint64_t progress() const override;
  [[nodiscard]] std::chrono::milliseconds thinks() const override;
  [[nodiscard]] std::string standing() const override;

 private:
  struct Account {
    std::string token;
    std::string player_id;
  };

  cli::Task<std::string> new_table();
  cli::Task<bool> fill(const std::string& table);
  cli::Task<bool> add_to_dice(const std::string& table);
  /// The table of the same game once more. Empty: there is none.
  cli::Task<std::string> rematch(const std::string& over);
  cli::Task<void> play_at(const std::string& table);
  cli::Task<void> sit(SeatedPlayer& player);

  const Plan plan_;
  std::vector<std::unique_ptr<SeatedPlayer>> players_;  // at the present table
  std::vector<Account> accounts_;                       // its own, and of the others
  std::uint64_t before_{};                              // moves at earlier tables
  std::size_t playing_{};
  bool withholds_{};  // the present table waits in vain for the dice of one of its players
};

/// Looks for an opponent, plays with them, and looks again.
class Seeker final : public Person {
 public:
  struct Plan {
    Habits habits{};
    bool ranked{};        // and soon with bots
    std::string party{};  // of two; empty: alone
  };

  Seeker(cli::Executor executor, cli::ServerAddress server, std::string name, Plan plan)
      : Person(executor, std::move(server), std::move(name)), plan_(std::move(plan)) {}

  cli::Task<void> play() override;
  void stop() override;
  [[nodiscard]] std::uint64_t progress() const override;
  [[nodiscard]] std::chrono::milliseconds thinks() const override {
    return 2 * Habits{.rest = kSlowRest}.rest_max();
  }
  [[nodiscard]] std::string standing() const override;
  [[nodiscard]] bool searches() const { return searches_; }
  /// Whom it can be matched with. Of those without bots one of an odd number waits for ever, or
  /// until the rest of its party has played.
  [[nodiscard]] std::string queue() const { return plan_.ranked ? "ranked" : plan_.party; }
  [[nodiscard]] std::size_t may_wait() const { return plan_.ranked ? 0 : 1; }
  [[nodiscard]] const std::string& party() const { return plan_.party; }

 private:
  cli::Task<std::string> find();

  const Plan plan_;
  std::unique_ptr<SeatedPlayer> player_;
  std::uint64_t before_{};
  std::uint64_t found_{};
  bool searches_{};
};

/// Looks at tables in play at any server, for a moment each.
class Witness final : public Person {
 public:
  /// `waits`: long before it says Hello.
  Witness(cli::Executor executor, cli::ServerAddress server, std::string name, bool waits)
      : Person(executor, std::move(server), std::move(name)), waits_(waits) {}

  cli::Task<void> play() override;
  [[nodiscard]] std::uint64_t progress() const override { return visits_; }
  [[nodiscard]] std::string standing() const override { return "looks around"; }

 private:
  const bool waits_;
  std::uint64_t visits_{};
};

/// Watches the tables of the lobby, again whenever the stream ends.
class LobbyWatcher final : public Person {
 public:
  LobbyWatcher(cli::Executor executor, cli::ServerAddress server, std::string name)
      : Person(executor, std::move(server), std::move(name)) {}

  cli::Task<void> play() override;
  [[nodiscard]] std::uint64_t progress() const override { return news_; }
  /// Without news the server says so, after that time.
  [[nodiscard]] std::chrono::milliseconds thinks() const override {
    return std::chrono::seconds{20};
  }
  [[nodiscard]] std::string standing() const override { return "watches: " + trouble_; }
  /// What the present stream has told last of each table: state and players.
  [[nodiscard]] const std::map<std::string, std::string>& told() const { return told_; }
  [[nodiscard]] static std::string in_words(const lobby::v1::Table& table);

 private:
  std::map<std::string, std::string> told_;
  std::uint64_t news_{};
};

}  // namespace tesela::sim
