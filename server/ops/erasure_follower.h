// Follows what operators erase by way of other servers.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <unordered_set>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/accounts/tokens.h"
#include "server/base/loop.h"
#include "server/base/worker.h"
#include "server/directory/directory.h"
#include "server/directory/operator_access.h"
#include "server/store/personal_data.h"

namespace tesela::ops {

/// Each server has the names and contributions of the players at its live tables, and would write
/// them back. So each one looks in the database, every limits::kErasureInterval, for players who
/// were erased since, and forgets them as the server does that was asked
/// (AdminService.ErasePlayer): their tokens are revoked, their streams end, and live tables write
/// their seats without them. `stop` returns when the look under way has ended: after
/// Directory::close_all, that is soon.
class ErasureFollower final : public base::Worker {
 public:
  /// What it uses; outlives it.
  struct Parts {
    base::Loop& loop;
    store::PersonalData& personal;
    directory::Directory& directory;
    accounts::Tokens& tokens;
    bool several;  // whether other servers share the database: alone it does not look
  };

  explicit ErasureFollower(Parts parts);

  /// Revokes the tokens of players that were erased before. Before any table is loaded. Errors:
  /// those of store::PersonalData::erased.
  boost::asio::awaitable<Expected<void>> begin();

  /// Reads erased players once. A player who cannot be forgotten everywhere now is read again the
  /// next time. On the loop.
  boost::asio::awaitable<void> look();

 private:
  boost::asio::awaitable<void> run() override;
  boost::asio::awaitable<Expected<std::vector<PlayerId>>> erased_since();

  const Parts parts_;
  directory::OperatorAccess tables_;
  std::unordered_set<PlayerId> forgotten_;  // at most limits::kErasedPlayersMax at the beginning
};

}  // namespace tesela::ops
