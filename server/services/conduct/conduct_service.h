// The methods of tesela.account.v1.ConductService.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <vector>

#include "server/accounts/players.h"
#include "server/directory/directory.h"
#include "server/directory/operator_access.h"
#include "server/quota/admission_control.h"
#include "server/rpc/method.h"
#include "server/store/moderation.h"
#include "tesela/account/v1/conduct.pb.h"

namespace tesela::services {

/// Any thread. Outlives its calls.
class ConductService {
 public:
  struct Parts {
    store::Moderation& moderation;
    accounts::Players& players;
    quota::AdmissionControl& admission;
    directory::Directory& directory;
  };

  explicit ConductService(Parts parts) : parts_(parts) {}

  [[nodiscard]] std::vector<rpc::Method> methods();

 private:
  template <class Response>
  using Answer = boost::asio::awaitable<Expected<Response>>;

  Answer<account::v1::ReportPlayerResponse> report_player(account::v1::ReportPlayerRequest request,
                                                          rpc::Caller caller);
  Answer<account::v1::GetConductResponse> get_conduct(account::v1::GetConductRequest request,
                                                      rpc::Caller caller);
  Answer<account::v1::SeeActResponse> see_act(account::v1::SeeActRequest request,
                                              rpc::Caller caller);
  Answer<account::v1::GetNoticeResponse> get_notice(account::v1::GetNoticeRequest request,
                                                    rpc::Caller caller);
  /// The report, with the table's talk. Errors: those of ReportPlayer but for its limits.
  Answer<store::ReportRow> report_of(account::v1::ReportPlayerRequest request, PlayerId reporter);

  const Parts parts_;
  directory::OperatorAccess tables_{parts_.directory};
};

}  // namespace tesela::services
