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

}  // namespace tesela::cli
