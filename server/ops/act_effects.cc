#include "server/ops/act_effects.h"

#include <utility>

#include "server/bots/bots.h"
#include "server/codec/said_frame.h"

namespace tesela::ops {

using boost::asio::awaitable;
using store::ActKind;

awaitable<Expected<void>> ActEffects::carry_out(store::ActRow act) {
  if (!parts_.tokens.acts().set(act)) co_return Expected<void>{};
  if (store::on_servers(act.kind)) {
    if (act.kind == ActKind::kAnnounce) {
      co_await tables_.announce(
          [this] { return codec::announcement_frame(parts_.tokens.acts().announcement()); });
    }
    co_return Expected<void>{};
  }
  if (act.kind == ActKind::kRename) {
    std::string name = act.undone_by ? act.before : act.after;
    const auto renamed = co_await tables_.rename(act.player, std::move(name));
    if (!renamed) co_return std::unexpected(renamed.error());
  }
  if (const auto stays = parts_.tokens.acts().may_stay(act.player); !stays) {
    co_await tables_.send_away(act.player, stays.error());
  }
  send_bots_away(act.player);
  co_return Expected<void>{};
}

/// Those that the player offers; the player may be a bot itself.
void ActEffects::send_bots_away(PlayerId player) {
  const auto may = parts_.tokens.acts().may_play(player);
  if (may) return;
  for (const auto& [offer, bot] : parts_.remote_bots.here()) {
    if (offer.owner == player || bots::account_of(offer.game, offer.strategy) == player) {
      bot->send_away(may.error());
    }
  }
}

}  // namespace tesela::ops
