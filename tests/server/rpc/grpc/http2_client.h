// What a client of HTTP/2 sends, written by hand but for the coding of its headers.
#pragma once

#include <nghttp2/nghttp2.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/rpc/grpc/http2_frames.h"
#include "server/rpc/grpc/http2_meter.h"

namespace tesela::net {

using HeaderFields = std::vector<std::pair<std::string, std::string>>;

inline std::string frame(rpc::FrameType type, std::uint32_t stream, const std::string& payload,
                         std::uint8_t flags = 0) {
  return rpc::FrameHead{.size = payload.size(), .type = type, .flags = flags, .stream = stream}
             .bytes() +
         payload;
}

inline std::string greeting() {
  return std::string{rpc::kHttp2Preface} + frame(rpc::FrameType::kSettings, 0, "");
}

inline HeaderFields request_fields(std::string path = "/tesela.test.v1.EchoService/Say") {
  return {{":method", "POST"},        {":scheme", "http"},
          {":path", std::move(path)}, {":authority", "tesela.example"},
          {"te", "trailers"},         {"content-type", "application/grpc"}};
}

/// Encodes with Huffman and a dynamic table, which both ends keep.
class HeaderWriter {
 public:
  explicit HeaderWriter(std::size_t table_bytes = 4096) {
    if (nghttp2_hd_deflate_new(&deflater_, table_bytes) != 0) throw std::runtime_error("memory");
  }
  ~HeaderWriter() { nghttp2_hd_deflate_del(deflater_); }
  HeaderWriter(const HeaderWriter&) = delete;
  HeaderWriter& operator=(const HeaderWriter&) = delete;

  void set_table_bytes(std::size_t bytes) {
    nghttp2_hd_deflate_change_table_size(deflater_, bytes);
  }

  std::string encode(HeaderFields fields) {
    std::vector<nghttp2_nv> all;
    all.reserve(fields.size());
    for (auto& [name, value] : fields) {
      all.push_back({.name = reinterpret_cast<std::uint8_t*>(name.data()),
                     .value = reinterpret_cast<std::uint8_t*>(value.data()),
                     .namelen = name.size(),
                     .valuelen = value.size(),
                     .flags = NGHTTP2_NV_FLAG_NONE});
    }
    std::string block(nghttp2_hd_deflate_bound(deflater_, all.data(), all.size()), '\0');
    const auto size =
        nghttp2_hd_deflate_hd(deflater_, reinterpret_cast<std::uint8_t*>(block.data()),
                              block.size(), all.data(), all.size());
    if (size < 0) throw std::runtime_error("headers cannot be encoded");
    block.resize(static_cast<std::size_t>(size));
    return block;
  }

  /// A HEADERS that is a whole block.
  std::string headers(std::uint32_t stream, HeaderFields fields, std::uint8_t flags = 0) {
    return frame(rpc::FrameType::kHeaders, stream, encode(std::move(fields)),
                 static_cast<std::uint8_t>(flags | rpc::kEndHeaders));
  }

 private:
  nghttp2_hd_deflater* deflater_ = nullptr;
};

}  // namespace tesela::net
