// The methods of tesela.account.v1.NotificationService.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "server/accounts/players.h"
#include "server/push/push_hosts.h"
#include "server/rpc/method.h"
#include "server/store/notices.h"
#include "tesela/account/v1/notifications.pb.h"

namespace tesela::services {

[[nodiscard]] account::v1::GetNotificationsResponse to_proto(const store::NotificationLists& lists);

/// Any thread. Outlives its calls.
class NotificationService {
 public:
  struct Parts {
    store::Notices& notices;
    accounts::Players& players;
    const push::PushHosts& hosts;
    std::string public_key;  // of VAPID
  };

  explicit NotificationService(Parts parts) : parts_(std::move(parts)) {}

  [[nodiscard]] std::vector<rpc::Method> methods();

 private:
  template <class Response>
  using Answer = boost::asio::awaitable<Expected<Response>>;

  Answer<account::v1::GetPushKeyResponse> get_push_key(account::v1::GetPushKeyRequest request,
                                                       rpc::Caller caller);
  Answer<account::v1::GetNotificationsResponse> get_notifications(
      account::v1::GetNotificationsRequest request, rpc::Caller caller);
  Answer<account::v1::SetNotificationsResponse> set_notifications(
      account::v1::SetNotificationsRequest request, rpc::Caller caller);
  Answer<account::v1::SubscribeResponse> subscribe(account::v1::SubscribeRequest request,
                                                   rpc::Caller caller);
  Answer<account::v1::UnsubscribeResponse> unsubscribe(account::v1::UnsubscribeRequest request,
                                                       rpc::Caller caller);

  const Parts parts_;
};

}  // namespace tesela::services
