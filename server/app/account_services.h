// What players do with their accounts: the account, the profile, friends, and notifications.
#pragma once

#include <memory>
#include <vector>

#include "server/accounts/players.h"
#include "server/accounts/tokens.h"
#include "server/app/node_port_of.h"
#include "server/app/options_of.h"
#include "server/directory/directory.h"
#include "server/ops/config.h"
#include "server/push/notifier.h"
#include "server/quota/admission_control.h"
#include "server/rpc/method.h"
#include "server/services/account_service.h"
#include "server/services/friends/friend_service.h"
#include "server/services/guest_merges.h"
#include "server/services/notifications/notification_service.h"
#include "server/services/profile_service.h"
#include "server/store/backend/backend.h"

namespace tesela {

/// Any thread. Outlives its calls.
class AccountServices {
 public:
  /// All but `config` outlive it.
  struct Parts {
    const ops::Config& config;
    store::Backend& backend;
    accounts::Players& players;
    accounts::Tokens& tokens;
    quota::AdmissionControl& admission;
    directory::Directory& directory;
    const push::Notifier& notifier;
  };

  explicit AccountServices(Parts parts)
      : provider_(provider_of(parts.config, parts.tokens)),
        merges_({parts.backend.store(), parts.backend.personal_data(), parts.players, parts.tokens,
                 parts.directory}),
        accounts_({parts.backend.store(), parts.backend.accounts(), parts.players, parts.admission,
                   passkeys_of(parts.config, parts.tokens), merges_, provider_.get(),
                   provider_label(parts.config)}),
        profiles_({{parts.backend.store(), parts.backend.profiles()}, parts.players, parts.tokens}),
        friends_({.friends = parts.backend.friends(),
                  .profiles = parts.backend.profiles(),
                  .players = parts.players,
                  .tokens = parts.tokens,
                  .admission = parts.admission,
                  .directory = parts.directory}),
        notifications_({.notices = parts.backend.notices(),
                        .players = parts.players,
                        .hosts = parts.notifier.hosts(),
                        .public_key = parts.notifier.public_key()}) {}

  [[nodiscard]] std::vector<rpc::Method> methods() {
    return methods_of(
        {accounts_.methods(), profiles_.methods(), friends_.methods(), notifications_.methods()});
  }

 private:
  const std::unique_ptr<oidc::Provider> provider_;  // null: none
  services::GuestMerges merges_;
  services::AccountService accounts_;
  services::ProfileService profiles_;
  services::FriendService friends_;
  services::NotificationService notifications_;
};

}  // namespace tesela
