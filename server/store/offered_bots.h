// The bots from outside that the servers on one database have.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/limits.h"
#include "server/store/ownership.h"

namespace tesela::store {

/// One offer of a bot. Random, never 0; at most 2^63 - 1.
using OfferId = Strong<struct OfferTag, std::uint64_t>;

/// A bot that is offered at a server.
struct OfferedBot {
  OfferId id;
  std::string game;
  std::string strategy;
  std::string description;
  PlayerId owner;
  LifeId life;            // of the server that has its stream
  std::string address{};  // of that server, as in Owner; read only

  friend bool operator==(const OfferedBot&, const OfferedBot&) = default;
};

/// What is offered for a life counts until that life was declared dead. Threading as in EventLog.
class OfferedBots {
 public:
  virtual ~OfferedBots() = default;

  /// Stores an offer, in place of another one of the same life with the same game and strategy.
  /// Errors: kAlreadyOffered when another life has such a bot; kResourceExhausted beyond
  /// limits::kRemoteBotsMax, or kRemoteBotsPerPlayerMax of one owner; kFenced (the life was
  /// declared dead), kUnavailable (nothing was changed), kInternal (unknown).
  virtual boost::asio::awaitable<Expected<void>> offer(OfferedBot bot) = 0;

  /// Removes offers; ignores those that are not there. Errors: kUnavailable and kInternal, after
  /// which some may be there.
  virtual boost::asio::awaitable<Expected<void>> withdraw(std::vector<OfferId> offers) = 0;

  /// All offers that count, by game and strategy. Errors: kUnavailable, kCorrupt.
  virtual boost::asio::awaitable<Expected<std::vector<OfferedBot>>> offered() = 0;
};

inline std::unexpected<Error> already_offered(const std::string& game,
                                              const std::string& strategy) {
  return refuse(ErrorCode::kAlreadyOffered,
                strategy + " is offered for " + game + " already, on another stream.");
}

inline std::unexpected<Error> too_many_bots() {
  return refuse(ErrorCode::kResourceExhausted, "Too many bots are offered; try again later.");
}

inline std::unexpected<Error> too_many_bots_of_player() {
  return refuse(ErrorCode::kResourceExhausted, "You offer " +
                                                   std::to_string(limits::kRemoteBotsPerPlayerMax) +
                                                   " bots already, as many as one player may.");
}

}  // namespace tesela::store
