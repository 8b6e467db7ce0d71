// Messages of the Connect protocol and of gRPC-Web: JSON or protobuf, bare or in envelopes, plain
// or gzip.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "server/net/http/content_coding.h"
#include "server/rpc/method.h"

namespace tesela::rpc {

/// The format that a Content-Type names.
struct ConnectContent {
  bool json{};
  bool streaming{};  // messages in envelopes
  bool grpc_web{};   // and so are the answers of unary methods; the last envelope has trailers

  friend bool operator==(const ConnectContent&, const ConnectContent&) = default;
};

/// Empty for a Content-Type that the protocols do not have.
[[nodiscard]] std::optional<ConnectContent> parse_content_type(std::string_view value);
/// Whether its body is UTF-8, as JSON is that says nothing else.
[[nodiscard]] bool is_utf8(std::string_view content_type);
/// The Content-Type of an answer to `content`.
[[nodiscard]] std::string_view content_type(const ConnectContent& content);

/// The request in `body`, a message like `prototype`. JSON with a field that the message does not
/// have is refused: a typing error must not go unnoticed. Error: kInvalidArgument, with what is
/// wrong.
[[nodiscard]] Expected<RequestPtr> read_request(const google::protobuf::Message& prototype,
                                                bool json, std::string_view body);

/// A message of the service as the client wants it. Error: kInternal when it cannot be written.
[[nodiscard]] Expected<std::string> write_message(const google::protobuf::Message& message,
                                                  bool json);

/// Flags of an envelope.
inline constexpr std::uint8_t kEnvelopeCompressed = 1;
inline constexpr std::uint8_t kEnvelopeEndStream = 2;
inline constexpr std::uint8_t kEnvelopeTrailers = 128;  // of gRPC-Web

/// Flags, length (4 bytes, big-endian) and the message.
[[nodiscard]] std::string envelope(std::uint8_t flags, std::string_view message);

struct Envelope {
  std::uint8_t flags{};
  std::string message{};
};

/// Takes the first envelope off `bytes`, which come in pieces; empty: not all of it is there.
/// Error: kInvalidArgument when its message has more than `most` bytes.
[[nodiscard]] Expected<std::optional<Envelope>> take_envelope(std::string& bytes, std::size_t most);

/// The only message of a request stream with `coding` (net::read_coding of the
/// Connect-Content-Encoding or Grpc-Encoding). Errors: kInvalidArgument for a body that is not
/// exactly one envelope; those of `decompress`.
[[nodiscard]] Expected<std::string> open_envelope(std::string_view body, net::Coding coding);

/// `coding`: as above. Errors: kInvalidArgument for broken data, kResourceExhausted above
/// limits::kHttpBodyBytesMax.
[[nodiscard]] Expected<std::string> decompress(std::string_view body, net::Coding coding);

}  // namespace tesela::rpc
