// What `tesela account` and `tesela profile` print. Any thread.
#pragma once

#include "clients/cli/base/printed.h"
#include "tesela/account/v1/account.pb.h"
#include "tesela/account/v1/profile.pb.h"

namespace tesela::cli {

[[nodiscard]] Printed account_text(const account::v1::GetAccountResponse& account);
[[nodiscard]] Printed profile_text(const account::v1::GetProfileResponse& profile);

}  // namespace tesela::cli
