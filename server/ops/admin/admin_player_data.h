// What AdminService shows of one player, and how it erases one.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/accounts/tokens.h"
#include "server/directory/operator_access.h"
#include "server/games/games.h"
#include "server/history/boards.h"
#include "server/store/accounts.h"
#include "server/store/friends.h"
#include "server/store/moderation.h"
#include "server/store/notices.h"
#include "server/store/personal_data.h"
#include "server/store/profiles.h"
#include "server/store/store.h"
#include "tesela/admin/v1/admin.pb.h"

namespace tesela::ops {

/// Any thread.
class AdminPlayerData {
 public:
  /// What it uses; outlives it.
  struct Parts {
    store::Store& store;
    store::PersonalData& personal;
    store::Accounts& accounts;
    store::Profiles& profiles;
    store::Moderation& moderation;
    store::Friends& friends;
    store::Notices& notices;
    directory::OperatorAccess& tables;
    accounts::Tokens& tokens;
  };

  explicit AdminPlayerData(Parts parts) : parts_(parts) {}

  /// A page of AdminService.ExportPlayer. Errors: kInvalidArgument for a page token that is none;
  /// those of the store.
  boost::asio::awaitable<Expected<admin::v1::ExportPlayerResponse>> page(PlayerId player,
                                                                         std::string page_token);
  /// AdminService.ErasePlayer. May be repeated. Errors: those of store::PersonalData::erase and of
  /// OperatorAccess::forget.
  boost::asio::awaitable<Expected<admin::v1::ErasePlayerResponse>> erase(PlayerId player);

  /// The ratings of the player; empty without a ranked game.
  template <class Response>
  boost::asio::awaitable<Expected<void>> add_ratings(PlayerId player, Response& response);

 private:
  using Page = Expected<admin::v1::ExportPlayerResponse>;

  boost::asio::awaitable<Page> account(PlayerId player);
  boost::asio::awaitable<Expected<void>> add_conduct(PlayerId player,
                                                     admin::v1::ExportPlayerResponse& page);
  boost::asio::awaitable<Page> scores(PlayerId player, std::uint64_t after);
  boost::asio::awaitable<Page> tables(PlayerId player, std::string page_token);

  const Parts parts_;
};

template <class Response>
boost::asio::awaitable<Expected<void>> AdminPlayerData::add_ratings(PlayerId player,
                                                                    Response& response) {
  for (const games::GameEntry& game : games::all_games()) {
    const auto row = co_await parts_.store.rating(std::string(game.name), player);
    if (!row) co_return std::unexpected(row.error());
    if (row->games == 0) continue;
    auto& rating = *response.add_ratings();
    rating.set_game(std::string(game.name));
    *rating.mutable_rating() = history::to_proto(*row);
  }
  co_return Expected<void>{};
}

}  // namespace tesela::ops
