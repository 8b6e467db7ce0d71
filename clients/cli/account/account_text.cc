#include "clients/cli/account/account_text.h"

#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace {

namespace pb = account::v1;

const char* kind_of(const pb::GetAccountResponse& account) {
  if (account.of_issuer()) return "of the operator's issuer";
  return account.member() ? "kept" : "a guest's: `tesela account code` keeps it";
}

}  // namespace

Printed account_text(const pb::GetAccountResponse& account) {
  auto text =
      Printed::of("{}  ({}, {})\n", account.display_name(), account.player_id(), kind_of(account));
  for (const auto& credential : account.credentials()) {
    const bool code = credential.kind() == pb::CREDENTIAL_KIND_RECOVERY_CODE;
    text += Printed::of("signs in by  {}, made {}\n",
                        code ? std::string("the recovery code") : credential.name(),
                        minute_text(credential.created_at()));
  }
  for (const auto& session : account.sessions()) {
    text += Printed::of("signed in    {}, seen {}{}\n",
                        session.device().empty() ? "a device" : session.device(),
                        minute_text(session.seen_at()), session.current() ? " (here)" : "");
  }
  return text;
}

Printed profile_text(const pb::GetProfileResponse& profile) {
  const char* kind = profile.bot() ? ", a bot" : profile.handle().empty() ? ", a guest" : "";
  auto text = Printed::of("{}  ({}{}), since {}\n", profile.display_name(), profile.player_id(),
                          kind, minute_text(profile.created_at()));
  for (const auto& rated : profile.rated_games()) {
    text += Printed::of("rating        {:<8}  {} ± {}, {} ranked games\n", rated.game(),
                        rated.rating().shown(), rated.rating().deviation(), rated.rating().games());
  }
  for (const auto& streak : profile.daily_streaks()) {
    text += Printed::of("daily games   {:<8}  {} in a row\n", streak.game(), streak.days());
  }
  for (const auto& best : profile.best_scores()) {
    text += Printed::of("best score    {:<8}  {}  {}  table {}\n", best.board().game(),
                        best.points(), minute_text(best.reached_at()), best.table_id());
  }
  return text;
}

Printed friends_text(const pb::ListFriendsResponse& lists) {
  Printed text;
  for (const auto& followed : lists.follows()) {
    text += Printed::of("follows    {}  ({}){}", followed.player().display_name(),
                        followed.player().player_id(), followed.here() ? ", here now" : "");
    if (!followed.table_id().empty()) {
      text += Printed::of(", plays {} at table {}", followed.game(), followed.table_id());
    }
    text += Printed::of("\n");
  }
  for (const auto& player : lists.blocked()) {
    text += Printed::of("blocks     {}  ({})\n", player.display_name(), player.player_id());
  }
  return text;
}

Printed challenge_text(const pb::GameChallenge& challenge) {
  const std::string to = challenge.has_to() ? challenge.to().display_name() : "whoever has the id";
  auto text = Printed::of("challenge  {}  {}: {} to {}", challenge.challenge_id(), challenge.game(),
                          challenge.from().display_name(), to);
  switch (challenge.state()) {
    case pb::CHALLENGE_STATE_ACCEPTED:
      text += Printed::of(", accepted, table {}", challenge.table_id());
      break;
    case pb::CHALLENGE_STATE_DECLINED:
      text += Printed::of(", declined");
      break;
    default:
      text += Printed::of(", open until {}", minute_text(challenge.expires_at()));
  }
  return text += Printed::of("\n");
}

}  // namespace tesela::cli
