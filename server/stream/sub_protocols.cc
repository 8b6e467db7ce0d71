#include "server/stream/sub_protocols.h"

#include <boost/beast/http/rfc7230.hpp>

namespace tesela::stream {

std::string_view name_of(codec::Protocol protocol) {
  return protocol == codec::Protocol::kBinary ? "tesela.v1.proto" : "tesela.v1.json";
}

std::optional<codec::Protocol> choose_protocol(std::string_view offered) {
  for (const auto& token : boost::beast::http::token_list({offered.data(), offered.size()})) {
    for (const auto protocol : {codec::Protocol::kBinary, codec::Protocol::kJson}) {
      if (token == boost::beast::string_view(name_of(protocol))) return protocol;
    }
  }
  return std::nullopt;
}

Expected<codec::ClientFrame> decode(std::string_view message, bool binary,
                                    codec::Protocol protocol) {
  const bool expected = protocol == codec::Protocol::kBinary;
  if (binary == expected) return codec::decode_client_frame(message, protocol);
  return refuse(ErrorCode::kInvalidArgument,
                expected ? "This sub-protocol takes binary messages, not text."
                         : "This sub-protocol takes text messages, not binary ones.");
}

}  // namespace tesela::stream
