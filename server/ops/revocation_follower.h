// Follows what operators and players do by way of other servers: erased players, acts on players,
// and ended sessions.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/accounts/tokens.h"
#include "server/base/loop.h"
#include "server/base/worker.h"
#include "server/bots/remote_bots.h"
#include "server/directory/directory.h"
#include "server/directory/operator_access.h"
#include "server/ops/act_effects.h"
#include "server/store/backend/backend.h"
#include "server/store/personal_data.h"

namespace tesela::ops {

/// Every limits::kRevocationInterval it looks in the database for players who were erased, acts of
/// operators, and sessions that were ended, since the last look. Tokens of the first and the last
/// are refused from then on; acts take effect (ActEffects).
///
/// Each server has the names and contributions of the players at its live tables, and would write
/// them back. So it forgets erased players as the server does that was asked
/// (AdminService.ErasePlayer): their streams end, and live tables write their seats without them.
/// Merged guests likewise: their seats are the account's. What is open under an ended session ends
/// (accounts::EndedSessions).
///
/// `stop` returns when the look under way has ended: after Directory::close_all, that is soon.
class RevocationFollower final : public base::Worker {
 public:
  /// What it uses; outlives it.
  struct Parts {
    base::Loop& loop;
    store::Backend& backend;
    directory::Directory& directory;
    bots::RemoteBots& remote_bots;
    accounts::Tokens& tokens;
    bool several;  // whether other servers share the database: alone it does not look
  };

  explicit RevocationFollower(Parts parts);

  /// Revokes what was erased and ended before. Before any table is loaded. Errors: those of
  /// store::PersonalData::erased.
  boost::asio::awaitable<Expected<void>> begin();

  /// What an act does at this server.
  [[nodiscard]] ActEffects& effects() { return effects_; }

  /// Looks once. A player who cannot be forgotten everywhere now is read again the next time. On
  /// the loop.
  boost::asio::awaitable<void> look();

 private:
  boost::asio::awaitable<void> run() override;
  boost::asio::awaitable<Expected<std::vector<store::ErasedPlayer>>> erased_since();
  boost::asio::awaitable<Expected<void>> end_sessions(std::int64_t since_ms, std::size_t max);
  boost::asio::awaitable<void> look_for_players();
  boost::asio::awaitable<void> look_for_acts();
  boost::asio::awaitable<void> look_for_sessions();

  const Parts parts_;
  directory::OperatorAccess tables_;
  ActEffects effects_;
  std::unordered_set<PlayerId> forgotten_;  // at most limits::kErasedPlayersMax at the beginning
  std::int64_t last_act_ms_ = 0;            // by the database's clock
  std::int64_t last_end_ms_ = 0;            // of a session, by the database's clock
  std::size_t found_ = 0;                   // ended sessions in the last look
};

}  // namespace tesela::ops
