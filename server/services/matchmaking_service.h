// The method of tesela.lobby.v1.MatchmakingService.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <vector>

#include "server/accounts/players.h"
#include "server/accounts/tokens.h"
#include "server/matchmaking/matcher.h"
#include "server/quota/admission_control.h"
#include "server/rpc/method.h"
#include "tesela/lobby/v1/matchmaking.pb.h"

namespace tesela::services {

/// Any thread. Outlives its calls.
class MatchmakingService {
 public:
  struct Parts {
    quota::AdmissionControl& admission;
    const accounts::Tokens& tokens;
    accounts::Players& players;
    matchmaking::Matcher& matcher;
  };

  explicit MatchmakingService(Parts parts) : parts_(parts) {}

  [[nodiscard]] std::vector<rpc::Method> methods();

 private:
  boost::asio::awaitable<Expected<rpc::StreamPtr>> find(lobby::v1::FindRequest request,
                                                        rpc::Caller caller);
  /// The search of a caller, counted as the table that comes of it.
  [[nodiscard]] Expected<matchmaking::Seeker> admit(const lobby::v1::FindRequest& request,
                                                    const rpc::Caller& caller,
                                                    accounts::Identity player) const;

  Parts parts_;
};

}  // namespace tesela::services
