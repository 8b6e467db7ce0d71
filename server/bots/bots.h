// Strategies as players: their names, levels and accounts. Pure functions but for the last two.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "engine/strategy/registry.h"
#include "server/codec/table_options.h"
#include "server/games/games.h"
#include "server/store/store.h"

namespace tesela::bots {

/// The account of a strategy (store::bot_account): the same on every server.
[[nodiscard]] PlayerId account_of(std::string_view game, std::string_view strategy);

/// Finds a strategy of a game. For the name of a remote bot, offered or not, the result refers to
/// the arguments, which must outlive it. Error: kInvalidArgument, with the strategies of the
/// engine.
[[nodiscard]] Expected<Listed> find_strategy(std::string_view game, std::string_view name);

/// The strongest strategy of a game.
[[nodiscard]] Listed strongest_strategy(std::string_view game);

/// The strategies that are offered as opponents, game after game: without level 0 (random play)
/// where a game has other levels.
[[nodiscard]] std::vector<Listed> strategies_on_levels();

/// The strategies of a game on a level; 0 means the lowest. Error: kInvalidArgument, with the
/// levels of the game.
[[nodiscard]] Expected<std::vector<Listed>> strategies_of_level(std::string_view game,
                                                                std::uint32_t level);

/// The default strategy for absent players: `safe` if the game has it, otherwise `random`.
[[nodiscard]] std::string usual_autoplay(std::string_view game);

/// The strategy for absent players at a table with these options: the one that they name, or the
/// default. At a ranked table it is the weakest of the game.
[[nodiscard]] std::string autoplay_of(std::string_view game, const codec::TableOptions& options);
[[nodiscard]] std::string autoplay_of(const store::TableRow& table);

/// The seat of a bot.
[[nodiscard]] store::SeatRow bot_seat(const Listed& strategy, Seat seat);

/// Whether the seat is a bot's, and not that of a player for whom a strategy plays.
[[nodiscard]] bool is_bot(std::string_view game, const store::SeatRow& seat);

/// Stores the account of one strategy, unless it is there. Errors: kInvalidArgument when another
/// account has its id, and those of Store::add_player.
[[nodiscard]] boost::asio::awaitable<Expected<void>> add_bot_account(store::Store& store,
                                                                     std::string game,
                                                                     std::string strategy);

/// Stores the accounts of all strategies of the engine. Errors: those of Store::add_player.
[[nodiscard]] boost::asio::awaitable<Expected<void>> add_bot_accounts(store::Store& store);

/// The strategy's name of the remote bot `name`: "ext/" and the name. No strategy of the engine
/// begins with "ext/". Error: kInvalidArgument unless `name` has 1 to limits::kRemoteNameMax
/// characters, each a to z, a digit or a hyphen.
[[nodiscard]] Expected<std::string> remote_strategy(std::string_view name);

/// Whether `strategy` is the name of a remote bot, offered or not.
[[nodiscard]] bool is_remote(std::string_view strategy);

}  // namespace tesela::bots
