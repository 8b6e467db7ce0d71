#include "server/rpc/rpc_methods.h"

#include <algorithm>
#include <array>

namespace tesela::rpc {
namespace {

namespace pb = google::protobuf;

// gRPC's library answers these without a .proto in the program.
constexpr std::array<std::string_view, 2> kHealthPaths{"/grpc.health.v1.Health/Check",
                                                       "/grpc.health.v1.Health/Watch"};

}  // namespace

const pb::MethodDescriptor* find_method(std::string_view path) {
  if (!path.starts_with('/')) return nullptr;
  std::string name{path.substr(1)};
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return nullptr;
  name[slash] = '.';
  const auto* method = pb::DescriptorPool::generated_pool()->FindMethodByName(name);
  // "/a.b/Service.Method" has the same letters and is no path of it.
  return method != nullptr && rpc_path(*method) == path ? method : nullptr;
}

std::string rpc_path(const pb::MethodDescriptor& method) {
  return "/" + method.service()->full_name() + "/" + method.name();
}

std::string rpc_label(std::string_view path) {
  const bool known =
      std::ranges::find(kHealthPaths, path) != kHealthPaths.end() || find_method(path) != nullptr;
  return std::string{known ? path : kUnknownRpc};
}

}  // namespace tesela::rpc
