#include "server/ops/contradiction.h"

namespace tesela::ops {

std::string contradiction(const Config& config) {
  if (config.issuer_key_file.has_value() != !config.issuer_name.empty()) {
    return "--issuer-key-file and --issuer-name belong together: give both or neither.";
  }
  if (!config.issuer_audience.empty() && !config.issuer_key_file) {
    return "--issuer-audience is of an issuer: give --issuer-key-file and --issuer-name too.";
  }
  if (config.tls_certificate_file.has_value() != config.tls_key_file.has_value()) {
    return "--tls-certificate-file and --tls-key-file belong together: give both or neither.";
  }
  const bool has_node_port = config.node.port != 0;
  if (has_node_port != config.node_secret_file.has_value()) {
    return "--node-port and --node-secret-file belong together: give both or neither.";
  }
  if (has_node_port && config.database.empty()) {
    return "--node-port is for servers on one database: give --database too.";
  }
  if (!has_node_port && !config.node_name.empty()) {
    return "--node-name says where the port of --node-port is: give that too.";
  }
  return {};
}

}  // namespace tesela::ops
