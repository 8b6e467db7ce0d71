// The interface of what others know of a player: the handle, who may see the profile, and how the
// ratings went.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/boards.h"
#include "server/store/personal_data.h"
#include "server/store/store.h"

namespace tesela::store {

/// The name of a player with a handle is this and the handle. No other name begins with it.
inline constexpr char kHandleMark = '@';

/// A handle that a player wants to have.
struct HandleClaim {
  PlayerId player;
  std::string handle;  // as it is shown
  std::string key;     // the same for all handles that look alike (codec::read_handle)
  std::int64_t now_ms{};
  /// The handle of before may be changed if it was claimed before then.
  std::int64_t changed_before_ms{};
  /// Until then it is kept from others.
  std::int64_t kept_until_ms{};
};

/// A handle that a player has given up.
struct KeptHandle {
  std::string handle;
  std::int64_t kept_until_ms{};

  friend bool operator==(const KeptHandle&, const KeptHandle&) = default;
};

/// A player's rating at the end of a day.
struct RatingPoint {
  Day day;
  std::int32_t points{};  // the number that people read

  friend bool operator==(const RatingPoint&, const RatingPoint&) = default;
};

/// A player's lines on boards of one kind.
struct NewestScores {
  std::vector<ScoreLine> best;   // BoardKind::kBest
  std::vector<ScoreLine> daily;  // BoardKind::kDaily
};

/// Threading and errors as in EventLog.
class Profiles {
 public:
  virtual ~Profiles() = default;

  /// Gives the player the handle, and with it the name; the one of before is kept from others. The
  /// same key again only changes how it is shown, at any time. Errors: kNotFound (no such player,
  /// or erased), kPermissionDenied (a guest, or a bot), kTaken (another player has the key, or had
  /// it lately), kTooSoon (the last change is too young).
  virtual boost::asio::awaitable<Expected<void>> claim_handle(HandleClaim claim) = 0;

  /// Who has a handle with this key now. kNotFound when nobody has.
  virtual boost::asio::awaitable<Expected<PlayerRow>> holder(std::string key) = 0;

  /// At most `max` players whose handles' keys begin like that, in the order of keys.
  virtual boost::asio::awaitable<Expected<std::vector<PlayerRow>>> holders(std::string key_prefix,
                                                                           std::size_t max) = 0;

  /// The handles that a player has given up and that are still kept from others, by their keys.
  virtual boost::asio::awaitable<Expected<std::vector<KeptHandle>>> kept_handles(
      PlayerId player, std::int64_t now_ms) = 0;

  /// kNotFound when there is no such player, or erased.
  virtual boost::asio::awaitable<Expected<void>> set_audience(PlayerId player,
                                                              Audience audience) = 0;

  /// The days from `since` on at which the player's rating in a game changed, in order.
  virtual boost::asio::awaitable<Expected<std::vector<RatingPoint>>> rating_days(std::string game,
                                                                                 PlayerId player,
                                                                                 Day since) = 0;

  /// The player's lines on the newest boards, at most so many of each kind, the newest first.
  virtual boost::asio::awaitable<Expected<NewestScores>> newest_scores(PlayerId player,
                                                                       std::size_t best_max,
                                                                       std::size_t daily_max) = 0;
};

}  // namespace tesela::store
