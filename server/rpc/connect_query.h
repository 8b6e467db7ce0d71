// Calls of the Connect protocol by GET, of methods without side effects.
#pragma once

#include "server/net/http/http_message.h"
#include "server/rpc/connect_codec.h"

namespace tesela::rpc {

/// Takes the message of a call by GET out of the query (`message`, `encoding`, and where they are
/// there `base64`, `compression` and `connect`) and puts it where a POST has it: into the body,
/// with its Content-Encoding. Error: kInvalidArgument, with the parameter that is wrong.
[[nodiscard]] Expected<ConnectContent> take_query(net::Request& request);

}  // namespace tesela::rpc
