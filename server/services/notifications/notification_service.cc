#include "server/services/notifications/notification_service.h"

#include <cstdint>
#include <utility>

#include "server/base/clock.h"
#include "server/push/push_limits.h"
#include "server/push/quiet_time.h"
#include "server/push/web_push.h"

namespace tesela::services {
namespace {

using boost::asio::awaitable;
using store::NoticeKind;

constexpr std::uint32_t kMinutesOfDay = 24 * 60;

Expected<store::QuietHours> quiet_of(const account::v1::QuietHours& wanted) {
  if (wanted.from_minute() >= kMinutesOfDay || wanted.to_minute() >= kMinutesOfDay) {
    return refuse(ErrorCode::kInvalidArgument,
                  "from_minute and to_minute are minutes since midnight, from 0 to 1,439.");
  }
  if (wanted.time_zone().size() > limits::kTimeZoneBytesMax ||
      !push::is_time_zone(wanted.time_zone())) {
    return refuse(ErrorCode::kInvalidArgument,
                  "time_zone must be the name of a time zone, such as \"Europe/Madrid\".");
  }
  return store::QuietHours{.from_minute = static_cast<std::uint16_t>(wanted.from_minute()),
                           .to_minute = static_cast<std::uint16_t>(wanted.to_minute()),
                           .time_zone = wanted.time_zone()};
}

}  // namespace

account::v1::GetNotificationsResponse to_proto(const store::NotificationLists& lists) {
  account::v1::GetNotificationsResponse response;
  const auto told = [&lists](NoticeKind kind) {
    return (lists.choices.kinds & store::bit_of(kind)) != 0;
  };
  account::v1::NotificationChoices& choices = *response.mutable_choices();
  choices.set_your_turn(told(NoticeKind::kYourTurn));
  choices.set_time_short(told(NoticeKind::kTimeShort));
  choices.set_challenges(told(NoticeKind::kChallenge));
  choices.set_rematches(told(NoticeKind::kRematch));
  if (const store::QuietHours& quiet = lists.choices.quiet; !quiet.time_zone.empty()) {
    choices.mutable_quiet()->set_from_minute(quiet.from_minute);
    choices.mutable_quiet()->set_to_minute(quiet.to_minute);
    choices.mutable_quiet()->set_time_zone(quiet.time_zone);
  }
  for (const std::string& endpoint : lists.endpoints) response.add_endpoints(endpoint);
  return response;
}

std::vector<rpc::Method> NotificationService::methods() {
  using Service = NotificationService;
  return rpc::methods_of("tesela.account.v1.NotificationService",
                         {
                             rpc::method_by(*this, &Service::get_push_key),
                             rpc::method_by(*this, &Service::get_notifications),
                             rpc::method_by(*this, &Service::set_notifications),
                             rpc::method_by(*this, &Service::subscribe),
                             rpc::method_by(*this, &Service::unsubscribe),
                         });
}

awaitable<Expected<account::v1::GetPushKeyResponse>> NotificationService::get_push_key(
    account::v1::GetPushKeyRequest /*request*/, rpc::Caller /*caller*/) {
  account::v1::GetPushKeyResponse response;
  if (!parts_.hosts.none()) response.set_public_key(parts_.public_key);
  co_return response;
}

awaitable<Expected<account::v1::GetNotificationsResponse>> NotificationService::get_notifications(
    account::v1::GetNotificationsRequest /*request*/, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto lists = co_await parts_.notices.notifications(identity->player);
  if (!lists) co_return std::unexpected(lists.error());
  co_return to_proto(*lists);
}

awaitable<Expected<account::v1::SetNotificationsResponse>> NotificationService::set_notifications(
    account::v1::SetNotificationsRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const account::v1::NotificationChoices& wanted = request.choices();
  store::NoticeChoices choices{.kinds = 0};
  const auto tell = [&choices](bool told, NoticeKind kind) {
    if (told) choices.kinds |= store::bit_of(kind);
  };
  tell(wanted.your_turn(), NoticeKind::kYourTurn);
  tell(wanted.time_short(), NoticeKind::kTimeShort);
  tell(wanted.challenges(), NoticeKind::kChallenge);
  tell(wanted.rematches(), NoticeKind::kRematch);
  if (wanted.has_quiet()) {
    auto quiet = quiet_of(wanted.quiet());
    if (!quiet) co_return std::unexpected(std::move(quiet.error()));
    choices.quiet = *std::move(quiet);
  }
  const auto set = co_await parts_.notices.set_notifications(identity->player, std::move(choices));
  if (!set) co_return std::unexpected(set.error());
  co_return account::v1::SetNotificationsResponse{};
}

awaitable<Expected<account::v1::SubscribeResponse>> NotificationService::subscribe(
    account::v1::SubscribeRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  if (const auto there = parts_.hosts.at(request.endpoint()); !there) {
    co_return std::unexpected(there.error());
  }
  if (!push::is_point(request.p256dh()) || request.auth().size() != push::kAuthBytes) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     "p256dh must be an uncompressed point of P-256 (65 bytes), and auth 16 bytes:"
                     " PushSubscription.toJSON() has them.");
  }
  store::PushDevice device{.endpoint = std::move(*request.mutable_endpoint()),
                           .p256dh = std::move(*request.mutable_p256dh()),
                           .auth = std::move(*request.mutable_auth())};
  const auto added = co_await parts_.notices.add_device(identity->player, identity->session,
                                                        std::move(device), base::unix_ms());
  if (!added) co_return std::unexpected(added.error());
  co_return account::v1::SubscribeResponse{};
}

awaitable<Expected<account::v1::UnsubscribeResponse>> NotificationService::unsubscribe(
    account::v1::UnsubscribeRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto removed = co_await parts_.notices.remove_device(std::move(*request.mutable_endpoint()),
                                                             identity->player);
  if (!removed) co_return std::unexpected(removed.error());
  co_return account::v1::UnsubscribeResponse{};
}

}  // namespace tesela::services
