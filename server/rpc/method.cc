#include "server/rpc/method.h"

#include <algorithm>
#include <stdexcept>

#include "server/base/text_encoding.h"

namespace tesela::rpc {
namespace {

namespace pb = google::protobuf;

std::string path_of(const pb::MethodDescriptor& method) {
  return "/" + method.service()->full_name() + "/" + method.name();
}

Method* method_taking(const pb::Descriptor& request, std::vector<Method>& methods) {
  for (Method& method : methods) {
    if (method.request->GetDescriptor() == &request) return &method;
  }
  return nullptr;
}

}  // namespace

std::string_view bearer_token(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() <= kScheme.size()) return {};
  for (std::size_t i = 0; i < kScheme.size(); ++i) {
    const char c = authorization[i];
    if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != kScheme[i]) return {};
  }
  authorization.remove_prefix(kScheme.size());
  // Any number of spaces stands behind the scheme (RFC 9110, 11.4).
  authorization.remove_prefix(std::min(authorization.find_first_not_of(' '), authorization.size()));
  return authorization;
}

std::vector<Method> methods_of(std::string_view service, std::vector<Method> methods) {
  const pb::ServiceDescriptor* contract =
      pb::DescriptorPool::generated_pool()->FindServiceByName(std::string{service});
  if (contract == nullptr) throw std::logic_error("no service " + std::string{service});
  std::size_t found = 0;
  for (int i = 0; i < contract->method_count(); ++i) {
    const pb::MethodDescriptor& declared = *contract->method(i);
    if (declared.client_streaming()) continue;
    Method* method = method_taking(*declared.input_type(), methods);
    if (method == nullptr ||
        method->response != (declared.server_streaming() ? nullptr : declared.output_type())) {
      throw std::logic_error("nothing answers " + path_of(declared));
    }
    method->descriptor = &declared;
    method->path = path_of(declared);
    ++found;
  }
  if (found != methods.size()) {
    throw std::logic_error("a method is not declared by " + std::string{service});
  }
  return methods;
}

const pb::MethodDescriptor* declared_method(std::string_view path) {
  if (!path.starts_with('/')) return nullptr;
  std::string name{path.substr(1)};
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return nullptr;
  name[slash] = '.';
  const auto* method = pb::DescriptorPool::generated_pool()->FindMethodByName(name);
  // "/a.b/Service.Method" has the same letters and is no path of it.
  return method != nullptr && path_of(*method) == path ? method : nullptr;
}

Expected<TableId> table_id_of(const std::string& text) {
  if (const auto id = base::parse_id<TableId>(text)) return *id;
  return refuse(ErrorCode::kInvalidArgument, "table_id is not a table's id.");
}

Expected<PlayerId> player_id_of(const std::string& text) {
  if (const auto id = base::parse_id<PlayerId>(text)) return *id;
  return refuse(ErrorCode::kInvalidArgument, "player_id is not a player's id.");
}

}  // namespace tesela::rpc
