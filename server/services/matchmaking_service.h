// The method of tesela.lobby.v1.MatchmakingService.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <vector>

#include "server/accounts/players.h"
#include "server/accounts/tokens.h"
#include "server/directory/lobby/live_tables.h"
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
    directory::LiveTables& live_tables;
    matchmaking::Matcher& matcher;
  };

  explicit MatchmakingService(Parts parts) : parts_(parts) {}

  [[nodiscard]] std::vector<rpc::Method> methods();
  /// The same for nodes::SearchRelays: a search that another server is to take fails with kFenced
  /// instead of kUnavailable, so that it is passed on.
  [[nodiscard]] std::vector<rpc::Method> methods_for_relays();

  /// Counts a search that is passed on as one that is not. Errors: kUnauthenticated;
  /// kResourceExhausted when the player or the address has too many live tables and searches.
  [[nodiscard]] Expected<std::shared_ptr<quota::Slots>> hold(const rpc::Caller& caller) const;

 private:
  boost::asio::awaitable<Expected<rpc::StreamPtr>> find(lobby::v1::FindRequest request,
                                                        rpc::Caller caller);
  boost::asio::awaitable<Expected<rpc::StreamPtr>> find_for_relays(lobby::v1::FindRequest request,
                                                                   rpc::Caller caller);
  boost::asio::awaitable<Expected<rpc::StreamPtr>> begin(lobby::v1::FindRequest request,
                                                         rpc::Caller caller, bool to_be_relayed);
  /// The search of a caller, counted as the table that comes of it.
  [[nodiscard]] Expected<matchmaking::Seeker> admit(const lobby::v1::FindRequest& request,
                                                    const rpc::Caller& caller,
                                                    accounts::Identity player) const;

  Parts parts_;
};

}  // namespace tesela::services
