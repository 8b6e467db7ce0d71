#include "server/store/sqlite/database/schema.h"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "server/store/bot_account.h"
#include "server/store/store.h"

namespace tesela::store {
namespace {

/// The games of schema 3.
constexpr std::array<std::string_view, 4> kGames{"2048", "2248", "samegame", "azul"};

/// The id of a bot until schema 3: FNV-1a of 64 bits, shifted right by one.
PlayerId earlier_id(std::string_view game, std::string_view strategy) {
  std::uint64_t hash = 14695981039346656037U;
  const auto add = [&hash](char c) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211U;
  };
  for (const std::string_view part : {std::string_view("bot"), game, strategy}) {
    for (const char c : part) add(c);
    add('\0');
  }
  return PlayerId{hash >> 1U};
}

struct Bot {
  std::string game;
  std::string strategy;

  [[nodiscard]] PlayerId earlier() const { return earlier_id(game, strategy); }
  friend auto operator<=>(const Bot&, const Bot&) = default;
};

/// The bots that have an account.
std::set<Bot> bots_among_players(Connection& connection) {
  std::set<Bot> bots;
  Statement(connection, "SELECT id, display_name FROM players").each_row([&](const Statement& row) {
    for (const std::string_view game : kGames) {
      Bot bot{.game = std::string(game), .strategy = row.text(1)};
      if (bot.earlier() == row.id<PlayerId>(0)) bots.insert(std::move(bot));
    }
  });
  return bots;
}

/// The bots with seats.
std::set<Bot> bots_at_tables(Connection& connection) {
  std::set<Bot> bots;
  Statement(connection,
            "SELECT DISTINCT game, strategy, player_id FROM old_seats JOIN tables ON id = table_id"
            " WHERE strategy <> ''")
      .each_row([&](const Statement& row) {
        Bot bot{.game = row.text(0), .strategy = row.text(1)};
        if (bot.earlier() == row.id<PlayerId>(2)) bots.insert(std::move(bot));
      });
  return bots;
}

/// Moves the seats of a bot; only this statement distinguishes them from those of a person.
class Seats {
 public:
  explicit Seats(Connection& connection)
      : move_(connection,
              "UPDATE old_seats SET player_id = ?4 WHERE player_id = ?1 AND strategy = ?2"
              " AND (SELECT game FROM tables WHERE id = table_id) = ?3") {}
  void move(const Bot& bot, PlayerId to) {
    move_.bind(1, bot.earlier())
        .bind_text(2, bot.strategy)
        .bind_text(3, bot.game)
        .bind(4, to)
        .run();
  }

 private:
  Statement move_;
};

}  // namespace

void move_bots_to_their_accounts(Connection& connection) {
  const auto with_account = bots_among_players(connection);
  Statement mark(connection, "UPDATE players SET id = ?2, kind = 3, identity = ?3 WHERE id = ?1");
  Statement rate(connection,
                 "UPDATE ratings SET player_id = ?2 WHERE player_id = ?1 AND game = ?3");
  Statement add(connection,
                "INSERT INTO players (id, display_name, created_ms, kind, identity)"
                " VALUES (?1, ?2, 0, 3, ?3)");
  auto at_tables = bots_at_tables(connection);
  Seats seats(connection);
  for (const Bot& bot : with_account) {
    const HashedAccount account = bot_account(bot.game, bot.strategy);
    mark.bind(1, bot.earlier()).bind(2, account.id).bind_blob(3, account.identity).run();
    rate.bind(1, bot.earlier()).bind(2, account.id).bind_text(3, bot.game).run();
  }
  for (const Bot& bot : at_tables) {
    const HashedAccount account = bot_account(bot.game, bot.strategy);
    if (!with_account.contains(bot)) {
      add.bind(1, account.id).bind_text(2, bot.strategy).bind_blob(3, account.identity).run();
    }
    seats.move(bot, account.id);
  }
}

}  // namespace tesela::store
