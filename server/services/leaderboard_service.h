// The methods of tesela.lobby.v1.LeaderboardService.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "server/accounts/tokens.h"
#include "server/history/boards.h"
#include "server/rpc/method.h"
#include "server/store/store.h"
#include "tesela/lobby/v1/leaderboard.pb.h"

namespace tesela::services {

/// Any thread. Outlives its calls.
class LeaderboardService {
 public:
  struct Parts {
    store::Store& store;
    const accounts::Tokens& tokens;
    const history::DailyGames& daily_games;
  };

  explicit LeaderboardService(Parts parts) : parts_(parts) {}

  [[nodiscard]] std::vector<rpc::Method> methods();

 private:
  boost::asio::awaitable<Expected<lobby::v1::GetRatingResponse>> get_rating(
      lobby::v1::GetRatingRequest request, rpc::Caller caller);
  boost::asio::awaitable<Expected<lobby::v1::GetBoardResponse>> get_board(
      lobby::v1::GetBoardRequest request, rpc::Caller caller);
  boost::asio::awaitable<Expected<lobby::v1::GetDailyResponse>> get_daily(
      lobby::v1::GetDailyRequest request, rpc::Caller caller);
  [[nodiscard]] Expected<store::BoardRange> range_of(
      const std::string& token, const lobby::v1::GetBoardRequest& request) const;

  Parts parts_;
};

}  // namespace tesela::services
