// The interface of what players are told while they are away, and of the devices where they are.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"

namespace tesela::store {

enum class NoticeKind : std::uint8_t {
  kYourTurn = 1,
  kTimeShort = 2,
  kChallenge = 3,
  kRematch = 4
};

/// A bit for each kind that a player is told.
[[nodiscard]] constexpr std::uint8_t bit_of(NoticeKind kind) {
  return static_cast<std::uint8_t>(1U << (static_cast<unsigned>(kind) - 1));
}
inline constexpr std::uint8_t kAllKinds = 15;

/// What happened to a player. The same kind, player and subject is one notice. Times are Unix time
/// in milliseconds.
struct NewNotice {
  NoticeKind kind;
  PlayerId player;
  std::string subject;           // the id of the table or challenge, as a text
  std::optional<TableId> table;  // whose state says whether the notice still holds
  std::optional<PlayerId> from;  // the other player
  Version version;               // of the table, where a turn begins; otherwise 0
  std::int64_t due_ms{};
  std::int64_t until_ms{};
};

/// Takes notices to be stored soon.
class NoticeSink {
 public:
  virtual ~NoticeSink() = default;
  /// Notices of one table or challenge. Any thread.
  virtual void add(std::vector<NewNotice> notices) = 0;
};

/// Every day, in minutes since midnight of the time zone.
struct QuietHours {
  std::uint16_t from_minute{};
  std::uint16_t to_minute{};
  std::string time_zone{};  // empty: there are none

  friend bool operator==(const QuietHours&, const QuietHours&) = default;
};

struct NoticeChoices {
  std::uint8_t kinds{kAllKinds};
  QuietHours quiet{};

  friend bool operator==(const NoticeChoices&, const NoticeChoices&) = default;
};

/// Where pushes go (RFC 8030), and the keys of RFC 8291.
struct PushDevice {
  std::string endpoint;
  std::string p256dh;
  std::string auth;
};

/// A notice for one device of the player, or for the operator's webhook.
struct DueNotice {
  std::uint64_t id{};
  std::int64_t lease_ms{};  // until then it is this server's to send
  NoticeKind kind{};
  PlayerId player;
  std::string player_name;
  std::string subject;
  std::optional<TableId> table;  // where a challenge was accepted
  std::string game;
  std::string from_name;  // may be empty
  Version version;
  std::int64_t until_ms{};
  std::int64_t tries{};  // this one included
  bool holds{};          // it is still as the notice says
  QuietHours quiet;
  std::optional<PushDevice> device;  // none: the webhook
};

struct NotificationLists {
  NoticeChoices choices;
  std::vector<std::string> endpoints;  // the newest first
};

/// Threading and errors as in EventLog. Whatever changes something may be repeated.
class Notices {
 public:
  virtual ~Notices() = default;

  /// Stores the notices for each device of the player that wants their kind, and for the webhook if
  /// there is one; those of an earlier turn at the table go. A notice that was sent stays so. None
  /// is stored for bots.
  virtual boost::asio::awaitable<Expected<void>> add_notices(std::vector<NewNotice> notices) = 0;

  /// Whether `claim_notices` has something to do.
  virtual boost::asio::awaitable<Expected<bool>> notices_due(std::int64_t now_ms) = 0;

  /// Notices that are due, at most `max`: nobody else gets them before `lease_ms`. Deletes those
  /// that are over.
  virtual boost::asio::awaitable<Expected<std::vector<DueNotice>>> claim_notices(
      std::int64_t now_ms, std::int64_t lease_ms, std::size_t max) = 0;

  /// Says what became of a claimed notice: it is due again; without a time it is not sent any more.
  /// `tries` as in DueNotice. Without effect after another claim.
  virtual boost::asio::awaitable<Expected<void>> settle_notice(std::uint64_t id,
                                                               std::int64_t lease_ms,
                                                               std::optional<std::int64_t> due_ms,
                                                               std::int64_t tries) = 0;

  /// Whether there is a webhook, which is told of all players.
  virtual boost::asio::awaitable<Expected<void>> set_webhook(bool on) = 0;

  /// The player's from now on, whoever had the endpoint, until the session ends. Beyond
  /// limits::kDevicesPerPlayer the oldest device goes. Errors: kNotFound (no such player, or
  /// erased), kSessionEnded. Without a session (id 0) it stays.
  virtual boost::asio::awaitable<Expected<void>> add_device(PlayerId player, SessionId session,
                                                            PushDevice device,
                                                            std::int64_t at_ms) = 0;
  /// Of any player, or of this one.
  virtual boost::asio::awaitable<Expected<void>> remove_device(std::string endpoint,
                                                               std::optional<PlayerId> player) = 0;

  /// kNotFound when there is no such player.
  virtual boost::asio::awaitable<Expected<NotificationLists>> notifications(PlayerId player) = 0;
  /// kNotFound when there is no such player, or erased.
  virtual boost::asio::awaitable<Expected<void>> set_notifications(PlayerId player,
                                                                   NoticeChoices choices) = 0;
};

}  // namespace tesela::store
