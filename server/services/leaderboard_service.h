// tesela.lobby.v1.LeaderboardService over gRPC.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "server/accounts/tokens.h"
#include "server/base/io_pool.h"
#include "server/history/boards.h"
#include "server/quota/admission_control.h"
#include "server/store/store.h"
#include "tesela/lobby/v1/leaderboard.grpc.pb.h"

namespace tesela::services {

/// Threading as LobbyService.
class LeaderboardService final : public lobby::v1::LeaderboardService::CallbackService {
 public:
  struct Parts {
    base::IoPool& io;
    quota::AdmissionControl& admission;
    store::Store& store;
    const accounts::Tokens& tokens;
    const history::DailyGames& daily_games;
  };

  explicit LeaderboardService(Parts parts) : parts_(parts) {}

  grpc::ServerUnaryReactor* GetRating(grpc::CallbackServerContext* context,
                                      const lobby::v1::GetRatingRequest* request,
                                      lobby::v1::GetRatingResponse* response) override;
  grpc::ServerUnaryReactor* GetBoard(grpc::CallbackServerContext* context,
                                     const lobby::v1::GetBoardRequest* request,
                                     lobby::v1::GetBoardResponse* response) override;
  grpc::ServerUnaryReactor* GetDaily(grpc::CallbackServerContext* context,
                                     const lobby::v1::GetDailyRequest* request,
                                     lobby::v1::GetDailyResponse* response) override;

 private:
  boost::asio::awaitable<Expected<lobby::v1::GetRatingResponse>> get_rating(
      lobby::v1::GetRatingRequest request);
  boost::asio::awaitable<Expected<lobby::v1::GetBoardResponse>> get_board(
      std::string token, lobby::v1::GetBoardRequest request);
  boost::asio::awaitable<Expected<lobby::v1::GetDailyResponse>> get_daily(
      lobby::v1::GetDailyRequest request);
  [[nodiscard]] Expected<store::BoardRange> range_of(
      const std::string& token, const lobby::v1::GetBoardRequest& request) const;

  Parts parts_;
};

}  // namespace tesela::services
