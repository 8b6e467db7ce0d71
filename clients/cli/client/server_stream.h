// A call whose answer is a stream of messages, over the Connect protocol on its own connection.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string>

#include "clients/cli/client/connection.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// One thread. The destructor closes the connection. Errors: the server's answer; kUnavailable when
/// it cannot be reached, is silent for kSilenceMax, or the stream breaks off.
class ServerStream {
 public:
  /// `token` is the caller's.
  ServerStream(ServerAddress server, std::string token)
      : server_(std::move(server)), token_(std::move(token)) {}

  /// Calls a method, such as "MatchmakingService/Find", with an encoded request. Called once.
  Task<Expected<void>> start(std::string method, std::string request);

  /// The next message, encoded; after `start`. Empty when there are no more.
  Task<Expected<std::optional<std::string>>> next();

 private:
  Task<Expected<void>> ask(std::string method, std::string request);
  Task<Expected<void>> read_some();

  ServerAddress server_;
  std::string token_;
  std::optional<Connection> connection_;
  boost::beast::flat_buffer buffer_;
  boost::beast::http::response_parser<boost::beast::http::string_body> response_;
};

}  // namespace tesela::cli
