#include "server/lobby/players.h"

#include <utility>

#include "server/lobby/shown_name.h"
#include "server/ops/clock.h"
#include "server/ops/random.h"

namespace tesela::lobby {

boost::asio::awaitable<Expected<SignedIn>> Players::sign_in(std::string name) {
  auto shown = shown_name(name);
  if (!shown) co_return std::unexpected(std::move(shown.error()));
  Identity identity{ops::random_player_id(), std::move(*shown)};
  store::PlayerRow row{identity.player, identity.display_name, ops::unix_ms()};
  auto stored = co_await store_.add_player(std::move(row));
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  Tokens::Issued proof = tokens_.issue(identity);
  co_return SignedIn{std::move(identity), std::move(proof)};
}

}  // namespace tesela::lobby
