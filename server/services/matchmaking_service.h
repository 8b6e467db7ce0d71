// tesela.lobby.v1.MatchmakingService over gRPC.
#pragma once

#include "server/accounts/players.h"
#include "server/accounts/tokens.h"
#include "server/base/io_pool.h"
#include "server/matchmaking/matcher.h"
#include "server/quota/admission_control.h"
#include "tesela/lobby/v1/matchmaking.grpc.pb.h"

namespace tesela::services {

/// Any thread. Outlives its calls: the gRPC server has stopped before it is destroyed.
class MatchmakingService final : public lobby::v1::MatchmakingService::CallbackService {
 public:
  struct Parts {
    base::IoPool& io;
    quota::AdmissionControl& admission;
    const accounts::Tokens& tokens;
    accounts::Players& players;
    matchmaking::Matcher& matcher;
  };

  explicit MatchmakingService(Parts parts) : parts_(parts) {}

  grpc::ServerWriteReactor<lobby::v1::FindResponse>* Find(
      grpc::CallbackServerContext* context, const lobby::v1::FindRequest* request) override;

 private:
  /// Who may search, counted as the table that comes of it.
  [[nodiscard]] Expected<matchmaking::Seeker> admit(const grpc::CallbackServerContext& context,
                                                    const lobby::v1::FindRequest& request,
                                                    Expected<accounts::Identity> identity) const;

  Parts parts_;
};

}  // namespace tesela::services
