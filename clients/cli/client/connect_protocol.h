// Requests, errors and envelopes of the Connect protocol.
// Source: https://connectrpc.com/docs/protocol/
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string>

#include "clients/cli/client/server_address.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// A call of a method: the server, the caller, and the type of the body.
struct ConnectCall {
  ServerAddress server;
  std::string token;   // of the caller; empty: none
  std::string method;  // as in "LobbyService/SignIn"
  std::string content_type;
  std::string package = "tesela.lobby.v1";
};

[[nodiscard]] boost::beast::http::request<boost::beast::http::string_body> connect_request(
    const ConnectCall& call, std::string body);

/// The error of a response: its body is JSON, `{"code": "not_found", "message": "…"}`. A body
/// that is not of that form gives a sentence made of the HTTP status.
[[nodiscard]] Error read_connect_error(unsigned http_status, const std::string& body);

/// An envelope of a stream.
struct Envelope {
  bool last{};  // `message` is JSON: how the stream ended
  std::string message;
};

/// The envelope of a request.
[[nodiscard]] std::string write_envelope(const std::string& message);

/// Takes the first envelope away from `bytes`; empty when it is not complete yet.
[[nodiscard]] std::optional<Envelope> take_envelope(std::string& bytes);

/// How a stream ended: reads the message of its last envelope.
[[nodiscard]] Expected<void> read_stream_end(const std::string& message);

}  // namespace tesela::cli
