// The methods of tesela.admin.v1.AdminService.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <utility>
#include <vector>

#include "server/accounts/tokens.h"
#include "server/directory/directory.h"
#include "server/directory/operator_access.h"
#include "server/ops/admin/admin_nodes.h"
#include "server/ops/admin/admin_player_data.h"
#include "server/ops/admin/operator_gate.h"
#include "server/ops/admin/table_inspection.h"
#include "server/ops/admin/this_node.h"
#include "server/rpc/method.h"
#include "server/store/personal_data.h"
#include "server/store/store.h"
#include "tesela/admin/v1/admin.pb.h"

namespace tesela::ops {

/// Any thread. Outlives its calls. Every method requires the token of an operator.
class AdminService {
 public:
  struct Parts {
    const Config& config;
    store::EventReader& log;
    store::Snapshots& snapshots;
    store::TableRows& table_rows;
    store::Store& store;
    store::PersonalData& personal;
    store::Accounts& accounts;
    store::Profiles& profiles;
    store::Moderation& moderation;
    store::Friends& friends;
    store::Notices& notices;
    accounts::Tokens& tokens;
    directory::Directory& directory;
    ThisNode& here;
    AdminNodes& nodes;
    OperatorGate& gate;
  };

  explicit AdminService(Parts parts) : parts_(parts) {}

  [[nodiscard]] std::vector<rpc::Method> methods();

 private:
  template <class T>
  using Answer = boost::asio::awaitable<Expected<T>>;

  /// The method that checks the operator's role, does `work`, and logs it.
  template <class Request, class Response>
  [[nodiscard]] rpc::Method method_by(Role role, Answer<Response> (AdminService::*work)(Request));
  Answer<admin::v1::GetStatusResponse> get_status(admin::v1::GetStatusRequest request);
  Answer<admin::v1::ListNodesResponse> list_nodes(admin::v1::ListNodesRequest request);
  Answer<admin::v1::ListTablesResponse> list_tables(admin::v1::ListTablesRequest request);
  Answer<admin::v1::InspectTableResponse> inspect_table(admin::v1::InspectTableRequest request);
  Answer<admin::v1::IssueWatchPassResponse> issue_watch_pass(
      admin::v1::IssueWatchPassRequest request);
  Answer<admin::v1::ListPlayersResponse> list_players(admin::v1::ListPlayersRequest request);
  Answer<admin::v1::InspectPlayerResponse> inspect_player(admin::v1::InspectPlayerRequest request);
  Answer<admin::v1::CloseTableResponse> close_table(admin::v1::CloseTableRequest request);
  Answer<admin::v1::ExportPlayerResponse> export_player(admin::v1::ExportPlayerRequest request);
  Answer<admin::v1::ErasePlayerResponse> erase_player(admin::v1::ErasePlayerRequest request);
  Answer<admin::v1::FreeBotResponse> free_bot(admin::v1::FreeBotRequest request);
  Answer<admin::v1::DrainResponse> drain(admin::v1::DrainRequest request);
  Answer<admin::v1::UndrainResponse> undrain(admin::v1::UndrainRequest request);
  Answer<admin::v1::SetLogLevelResponse> set_log_level(admin::v1::SetLogLevelRequest request);

  boost::asio::awaitable<Expected<void>> add_tables(PlayerId player, store::TableState state,
                                                    admin::v1::InspectPlayerResponse& response);
  boost::asio::awaitable<admin::v1::TableSummary> summary_of(store::TableRow row);

  Parts parts_;
  directory::OperatorAccess tables_{parts_.directory};
  TableInspection inspection_{{.config = parts_.config,
                               .log = parts_.log,
                               .snapshots = parts_.snapshots,
                               .table_rows = parts_.table_rows,
                               .directory = parts_.directory}};
  AdminPlayerData player_data_{{.store = parts_.store,
                                .personal = parts_.personal,
                                .accounts = parts_.accounts,
                                .profiles = parts_.profiles,
                                .moderation = parts_.moderation,
                                .friends = parts_.friends,
                                .notices = parts_.notices,
                                .tables = tables_,
                                .tokens = parts_.tokens}};
};

}  // namespace tesela::ops
