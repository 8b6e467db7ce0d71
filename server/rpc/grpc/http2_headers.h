// The blocks of headers that a client of the gRPC port sends: what they say when they are decoded,
// and whether gRPC may see it.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "server/rpc/grpc/http2_frames.h"

struct nghttp2_hd_inflater;

namespace tesela::rpc {

/// Why a connection of HTTP/2 is ended.
struct Http2Fault {
  Http2Error error;
  std::string_view sentence;  // lives as long as the program
};

/// Reads the blocks of one connection, in the order in which they come, with nghttp2's decoder of
/// HPACK (RFC 7541). It keeps a dynamic table of limits::kGrpcHeaderTableBytes, which is what the
/// client may assume. gRPC is given each block encoded anew, every field as a literal that no table
/// keeps and without Huffman: its own decoder has nothing to keep in step, and the table that it
/// encodes answers with is an affair between it and the client. Calls of gRPC's reflection by its
/// newer name (v1) are given the one that the library knows (v1alpha).
class HeaderReader {
 public:
  struct Block {
    std::string encoded;  // at most limits::kGrpcHeaderListBytesMax
    std::string path;     // empty in trailers
    std::string host;     // :authority, otherwise the field host; empty: neither
  };

  /// Throws std::bad_alloc.
  HeaderReader();

  /// A block, whole: of a request, or the trailers behind its messages. Refused are a block that
  /// is larger than limits::kGrpcHeaderListBytesMax when it is decoded, counted as SETTINGS count
  /// it (RFC 9113, 6.5.2: 32 bytes a field beside its name and value), and what RFC 9113 (8.2, 8.3)
  /// calls malformed: pseudo-headers that are unknown, twice, missing or out of place, names in
  /// upper case, fields of a connection, a `te` other than "trailers", a `:scheme` other than http
  /// and https, a `:method` other than POST; and the fields that gRPC keeps for itself.
  /// After a refusal nothing more may be read.
  [[nodiscard]] std::expected<Block, Http2Fault> read(std::string_view block, bool trailers);

 private:
  struct Delete {
    void operator()(nghttp2_hd_inflater* inflater) const;
  };
  std::unique_ptr<nghttp2_hd_inflater, Delete> inflater_;
};

}  // namespace tesela::rpc
