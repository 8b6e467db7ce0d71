#include "server/store/postgres/write/personal_writes.h"

#include <utility>

#include "server/store/personal_data.h"
#include "server/store/postgres/connection/pipeline.h"
#include "server/store/refusals.h"
#include "server/store/store.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

// Waits for the transactions that insert a seat of the player, which lock the row for its key.
constexpr const char* kLockPlayer = "SELECT kind FROM players WHERE id = $1 FOR UPDATE";
constexpr const char* kErasePlayer =
    "UPDATE players SET display_name = $2, identity = '', erased_ms = coalesce(erased_ms, $3)"
    " WHERE id = $1";
constexpr const char* kEraseNames =
    "UPDATE seats SET display_name = $2 WHERE player_id = $1 AND display_name <> $2";
// What was withheld is not part of the dice of a game that has not begun; later games need the
// state, which tells that something is missing.
constexpr const char* kEraseContributions =
    "UPDATE seats SET contribution = '', contribution_state = CASE WHEN state = 3 AND"
    " contribution_state IN (2, 3) THEN 4 ELSE contribution_state END"
    " WHERE table_id = ANY($2) AND player_id = $1";

}  // namespace

awaitable<Expected<void>> erase(Attempt& attempt, PlayerId player, std::int64_t at_ms,
                                const std::vector<TableId>& tables) {
  Pipeline look;
  look.add(kBegin);
  look.add(kLockPlayer).id(player);
  const auto found = co_await attempt.run(std::move(look));
  const bool is_there = found[1].rows() > 0;
  const bool is_bot =
      is_there && found[1].number(0, 0) == static_cast<std::int64_t>(PlayerKind::kBot);
  if (!is_there || is_bot) {
    co_await attempt.roll_back();
    if (!is_there) co_return no_such_player();
    co_return refuse(ErrorCode::kInvalidArgument,
                     "This is the account of a bot, and nobody's name.");
  }
  Pipeline pipeline;
  pipeline.add(kErasePlayer).id(player).bytes(kErasedName).number(at_ms);
  pipeline.add(kEraseNames).id(player).bytes(kErasedName);
  if (!tables.empty()) pipeline.add(kEraseContributions).id(player).numbers(numbers_of(tables));
  pipeline.add(kCommit);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
  co_return Expected<void>{};
}

}  // namespace tesela::store::postgres
