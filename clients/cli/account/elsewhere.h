// Signing in at the operator's provider, with an address that is pasted from a browser.
#pragma once

#include <string>
#include <string_view>

#include "clients/cli/account/player_calls.h"
#include "engine/core/result.h"
#include "tesela/account/v1/account.pb.h"

namespace tesela::cli {

/// What the provider says in the query of the address that it sends the browser to. Error:
/// kInvalidArgument for what is no such address, kPermissionDenied when the player has declined.
[[nodiscard]] Expected<account::v1::OidcAnswer> answer_in(std::string_view address);

/// Shows the provider's page on standard error, reads the address from standard input, and signs
/// in: a new account gets `name`.
Task<Expected<account::v1::SignInWithOidcResponse>> sign_in_elsewhere(ServerAddress server,
                                                                      std::string name);

}  // namespace tesela::cli
