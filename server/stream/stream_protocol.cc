#include "server/stream/stream_protocol.h"

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

}  // namespace tesela::stream
