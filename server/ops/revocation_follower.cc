#include "server/ops/revocation_follower.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <ranges>
#include <utility>

#include "server/base/clock.h"
#include "server/base/ownership_limits.h"
#include "server/base/scale_limits.h"
#include "server/base/text_encoding.h"

namespace tesela::ops {

using boost::asio::awaitable;
using store::ErasedPlayer;

RevocationFollower::RevocationFollower(Parts parts)
    : Worker(parts.loop, "search for revoked tokens"),
      parts_(parts),
      tables_(parts.directory),
      effects_({.directory = parts.directory,
                .tokens = parts.tokens,
                .remote_bots = parts.remote_bots}) {}

awaitable<Expected<void>> RevocationFollower::begin() {
  const auto erased = co_await parts_.backend.personal_data().erased(limits::kErasedPlayersMax);
  if (!erased) co_return std::unexpected(erased.error());
  for (const ErasedPlayer& each : *erased) {
    parts_.tokens.revoke(each.player);
    forgotten_.insert(each.player);
  }
  const auto acts =
      co_await parts_.backend.moderation().acts_in_force(base::unix_ms(), limits::kActsInForceMax);
  if (!acts) co_return std::unexpected(acts.error());
  for (const store::ActRow& act : *acts) parts_.tokens.acts().set(act);
  const auto last = co_await parts_.backend.moderation().acts_since(0, 1);
  if (!last) co_return std::unexpected(last.error());
  if (!last->empty()) last_act_ms_ = last->front().created_ms;
  const auto oldest = std::chrono::milliseconds{parts_.tokens.time_to_live()};
  co_return co_await end_sessions(base::unix_ms() - oldest.count(), limits::kEndedSessionsMax);
}

awaitable<void> RevocationFollower::run() {
  while (parts_.several && !stopping()) {
    co_await pause(limits::kRevocationInterval);
    if (!stopping()) co_await look();
  }
}

/// The newest first. As long as none of a page is known, there may be more.
awaitable<Expected<std::vector<ErasedPlayer>>> RevocationFollower::erased_since() {
  const auto is_known = [this](const ErasedPlayer& each) {
    return forgotten_.contains(each.player);
  };
  auto erased = co_await parts_.backend.personal_data().erased(limits::kErasuresAtOnce);
  if (erased && erased->size() == limits::kErasuresAtOnce && !is_known(erased->back())) {
    erased = co_await parts_.backend.personal_data().erased(limits::kErasedPlayersMax);
  }
  if (erased) std::erase_if(*erased, is_known);
  co_return erased;
}

awaitable<void> RevocationFollower::look() {
  co_await look_for_players();
  co_await look_for_acts();  // before sessions: who is banned is told so
  co_await look_for_sessions();
}

/// Ends here the sessions that have ended since then.
awaitable<Expected<void>> RevocationFollower::end_sessions(std::int64_t since_ms, std::size_t max) {
  const auto ended = co_await parts_.backend.accounts().ended_sessions(since_ms, max);
  if (!ended) co_return std::unexpected(ended.error());
  // The oldest first: it is the first to be forgotten.
  for (const store::EndedSession& session : std::views::reverse(*ended)) {
    parts_.tokens.sessions().end(session.id);
    last_end_ms_ = std::max(last_end_ms_, session.ended_ms);
  }
  found_ = ended->size();
  co_return Expected<void>{};
}

/// As of sessions, each look finds the last ones again.
awaitable<void> RevocationFollower::look_for_acts() {
  const std::int64_t since_ms = last_act_ms_ - limits::kEndingCommitTimeMax.count();
  auto acts =
      co_await parts_.backend.moderation().acts_since(since_ms, limits::kEndedSessionsAtOnce);
  if (acts && acts->size() == limits::kEndedSessionsAtOnce) {
    acts = co_await parts_.backend.moderation().acts_since(since_ms, limits::kActsInForceMax);
  }
  if (!acts) co_return;
  for (const store::ActRow& act : std::views::reverse(*acts)) {
    last_act_ms_ = std::max(last_act_ms_, act.created_ms);
    const auto done = co_await effects_.carry_out(act);
    if (!done)
      spdlog::warn("player {} has the old name at some tables: {}", base::to_text(act.player),
                   done.error().message);
  }
}

/// An end may be committed later than others that began after it: each look finds the last ones
/// again. The store says itself when it cannot be read.
awaitable<void> RevocationFollower::look_for_sessions() {
  const std::int64_t since_ms = last_end_ms_ - limits::kEndingCommitTimeMax.count();
  const auto ended = co_await end_sessions(since_ms, limits::kEndedSessionsAtOnce);
  if (!ended || found_ < limits::kEndedSessionsAtOnce) co_return;
  static_cast<void>(co_await end_sessions(since_ms, limits::kEndedSessionsMax));
}

awaitable<void> RevocationFollower::look_for_players() {
  const auto erased = co_await erased_since();
  // The store says itself when it cannot be read.
  if (!erased) co_return;
  // The oldest first: of two guests of an account the first has its seat.
  for (const ErasedPlayer& each : std::views::reverse(*erased)) {
    const PlayerId player = each.player;
    parts_.tokens.revoke(player);
    parts_.tokens.acts().forget(player);
    auto forgotten = each.merged_into ? tables_.merge(player, *each.merged_into, each.name)
                                      : tables_.forget(player);
    const auto tables = co_await std::move(forgotten);
    if (!tables) {
      spdlog::warn("player {} is not forgotten everywhere yet: {}", base::to_text(player),
                   tables.error().message);
      continue;
    }
    forgotten_.insert(player);
    if (!tables->empty()) {
      spdlog::info("player {} was {}", base::to_text(player),
                   each.merged_into ? "merged" : "erased");
    }
  }
}

}  // namespace tesela::ops
