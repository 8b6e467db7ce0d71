#include "server/nodes/node_methods.h"

#include <set>
#include <string>

namespace tesela::nodes {
namespace {

/// "tesela.lobby.v1.LobbyService" in "/tesela.lobby.v1.LobbyService/JoinTable".
std::string service_in(std::string_view path) {
  return std::string{path.substr(1, path.rfind('/') - 1)};
}

}  // namespace

void add_routes(rpc::ConnectGateway& gateway, net::HttpRouter& router,
                const std::vector<rpc::Method>& methods) {
  std::set<std::string> services;
  for (const rpc::Method& method : methods) services.insert(service_in(method.path));
  for (const std::string& service : services) gateway.add_routes(router, service);
}

NodeMethods::NodeMethods(const std::vector<rpc::Method>& methods,
                         quota::AdmissionControl& admission, metrics::Metrics& metrics)
    : calls_({methods}, admission, metrics) {
  add_routes(gateway_, router_, methods);
}

}  // namespace tesela::nodes
