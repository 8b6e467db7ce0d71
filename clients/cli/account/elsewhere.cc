#include "clients/cli/account/elsewhere.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include "clients/cli/base/printed.h"
#include "clients/cli/base/value_text.h"
#include "server/base/urls/url_query.h"

namespace tesela::cli {

namespace pb = account::v1;

Expected<pb::OidcAnswer> answer_in(std::string_view address) {
  pb::OidcAnswer answer;
  std::string_view query = address.substr(std::min(address.find('?') + 1, address.size()));
  query = query.substr(0, query.find_first_of("# \r\n"));
  auto fields = base::query_fields(query);
  if (!fields) fields.emplace();
  for (const auto& [name, value] : *fields) {
    if (name == "code") answer.set_code(value);
    if (name == "state") answer.set_state(value);
    if (name == "iss") answer.set_iss(value);
    if (name == "error") {
      return refuse(ErrorCode::kPermissionDenied, "The provider has not signed you in.");
    }
  }
  if (!answer.code().empty() && !answer.state().empty()) return answer;
  return refuse(ErrorCode::kInvalidArgument,
                "This is not the address that the provider sends you to: that has a code and a"
                " state. Copy all of it from the address bar.");
}

Task<Expected<pb::SignInWithOidcResponse>> sign_in_elsewhere(ServerAddress server,
                                                             std::string name) {
  auto device_secret = file_of(server).device_secret();
  if (!device_secret) co_return std::unexpected(std::move(device_secret.error()));
  ConnectClient client = client_of(server);
  const Seed random = random_seed();
  pb::BeginOidcRequest begin;
  begin.set_browser_secret(std::string(random.begin(), random.end()));
  const auto begun = co_await client.ask<pb::BeginOidcResponse>("AccountService/BeginOidc",
                                                                begin.SerializeAsString());
  if (!begun) co_return std::unexpected(begun.error());
  print(std::cerr,
        "Open this page in a browser and sign in there:\n\n{}\n\nThen paste the address of the"
        " page that you are sent to: ",
        begun->authorization_url());
  std::string address;
  std::getline(std::cin, address);
  auto answer = answer_in(address);
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  if (answer->state() != begun->state()) {
    co_return refuse(ErrorCode::kPermissionDenied,
                     "This address belongs to another sign-in: open the page that is shown here.");
  }
  answer->set_browser_secret(begin.browser_secret());
  pb::SignInWithOidcRequest request;
  *request.mutable_answer() = std::move(*answer);
  request.set_display_name(std::move(name));
  request.set_device_secret(std::move(*device_secret));
  request.set_device("tesela");
  co_return co_await client.ask<pb::SignInWithOidcResponse>("AccountService/SignInWithOidc",
                                                            request.SerializeAsString());
}

}  // namespace tesela::cli
