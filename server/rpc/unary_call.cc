#include "server/rpc/unary_call.h"

#include "server/accounts/tokens.h"
#include "server/base/text_encoding.h"

namespace tesela::rpc {

std::string token_of(const grpc::CallbackServerContext& context) {
  const auto& metadata = context.client_metadata();
  const auto at = metadata.find("authorization");
  if (at == metadata.end()) return {};
  return std::string{accounts::bearer_token({at->second.data(), at->second.size()})};
}

Expected<TableId> table_id_of(const std::string& text) {
  if (const auto id = base::parse_table_id(text)) return *id;
  return refuse(ErrorCode::kInvalidArgument, "table_id is not a table's id.");
}

}  // namespace tesela::rpc
