// tesela.lobby.v1.MatchmakingService over gRPC.
#pragma once

#include "server/accounts/players.h"
#include "server/accounts/tokens.h"
#include "server/base/io_pool.h"
#include "server/matchmaking/matcher.h"
#include "server/quota/gate.h"
#include "tesela/lobby/v1/matchmaking.grpc.pb.h"

namespace tesela::lobby {

/// Any thread. Outlives its calls: the gRPC server has stopped before it is destroyed.
class MatchmakingService final : public v1::MatchmakingService::CallbackService {
 public:
  struct Parts {
    net::IoPool& io;
    net::Gate& gate;
    const Tokens& tokens;
    Players& players;
    Matcher& matcher;
  };

  explicit MatchmakingService(Parts parts) : parts_(parts) {}

  grpc::ServerWriteReactor<v1::FindResponse>* Find(grpc::CallbackServerContext* context,
                                                   const v1::FindRequest* request) override;

 private:
  /// Who may search, counted as the table that comes of it.
  [[nodiscard]] Expected<Seeker> admit(const grpc::CallbackServerContext& context,
                                       const v1::FindRequest& request,
                                       Expected<Identity> identity) const;

  Parts parts_;
};

}  // namespace tesela::lobby
