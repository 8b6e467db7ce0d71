// What `tesela account`, `tesela profile` and `tesela friends` print. Any thread.
#pragma once

#include "clients/cli/base/printed.h"
#include "tesela/account/v1/account.pb.h"
#include "tesela/account/v1/friends.pb.h"
#include "tesela/account/v1/profile.pb.h"

namespace tesela::cli {

[[nodiscard]] Printed account_text(const account::v1::GetAccountResponse& account);
[[nodiscard]] Printed profile_text(const account::v1::GetProfileResponse& profile);
[[nodiscard]] Printed friends_text(const account::v1::ListFriendsResponse& lists);
[[nodiscard]] Printed challenge_text(const account::v1::GameChallenge& challenge);

}  // namespace tesela::cli
