// Which compressed form of a file a client is sent (RFC 9110, 12.5.3).
#pragma once

#include <string_view>

namespace tesela::net {

enum class Coding { kIdentity, kGzip, kBrotli };

/// The coding that `accept_encoding` (the header's value) likes best among identity and those there
/// are; of equals the smaller one. Identity where it accepts none of them.
[[nodiscard]] Coding choose_coding(std::string_view accept_encoding, bool has_gzip,
                                   bool has_brotli);

}  // namespace tesela::net
