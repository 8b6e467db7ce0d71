#include "server/ops/admin/operator_gate.h"

#include "server/base/crypto.h"
#include "server/quota/host_names.h"

namespace tesela::ops {

void OperatorGate::replace(std::vector<Operator> operators) {
  const std::scoped_lock lock(mutex_);
  operators_ = std::move(operators);
}

std::optional<Operator> OperatorGate::find(const rpc::Caller& caller) const {
  if (caller.foreign_host || (caller.over_grpc && http_only_)) return std::nullopt;
  if (base::same_secret(caller.token, holder_.token)) return holder_;
  const std::scoped_lock lock(mutex_);
  for (const Operator& one : operators_) {
    if (base::same_secret(caller.token, one.token)) return one;
  }
  return std::nullopt;
}

Expected<Operator> OperatorGate::admit(const rpc::Caller& caller, Role role) {
  if (auto found = find(caller)) {
    if (found->role >= role) return *std::move(found);
    return refuse(ErrorCode::kPermissionDenied,
                  "This needs the role " + std::string(name_of(role)) + "; " + found->name +
                      " has the role " + std::string(name_of(found->role)) + ".");
  }
  if (caller.over_grpc && http_only_) {
    return refuse(ErrorCode::kPermissionDenied,
                  "Operators are answered on the port of --ops-port alone.");
  }
  if (caller.foreign_host) {
    return refuse(ErrorCode::kPermissionDenied, std::string{quota::kOperatorsHost});
  }
  if (caller.token.empty()) {
    return refuse(ErrorCode::kUnauthenticated,
                  "This needs the admin token, or an operator's, as \"authorization: Bearer"
                  " TOKEN\".");
  }
  refusal_lines_.log(spdlog::level::warn,
                     "admin: somebody at {} was refused: the token is no operator's",
                     caller.address ? caller.address->to_string() : "an unknown address");
  return refuse(ErrorCode::kUnauthenticated,
                "The token is not the admin token of this server, nor an operator's.");
}

}  // namespace tesela::ops
