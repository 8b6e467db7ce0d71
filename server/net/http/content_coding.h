// The compressed form of a file for a client (RFC 9110, 12.5.3), and how the client's own data is
// compressed (8.4).
#pragma once

#include <optional>
#include <string_view>

namespace tesela::net {

enum class Coding { kIdentity, kGzip, kBrotli };

/// The coding that `accept_encoding` (the header's value) likes best among identity and those there
/// are; of equals the smaller one. Identity where it accepts none of them.
[[nodiscard]] Coding choose_coding(std::string_view accept_encoding, bool has_gzip,
                                   bool has_brotli);

/// The coding of a body by its Content-Encoding, empty where there is none: identity or gzip.
/// Empty: any other, or several.
[[nodiscard]] std::optional<Coding> read_coding(std::string_view content_encoding);

}  // namespace tesela::net
