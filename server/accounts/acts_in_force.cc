#include "server/accounts/acts_in_force.h"

#include <algorithm>
#include <mutex>
#include <string_view>
#include <utility>

#include "server/codec/shown_text.h"

namespace tesela::accounts {
namespace {

using store::ActKind;

/// "An operator has suspended you until 2026-11-29 10:15 UTC: Insults."
std::unexpected<Error> refused_by(ErrorCode code, std::string_view what, const store::ActRow& act) {
  std::string sentence = "An operator has " + std::string(what);
  if (*act.until_ms < store::kForEver) sentence += " until " + base::minute_text(*act.until_ms);
  return refuse(code, codec::with_reason(std::move(sentence), act.reason));
}

}  // namespace

bool ActsInForce::set(const store::ActRow& act) {
  if (!act.until_ms) return false;
  const std::scoped_lock lock(mutex_);
  auto& acts = acts_[act.player];
  const auto known = std::ranges::find(acts, act.id, &store::ActRow::id);
  const bool was = known != acts.end();
  if (was && act.undone_by) acts.erase(known);
  if (!was && !act.undone_by) acts.push_back(act);
  if (acts.empty()) acts_.erase(act.player);
  return was == act.undone_by.has_value();
}

void ActsInForce::forget(PlayerId player) {
  const std::scoped_lock lock(mutex_);
  acts_.erase(player);
}

std::optional<store::ActRow> ActsInForce::find(PlayerId player, ActKind kind,
                                               std::int64_t now_ms) const {
  const std::shared_lock lock(mutex_);
  const auto acts = acts_.find(player);
  if (acts == acts_.end()) return std::nullopt;
  std::optional<store::ActRow> last;
  for (const store::ActRow& act : acts->second) {
    const auto since = [](const store::ActRow& row) {
      return std::pair{row.created_ms, row.id.value};
    };
    const bool holds = act.kind == kind && *act.until_ms > now_ms;
    if (holds && (!last || since(act) > since(*last))) last = act;
  }
  return last;
}

Expected<void> ActsInForce::may_stay(PlayerId player, std::int64_t now_ms) const {
  const auto ban = find(player, ActKind::kBan, now_ms);
  if (ban) return refused_by(ErrorCode::kBanned, "banned you", *ban);
  return {};
}

Expected<void> ActsInForce::may_play(PlayerId player, std::int64_t now_ms) const {
  if (auto stays = may_stay(player, now_ms); !stays) return stays;
  const auto suspension = find(player, ActKind::kSuspend, now_ms);
  if (suspension) return refused_by(ErrorCode::kSuspended, "suspended you", *suspension);
  return {};
}

Expected<void> ActsInForce::may_talk(PlayerId player, std::int64_t now_ms) const {
  const auto mute = find(player, ActKind::kMute, now_ms);
  if (mute) return refused_by(ErrorCode::kPermissionDenied, "muted you", *mute);
  return {};
}

Expected<void> ActsInForce::may_seek(PlayerId player, std::int64_t now_ms) const {
  if (auto plays = may_play(player, now_ms); !plays) return plays;
  const auto pause = find({}, ActKind::kPauseMatchmaking, now_ms);
  if (pause) return refused_by(ErrorCode::kPaused, "paused matchmaking", *pause);
  return {};
}

Expected<void> ActsInForce::may_sign_in(std::int64_t now_ms) const {
  const auto pause = find({}, ActKind::kPauseSignIns, now_ms);
  if (pause) return refused_by(ErrorCode::kPaused, "paused sign-ins", *pause);
  return {};
}

codec::Announcement ActsInForce::announcement(std::int64_t now_ms) const {
  const auto act = find({}, ActKind::kAnnounce, now_ms);
  if (!act) return {};
  return {.text = act->reason, .until_ms = *act->until_ms < store::kForEver ? *act->until_ms : 0};
}

std::optional<std::string> ActsInForce::name_of(PlayerId player) const {
  const auto rename = find(player, ActKind::kRename, 0);
  if (rename) return rename->after;
  return std::nullopt;
}

}  // namespace tesela::accounts
