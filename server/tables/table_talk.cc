// Talk at a Table: who may say what, and who hears it. None of it is in the log.
#include <algorithm>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/tables/table.h"

namespace tesela::tables {

using codec::Reason;
using codec::Talk;

namespace {

Reason talk_reason_of(ErrorCode code) {
  if (code == ErrorCode::kResourceExhausted) return Reason::kRateLimited;
  if (code == ErrorCode::kPermissionDenied) return Reason::kNoTalk;
  return codec::reason_of(code);
}

}  // namespace

Expected<void> Table::may_say(const Member& member, const codec::Say& what) const {
  if (!member.seat) return refuse(ErrorCode::kNotSeated, "You are watching: only players talk.");
  if (options_.talk == Talk::kOff) {
    return refuse(ErrorCode::kPermissionDenied, "At this table nobody talks.");
  }
  if (options_.talk == Talk::kPhrases && std::holds_alternative<std::string>(what)) {
    return refuse(ErrorCode::kPermissionDenied, "At this table people talk in phrases only.");
  }
  if (!member.quota->take_say()) {
    return refuse(ErrorCode::kResourceExhausted, "You talk too fast; wait a moment.");
  }
  return {};
}

void Table::say(MemberId id, const codec::Say& what) {
  Member* speaker = find(id);
  if (speaker == nullptr || goodbye_) return;
  if (const auto allowed = may_say(*speaker, what); !allowed) {
    const Reason reason = talk_reason_of(allowed.error().code);
    metrics_.refusals(codec::name_of(reason)).Increment();
    send(*speaker, codec::refusal_frame("", reason, allowed.error().message, version_));
    return;
  }
  const codec::Seating now = seating();
  const auto occupant =
      std::ranges::find(now.seats, *speaker->seat, &codec::Seating::Occupant::seat);
  const auto frame = codec::said_frame(*occupant, what, base::unix_ms());
  const PlayerId player = *speaker->player;
  for (auto& member : members_) {
    const bool hears = std::ranges::find(member.muted, player) == member.muted.end();
    if (member.present && hears) send(member, frame);
  }
}

void Table::mute(MemberId id, const codec::Mute& mute) {
  Member* member = find(id);
  if (member == nullptr) return;
  std::erase(member->muted, mute.player);
  if (!mute.muted) return;
  if (member->muted.size() == limits::kMutedMax) member->muted.erase(member->muted.begin());
  member->muted.push_back(mute.player);
}

}  // namespace tesela::tables
