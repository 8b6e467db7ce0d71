#include "server/nodes/call_relays.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/status.hpp>
#include <chrono>
#include <string>
#include <utility>

#include "server/base/relay_limits.h"
#include "server/base/text_encoding.h"
#include "server/nodes/connect_request.h"
#include "server/nodes/owner_calls.h"
#include "server/nodes/relay_headers.h"
#include "server/rpc/connect_error.h"

namespace tesela::nodes {
namespace {

namespace http = boost::beast::http;
namespace pb = google::protobuf;
using boost::asio::awaitable;
using std::chrono::steady_clock;

/// The call as any client makes it in the Connect protocol.
CallRequest request_of(const rpc::Method& method, const pb::Message& message,
                       const rpc::Caller& caller, TableId table, steady_clock::time_point until) {
  CallRequest call = unary_request(method.path, message.SerializeAsString(), until);
  call.client = caller.address.value_or(boost::asio::ip::address{});
  call.head.set({kTableField.data(), kTableField.size()}, base::to_text(table));
  if (caller.trace) call.head.set(view(tracing::kHeader), tracing::to_text(caller.trace));
  show_token(call, caller.token);
  return call;
}

/// The owner's answer.
Expected<rpc::MessagePtr> message_of(const rpc::Method& method, const CallAnswer& answer) {
  if (answer.result() != http::status::ok) {
    return std::unexpected(rpc::read_error(answer.result_int(), answer.body()));
  }
  const pb::Message* empty = pb::MessageFactory::generated_factory()->GetPrototype(method.response);
  std::shared_ptr<pb::Message> message{empty->New()};
  if (!message->ParseFromString(answer.body())) {
    return refuse(ErrorCode::kInternal, "The server that has the table gave no answer to this.");
  }
  return message;
}

}  // namespace

std::vector<rpc::Method> CallRelays::relayed(std::vector<rpc::Method> methods, Admits admits) {
  const std::vector<rpc::Method> of_owner = methods_of_owner(methods);
  for (rpc::Method& method : methods) {
    if (std::ranges::find(of_owner, method.path, &rpc::Method::path) == of_owner.end()) continue;
    auto here = std::make_shared<const rpc::Method>(method);
    method.answer = [this, here = std::move(here), admits](rpc::RequestPtr request,
                                                           rpc::Caller caller) {
      if (!admits(caller)) return here->answer(std::move(request), std::move(caller));
      return answer(here, std::move(request), std::move(caller));
    };
  }
  return methods;
}

awaitable<Expected<rpc::MessagePtr>> CallRelays::answer(Here here, rpc::RequestPtr request,
                                                        rpc::Caller caller) {
  const auto until = std::min(caller.deadline, steady_clock::now() + limits::kRelayCallTimeMax);
  for (const TableId table : tables_of(*here, *request)) {
    base::Loop& loop = parts_.here.loop_of(table);
    auto looked = look(loop, table, request_of(*here, *request, caller, table, until));
    const Found found = co_await loop.call(std::move(looked));
    if (found.live_here) break;
    if (!found.answer) continue;
    if (!*found.answer) co_return std::unexpected(found.answer->error());
    co_return message_of(*here, **found.answer);
  }
  co_return co_await here->answer(std::move(request), std::move(caller));
}

/// On the table's loop.
awaitable<CallRelays::Found> CallRelays::look(base::Loop& loop, TableId table, CallRequest call) {
  Found found;
  found.live_here = parts_.here.is_live(table);
  if (!found.live_here) found.answer = co_await parts_.relays.pass_on(loop, std::move(call), table);
  co_return found;
}

/// The tables whose owner may answer, the first before the others. A rematch concerns two tables:
/// the owner of the new one can give a seat there, and the owner of the old one can tell its
/// players.
std::vector<TableId> CallRelays::tables_of(const rpc::Method& method,
                                           const pb::Message& request) const {
  const pb::FieldDescriptor* field = request.GetDescriptor()->FindFieldByName("table_id");
  const auto id = base::parse_id<TableId>(request.GetReflection()->GetString(request, field));
  std::vector<TableId> tables;
  if (!id) return tables;
  if (method.path.ends_with("/RematchTable")) tables.push_back(parts_.rematch_of(*id));
  tables.push_back(*id);
  return tables;
}

}  // namespace tesela::nodes
