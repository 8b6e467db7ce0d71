#include "server/store/sql/merging/merged_ratings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "server/store/rating.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

constexpr Text kRatingsOfBoth{
    "SELECT game, player_id, mu, sigma FROM ratings WHERE player_id = ANY($1) FOR UPDATE"};

// In all of them $1 is the game.

/// Of the player $2, whose rating goes. Meetings of both sides are there, but for those of days
/// that are over.
constexpr std::array kDrop{
    Text{"DELETE FROM meetings WHERE game = $1 AND opponent_id = $2 AND player_id IN"
         " (SELECT opponent_id FROM meetings WHERE game = $1 AND player_id = $2)"},
    Text{"DELETE FROM meetings WHERE game = $1 AND player_id = $2"},
    Text{"DELETE FROM rating_days WHERE game = $1 AND player_id = $2"},
    Text{"DELETE FROM ratings WHERE game = $1 AND player_id = $2"},
};
/// From the guest $2 to the account $3, which has none.
constexpr std::array kMove{
    Text{"INSERT INTO ratings (game, player_id, mu, sigma, games, points, at_ms, opponents)"
         " SELECT game, $3::bigint, mu, sigma, games, points, at_ms, opponents FROM ratings"
         " WHERE game = $1 AND player_id = $2"},
    Text{"DELETE FROM ratings WHERE game = $1 AND player_id = $2 AND $2 <> $3"},
    Text{"UPDATE rating_days SET player_id = $3 WHERE game = $1 AND player_id = $2"},
    Text{"DELETE FROM meetings WHERE game = $1 AND opponent_id = $3 AND player_id IN"
         " (SELECT opponent_id FROM meetings WHERE game = $1 AND player_id = $2)"},
    Text{"UPDATE meetings SET opponent_id = $3 WHERE game = $1 AND opponent_id = $2"
         " AND player_id <> $3 AND player_id IN"
         " (SELECT opponent_id FROM meetings WHERE game = $1 AND player_id = $2)"},
    Text{"DELETE FROM meetings WHERE game = $1 AND player_id = $2 AND opponent_id = $3"},
    Text{"UPDATE meetings SET player_id = $3 WHERE game = $1 AND player_id = $2"},
};

/// The shown ratings in a game.
struct TwoRatings {
  std::optional<std::int32_t> guest{};
  std::optional<std::int32_t> account{};
};

std::map<std::string, TwoRatings> ratings_of(const Rows& rows, PlayerId guest) {
  std::map<std::string, TwoRatings> ratings;
  for (const Row row : rows) {
    TwoRatings& both = ratings[row.text(0)];
    auto& points = row.id<PlayerId>(1) == guest ? both.guest : both.account;
    points = shown({.mu = row.real(2), .sigma = row.real(3)});
  }
  return ratings;
}

}  // namespace

awaitable<std::vector<MergedRating>> merge_ratings(WriteSession& session, const Merge& wanted) {
  Batch look;
  look.add(kRatingsOfBoth).ids(std::vector{wanted.guest, wanted.account});
  const auto found = co_await session.run(std::move(look));
  std::vector<MergedRating> merged;
  Batch batch;
  for (const auto& [game, both] : ratings_of(found[0], wanted.guest)) {
    if (!both.guest) continue;
    const bool moves = !both.account || *both.guest > *both.account;
    merged.push_back(
        {.game = game, .of_guest = moves, .guest = *both.guest, .account = both.account});
    for (const Text& drop : kDrop) {
      batch.add(drop).text(game).id(moves ? wanted.account : wanted.guest);
    }
    if (!moves) continue;
    for (const Text& move : kMove) {
      batch.add(move).text(game).id(wanted.guest).id(wanted.account);
    }
  }
  if (batch.size() > 0) static_cast<void>(co_await session.run(std::move(batch)));
  co_return merged;
}

}  // namespace tesela::store::sql
