#include "server/store/postgres/bot_offers.h"

#include <cstdint>
#include <utility>

#include "server/base/limits.h"
#include "server/store/postgres/connection/binary.h"
#include "server/store/refusals.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

// "TESELB" in ASCII. Offers take turns: each one counts those before it.
constexpr const char* kTakeTurn = "SELECT pg_advisory_xact_lock(92656726527042)";
constexpr const char* kForgetTheDead =
    "DELETE FROM remote_bots b"
    " WHERE NOT EXISTS (SELECT 1 FROM lives WHERE id = b.life AND state = 'alive')";
constexpr const char* kOffer =
    "INSERT INTO remote_bots (game, strategy, offer_id, owner_id, description, life)"
    " SELECT $1::text, $2::text, $3::bigint, $4::bigint, $5::text, $6::bigint"
    " WHERE EXISTS (SELECT 1 FROM lives WHERE id = $6 AND state = 'alive')"
    " AND (SELECT count(*) FROM remote_bots WHERE (game, strategy) <> ($1, $2)) < $7"
    " AND (SELECT count(*) FROM remote_bots"
    "  WHERE (game, strategy) <> ($1, $2) AND owner_id = $4) < $8"
    " ON CONFLICT (game, strategy) DO UPDATE SET offer_id = excluded.offer_id,"
    "  owner_id = excluded.owner_id, description = excluded.description, since = excluded.since"
    "  WHERE remote_bots.life = excluded.life";
constexpr const char* kWhyNot =
    "SELECT EXISTS (SELECT 1 FROM lives WHERE id = $1 AND state = 'alive'),"
    " EXISTS (SELECT 1 FROM remote_bots WHERE game = $2 AND strategy = $3 AND life <> $1),"
    " (SELECT count(*) FROM remote_bots WHERE (game, strategy) <> ($2, $3)) >= $4";
constexpr const char* kWithdraw = "DELETE FROM remote_bots WHERE offer_id = ANY($1)";
constexpr const char* kOffered =
    "SELECT b.offer_id, b.game, b.strategy, b.description, b.owner_id, b.life, l.address"
    " FROM remote_bots b JOIN lives l ON l.id = b.life AND l.state = 'alive'"
    " ORDER BY b.game, b.strategy";

constexpr auto kMost = static_cast<std::int64_t>(limits::kRemoteBotsMax);
constexpr auto kMostOfPlayer = static_cast<std::int64_t>(limits::kRemoteBotsPerPlayerMax);

awaitable<Expected<void>> store_offer(Attempt& attempt, const OfferedBot& bot) {
  Batch batch;
  batch.add(kTakeTurn);
  batch.add(kForgetTheDead);
  batch.add(kOffer)
      .bytes(bot.game)
      .bytes(bot.strategy)
      .id(bot.id)
      .id(bot.owner)
      .bytes(bot.description)
      .id(bot.life)
      .number(kMost)
      .number(kMostOfPlayer);
  batch.add(kWhyNot).id(bot.life).bytes(bot.game).bytes(bot.strategy).number(kMost);
  const auto results = co_await attempt.run(std::move(batch));
  if (results[2].changed() == 1) co_return Expected<void>{};
  const Rows& why = results[3];
  if (!why[0].flag(0)) co_return declared_dead();
  if (why[0].flag(1)) co_return already_offered(bot.game, bot.strategy);
  if (why[0].flag(2)) co_return too_many_bots();
  co_return too_many_bots_of_player();
}

awaitable<Expected<void>> remove_offers(Attempt& attempt, const std::vector<OfferId>& offers) {
  static_cast<void>(co_await attempt.run(Query(kWithdraw).ids(offers)));
  co_return Expected<void>{};
}

OfferedBot bot_of(Row row) {
  return {.id = row.id<OfferId>(0),
          .game = row.text(1),
          .strategy = row.text(2),
          .description = row.text(3),
          .owner = row.id<PlayerId>(4),
          .life = row.id<LifeId>(5),
          .address = row.text(6)};
}

awaitable<Expected<std::vector<OfferedBot>>> read_offers(Attempt& attempt) {
  const auto rows = co_await attempt.run(Query(kOffered));
  co_return rows.map(bot_of);
}

}  // namespace

awaitable<Expected<void>> BotOffers::offer(OfferedBot bot) {
  return writes_.run<store_offer>(std::move(bot));
}

awaitable<Expected<void>> BotOffers::withdraw(std::vector<OfferId> offers) {
  return writes_.run<remove_offers>(std::move(offers));
}

awaitable<Expected<std::vector<OfferedBot>>> BotOffers::offered() {
  return reads_.run<read_offers>();
}

}  // namespace tesela::store::postgres
