#include "server/ops/admin/operator_gate.h"

#include "server/base/crypto.h"
#include "server/quota/host_names.h"

namespace tesela::ops {

bool OperatorGate::admits(const rpc::Caller& caller) const {
  if (caller.foreign_host || (caller.over_grpc && http_only_)) return false;
  return base::same_secret(caller.token, token_);
}

Expected<void> OperatorGate::admit(const rpc::Caller& caller) {
  if (admits(caller)) return {};
  if (caller.over_grpc && http_only_) {
    return refuse(ErrorCode::kPermissionDenied,
                  "Operators are answered on the port of --ops-port alone.");
  }
  if (caller.foreign_host) {
    return refuse(ErrorCode::kPermissionDenied, std::string{quota::kOperatorsHost});
  }
  if (caller.token.empty()) {
    return refuse(ErrorCode::kUnauthenticated,
                  "This needs the admin token, as \"authorization: Bearer TOKEN\".");
  }
  refusal_lines_.log(spdlog::level::warn,
                     "admin: somebody at {} was refused: the token is not the admin token",
                     caller.address ? caller.address->to_string() : "an unknown address");
  return refuse(ErrorCode::kUnauthenticated, "The token is not the admin token of this server.");
}

}  // namespace tesela::ops
