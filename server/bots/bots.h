// Bots as players: every strategy has one account, on every server the same.
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

/// The player that a strategy is (store::bot_account).
[[nodiscard]] PlayerId account_of(std::string_view game, std::string_view strategy);

/// A strategy of a game. A remote bot is found by its name alone, offered or not: what is
/// given then looks at `game` and `name`. Errors: kInvalidArgument, naming those of the engine.
[[nodiscard]] Expected<Listed> find_strategy(std::string_view game, std::string_view name);

/// The strongest strategy of a game.
[[nodiscard]] Listed strongest_strategy(std::string_view game);

/// Those that somebody may want to play against, game after game: not what plays at random, where a
/// game has more.
[[nodiscard]] std::vector<Listed> strategies_on_levels();

/// The strategies of a game on a level; level 0 is the lowest. Errors: kInvalidArgument, naming the
/// levels there are.
[[nodiscard]] Expected<std::vector<Listed>> strategies_of_level(std::string_view game,
                                                                std::uint32_t level);

/// What moves for a player whose time is over or who has left, where nothing else is said: `safe`
/// if the game has it, else `random`.
[[nodiscard]] std::string usual_autoplay(std::string_view game);

/// The same at a table of such options, which may name another. At a ranked table it is the weakest
/// strategy of the game.
[[nodiscard]] std::string autoplay_of(std::string_view game, const codec::TableOptions& options);
[[nodiscard]] std::string autoplay_of(const store::TableRow& table);

/// A seat that a strategy plays for itself.
[[nodiscard]] store::SeatRow bot_seat(const Listed& strategy, Seat seat);

/// Whether a bot took the seat, and not a player whom one stands in for.
[[nodiscard]] bool is_bot(std::string_view game, const store::SeatRow& seat);

/// Makes the account of one strategy, unless the store has it. Errors: kInvalidArgument when
/// somebody else has its id, and those of Store::add_player.
[[nodiscard]] boost::asio::awaitable<Expected<void>> add_bot_account(store::Store& store,
                                                                     std::string game,
                                                                     std::string strategy);

/// Makes the accounts of all that the engine has. Errors: those of Store::add_player.
[[nodiscard]] boost::asio::awaitable<Expected<void>> add_bot_accounts(store::Store& store);

/// The name as a strategy of the bot that is offered as `name`: "ext/" and the name, which no
/// strategy of the engine begins with. Error: kInvalidArgument for what is not 1 to
/// limits::kRemoteNameMax of the letters a to z, digits and hyphens.
[[nodiscard]] Expected<std::string> remote_strategy(std::string_view name);

/// Whether a strategy's name is one of those, whether or not the bot is offered.
[[nodiscard]] bool is_remote(std::string_view strategy);

}  // namespace tesela::bots
