// Follows what operators erase by way of other servers.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <unordered_set>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/accounts/tokens.h"
#include "server/base/loop.h"
#include "server/directory/directory.h"
#include "server/directory/operator_access.h"
#include "server/store/personal_data.h"

namespace tesela::ops {

/// Each server has the names and contributions of the players at its live tables, and would write
/// them back. So each one looks in the database, every limits::kErasureInterval, for players who
/// were erased since, and forgets them as the server does that was asked
/// (AdminService.ErasePlayer): their tokens are revoked, their streams end, and live tables write
/// their seats without them.
///
/// Threading: `begin` and `start` once, `stop` once, from any thread, while the loop runs.
class ErasureFollower {
 public:
  /// What it uses; outlives it.
  struct Parts {
    base::Loop& loop;
    store::PersonalData& personal;
    directory::Directory& directory;
    accounts::Tokens& tokens;
  };

  explicit ErasureFollower(Parts parts);

  /// Revokes the tokens of players that were erased before. Before any table is loaded. Errors:
  /// those of store::PersonalData::erased.
  boost::asio::awaitable<Expected<void>> begin();
  /// Looks until `stop`. Only needed where several servers share a database.
  void start();
  /// Returns when the look under way has ended: after Directory::close_all, that is soon.
  boost::asio::awaitable<void> stop();

  /// Reads erased players once. A player who cannot be forgotten everywhere now is read again the
  /// next time. On the loop.
  boost::asio::awaitable<void> look();

 private:
  boost::asio::awaitable<void> run();
  boost::asio::awaitable<void> stop_here();
  boost::asio::awaitable<Expected<std::vector<PlayerId>>> erased_since();

  const Parts parts_;
  directory::OperatorAccess tables_;
  std::unordered_set<PlayerId> forgotten_;  // at most limits::kErasedPlayersMax at the beginning
  boost::asio::steady_timer pause_;
  boost::asio::steady_timer ended_;  // cancelled when the coroutine has ended
  bool running_ = false;
  bool stopping_ = false;
};

}  // namespace tesela::ops
