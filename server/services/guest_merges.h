// AccountService.MergeGuest.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "server/accounts/players.h"
#include "server/accounts/tokens.h"
#include "server/directory/operator_access.h"
#include "server/rpc/method.h"
#include "server/store/personal_data.h"
#include "server/store/store.h"
#include "tesela/account/v1/account.pb.h"

namespace tesela::services {

/// Any thread. Outlives its calls.
class GuestMerges {
 public:
  /// What it uses; outlives it.
  struct Parts {
    store::Store& store;
    store::PersonalData& personal;
    accounts::Players& players;
    accounts::Tokens& tokens;
    directory::Directory& directory;
  };

  explicit GuestMerges(Parts parts) : parts_(parts), tables_(parts.directory) {}

  [[nodiscard]] rpc::Method method();

 private:
  boost::asio::awaitable<Expected<account::v1::MergeGuestResponse>> merge_guest(
      account::v1::MergeGuestRequest request, rpc::Caller caller);
  /// PersonalData::merge of the guest of a token. Errors: also
  /// kPermissionDenied, for a token that is not valid.
  boost::asio::awaitable<Expected<store::Merged>> merge(std::string guest_token,
                                                        store::Merge wanted);
  /// A merge is stored: has it take effect at this server.
  boost::asio::awaitable<Expected<void>> carry_out(store::Merge done, std::vector<SessionId> ended);

  const Parts parts_;
  directory::OperatorAccess tables_;
};

}  // namespace tesela::services
