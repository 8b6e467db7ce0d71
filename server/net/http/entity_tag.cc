#include "server/net/http/entity_tag.h"

#include <algorithm>
#include <cstddef>

#include "server/base/crypto.h"
#include "server/net/http/header_values.h"

namespace tesela::net {

std::string digest_of(std::string_view content) {
  const base::Sha256 digest = base::sha256(content);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < 12; ++i) {
    text += kHex[digest[i] >> 4U];
    text += kHex[digest[i] & 15U];
  }
  return text;
}

bool revalidates(const Request& request, std::string_view etag, Response& response) {
  response.headers.set(http::field::etag, etag);
  const bool has_it = std::ranges::any_of(elements_of(request[http::field::if_none_match]),
                                          [&](std::string_view tag) {
                                            if (tag.starts_with("W/")) tag.remove_prefix(2);
                                            return tag == etag || tag == "*";
                                          });
  if (has_it) response.status = http::status::not_modified;
  return has_it;
}

}  // namespace tesela::net
