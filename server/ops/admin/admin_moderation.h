// The methods of tesela.admin.v1.ModerationService.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/accounts/tokens.h"
#include "server/ops/act_effects.h"
#include "server/ops/admin/operator_gate.h"
#include "server/ops/void_games.h"
#include "server/rpc/method.h"
#include "server/store/moderation.h"
#include "server/store/store.h"
#include "tesela/admin/v1/moderation.pb.h"

namespace tesela::ops {

[[nodiscard]] admin::v1::Report to_proto(const store::ReportRow& row);
[[nodiscard]] admin::v1::PlayerAct to_proto(const store::ActRow& row);

/// Any thread. Outlives its calls. Every method requires the token of an operator.
class AdminModeration {
 public:
  struct Parts {
    store::Store& store;
    store::TableRows& table_rows;
    directory::Directory& directory;
    store::Moderation& moderation;
    accounts::Tokens& tokens;
    ActEffects& effects;
    OperatorGate& gate;
  };

  explicit AdminModeration(Parts parts)
      : parts_(parts),
        void_games_({.table_rows = parts.table_rows,
                     .moderation = parts.moderation,
                     .directory = parts.directory}) {}

  [[nodiscard]] std::vector<rpc::Method> methods();

 private:
  template <class T>
  using Answer = boost::asio::awaitable<Expected<T>>;

  template <class Request, class Response>
  [[nodiscard]] rpc::Method method_by(Role role,
                                      Answer<Response> (AdminModeration::*work)(Request));
  Answer<admin::v1::ListReportsResponse> list_reports(admin::v1::ListReportsRequest request);
  Answer<admin::v1::InspectReportResponse> inspect_report(admin::v1::InspectReportRequest request);
  Answer<admin::v1::AssignReportResponse> assign_report(admin::v1::AssignReportRequest request);
  Answer<admin::v1::CloseReportResponse> close_report(admin::v1::CloseReportRequest request);
  Answer<admin::v1::ListActsResponse> list_acts(admin::v1::ListActsRequest request);
  Answer<admin::v1::ActOnPlayerResponse> act_on_player(admin::v1::ActOnPlayerRequest request);
  Answer<admin::v1::ActOnServersResponse> act_on_servers(admin::v1::ActOnServersRequest request);
  Answer<admin::v1::VoidGameResponse> void_game(admin::v1::VoidGameRequest request);
  Answer<admin::v1::UndoActResponse> undo_act(admin::v1::UndoActRequest request);

  /// Whether acts of this kind can be done to the player. Errors: kNotFound, kInvalidArgument.
  Answer<void> check_target(PlayerId player, store::ActKind kind);
  boost::asio::awaitable<void> carry_out(const store::Acted& acted);

  const Parts parts_;
  VoidGames void_games_;
};

}  // namespace tesela::ops
