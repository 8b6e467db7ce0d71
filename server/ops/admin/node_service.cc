#include "server/ops/admin/node_service.h"

#include <spdlog/spdlog.h>

#include "server/ops/admin/admin_proto.h"

namespace tesela::ops {

std::vector<rpc::Method> NodeService::methods() {
  return rpc::methods_of(
      "tesela.node.v1.NodeService",
      {rpc::method_by(*this, &NodeService::get_node),
       rpc::method_by(*this, &NodeService::set_log_level),
       rpc::method_by(*this, &NodeService::drain), rpc::method_by(*this, &NodeService::undrain)});
}

NodeService::Answer<node::v1::GetNodeResponse> NodeService::get_node(
    node::v1::GetNodeRequest /*request*/, rpc::Caller /*caller*/) {
  const auto status = co_await parts_.here.status();
  node::v1::GetNodeResponse response = to_node(status);
  response.set_life(parts_.life.id().value);
  response.set_bot_searches(parts_.bot_searches());
  response.set_outside_bots(parts_.remote_bots());
  co_return response;
}

NodeService::Answer<node::v1::SetLogLevelResponse> NodeService::set_log_level(
    node::v1::SetLogLevelRequest request, rpc::Caller /*caller*/) {
  const auto previous = parts_.here.set_log_level(request.level());
  if (!previous) co_return std::unexpected(previous.error());
  node::v1::SetLogLevelResponse response;
  response.set_previous(*previous);
  co_return response;
}

NodeService::Answer<node::v1::DrainResponse> NodeService::drain(node::v1::DrainRequest request,
                                                                rpc::Caller /*caller*/) {
  spdlog::info("admin: {}, as an operator at another server has asked",
               request.exit() ? "drains and ends" : "drains");
  const auto drained = co_await parts_.here.drain(request.exit());
  node::v1::DrainResponse response;
  response.set_tables(drained.tables());
  response.set_streams(drained.streams());
  co_return response;
}

NodeService::Answer<node::v1::UndrainResponse> NodeService::undrain(
    node::v1::UndrainRequest /*request*/, rpc::Caller /*caller*/) {
  spdlog::info("admin: takes a drain back, as an operator at another server has asked");
  const auto undone = parts_.here.undrain();
  if (!undone) co_return std::unexpected(undone.error());
  co_return node::v1::UndrainResponse{};
}

}  // namespace tesela::ops
