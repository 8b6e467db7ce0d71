// The methods of gRPC that this program knows, by the path of a call.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>
#include <string_view>

namespace tesela::rpc {

/// The method that a path names, such as "/tesela.lobby.v1.LobbyService/SignIn"; null when no
/// .proto that is linked into the program declares it. Any thread.
[[nodiscard]] const google::protobuf::MethodDescriptor* find_method(std::string_view path);

/// The path of its calls.
[[nodiscard]] std::string rpc_path(const google::protobuf::MethodDescriptor& method);

inline constexpr std::string_view kUnknownRpc = "unknown";

/// What a call is counted as: its path when the method exists, kUnknownRpc otherwise. So there are
/// no more names than methods, whatever clients send.
[[nodiscard]] std::string rpc_label(std::string_view path);

}  // namespace tesela::rpc
