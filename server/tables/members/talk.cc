#include "server/tables/members/talk.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/base/scale_limits.h"
#include "server/codec/said_frame.h"

namespace tesela::tables {

using codec::Reason;

namespace {

Reason talk_reason_of(ErrorCode code) {
  if (code == ErrorCode::kResourceExhausted) return Reason::kRateLimited;
  if (code == ErrorCode::kPermissionDenied) return Reason::kNoTalk;
  return codec::reason_of(code);
}

bool contains(const std::vector<PlayerId>& players, PlayerId player) {
  return std::ranges::find(players, player) != players.end();
}

}  // namespace

Expected<void> Talk::may_say(const Member& member, const codec::Say& what) const {
  const codec::Talk allowed = position_.options.talk;
  if (!member.seat) return refuse(ErrorCode::kNotSeated, "You are watching: only players talk.");
  if (allowed == codec::Talk::kOff) {
    return refuse(ErrorCode::kPermissionDenied, "Chat is off at this table.");
  }
  if (allowed == codec::Talk::kPhrases && std::holds_alternative<std::string>(what)) {
    return refuse(ErrorCode::kPermissionDenied, "At this table only phrases can be said.");
  }
  if (!member.quota->take_say()) {
    return refuse(ErrorCode::kResourceExhausted, "You talk too fast; wait a moment.");
  }
  return {};
}

void Talk::say(MemberId id, const codec::Say& what) {
  const Member* speaker = members_.find(id);
  if (speaker == nullptr || host_.ended()) return;
  if (const auto allowed = may_say(*speaker, what); !allowed) {
    const Reason reason = talk_reason_of(allowed.error().code);
    members_.refuse(id, "", {reason, allowed.error().message});
    return;
  }
  const codec::Seating now = seating_.now();
  const auto occupant =
      std::ranges::find(now.seats, *speaker->seat, &codec::Seating::Occupant::seat);
  const std::int64_t at_ms = base::unix_ms();
  const auto frame = codec::said_frame(*occupant, what, at_ms);
  const PlayerId player = *speaker->player;
  remember(player, what, at_ms);
  for (auto& member : members_) {
    const bool deaf = contains(member.muted, player) || contains(member.blocked, player);
    if (member.present && !deaf) members_.send(member, frame);
  }
}

void Talk::remember(PlayerId speaker, const codec::Say& what, std::int64_t at_ms) {
  if (last_.size() == limits::kTalkKept) last_.erase(last_.begin());
  store::ReportLine line{.player = speaker, .at_ms = at_ms};
  if (const auto* text = std::get_if<std::string>(&what)) {
    line.text = *text;
  } else {
    line.phrase = std::get<codec::Phrase>(what).value;
  }
  last_.push_back(std::move(line));
}

void Talk::mute(MemberId id, const codec::Mute& mute) {
  Member* listener = members_.find(id);
  if (listener == nullptr) return;
  auto& muted = listener->muted;
  std::erase(muted, mute.player);
  if (!mute.muted) std::erase(listener->blocked, mute.player);
  if (!mute.muted) return;
  if (muted.size() == limits::kMutedMax) muted.erase(muted.begin());
  muted.push_back(mute.player);
}

void Talk::block(MemberId id, std::vector<PlayerId> players) {
  if (Member* listener = members_.find(id)) listener->blocked = std::move(players);
}

}  // namespace tesela::tables
