// The methods of tesela.lobby.v1.LobbyService.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "server/accounts/players.h"
#include "server/accounts/tokens.h"
#include "server/base/io_pool.h"
#include "server/bots/remote_bots.h"
#include "server/directory/directory.h"
#include "server/directory/lobby/table_feed.h"
#include "server/history/boards.h"
#include "server/quota/admission_control.h"
#include "server/rpc/method.h"
#include "server/services/table_watches.h"
#include "server/store/store.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::services {

/// Any thread. Outlives its calls.
class LobbyService {
 public:
  struct Parts {
    base::IoPool& io;  // where watchers are told of changes
    quota::AdmissionControl& admission;
    store::Store& store;
    directory::Directory& directory;
    accounts::Players& players;
    const accounts::Tokens& tokens;
    const history::DailyGames& daily_games;
    bots::RemoteBots& remote_bots;
    directory::TableFeed& feed;
  };

  explicit LobbyService(Parts parts);

  /// Ends every watch with UNAVAILABLE, and takes no new one. Any thread.
  void drain() { watches_.drain(); }
  void undrain() { watches_.undrain(); }

  [[nodiscard]] std::vector<rpc::Method> methods();

 private:
  template <class Response>
  using Answer = boost::asio::awaitable<Expected<Response>>;

  /// check_audience for the player whose tables a list shows.
  boost::asio::awaitable<Expected<void>> may_list(const std::string& player_id,
                                                  std::optional<PlayerId> viewer);
  [[nodiscard]] std::optional<PlayerId> viewer(const rpc::Caller& caller) const;
  /// A player with quota for one more table, and the slots that the table takes.
  struct Maker {
    accounts::Identity identity;
    directory::TableSlots slots;
  };

  Answer<Maker> admit_maker(rpc::Caller caller);
  Answer<lobby::v1::SignInResponse> sign_in(lobby::v1::SignInRequest request, rpc::Caller caller);
  Answer<lobby::v1::RenewTokenResponse> renew_token(lobby::v1::RenewTokenRequest request,
                                                    rpc::Caller caller);
  Answer<lobby::v1::CreateTableResponse> create_table(lobby::v1::CreateTableRequest request,
                                                      rpc::Caller caller);
  /// The slots of a seat at a table; none for a player who holds them or sits there already.
  Answer<directory::TableSlots> hold_seat(TableId table, PlayerId player, quota::QuotaPtr from);
  Answer<lobby::v1::JoinTableResponse> join_table(lobby::v1::JoinTableRequest request,
                                                  rpc::Caller caller);
  template <class Request, class Response>
  Answer<Response> change_seats(Request request, rpc::Caller caller);
  Answer<lobby::v1::ContributeResponse> contribute(lobby::v1::ContributeRequest request,
                                                   rpc::Caller caller);
  Answer<lobby::v1::RemovePlayerResponse> remove_player(lobby::v1::RemovePlayerRequest request,
                                                        rpc::Caller caller);
  Answer<lobby::v1::RematchTableResponse> rematch_table(lobby::v1::RematchTableRequest request,
                                                        rpc::Caller caller);
  Answer<lobby::v1::ListStrategiesResponse> list_strategies(
      lobby::v1::ListStrategiesRequest request, rpc::Caller caller);
  Answer<lobby::v1::GetTableResponse> get_table(lobby::v1::GetTableRequest request,
                                                rpc::Caller caller);
  Answer<lobby::v1::ListTablesResponse> list_tables(lobby::v1::ListTablesRequest request,
                                                    rpc::Caller caller);
  Answer<rpc::StreamPtr> watch_tables(lobby::v1::WatchTablesRequest request, rpc::Caller caller);

  Parts parts_;
  TableWatches watches_;
};

}  // namespace tesela::services
