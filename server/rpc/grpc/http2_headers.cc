#include "server/rpc/grpc/http2_headers.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <optional>
#include <utility>

#include "server/base/limits.h"

namespace tesela::rpc {
namespace {

// RFC 9113, 6.5.2.
constexpr std::size_t kFieldOverhead = 32;
constexpr std::array<std::string_view, 4> kPseudoHeaders{":method", ":scheme", ":authority",
                                                         ":path"};
// RFC 9113, 8.2.2; then what only gRPC's own parts say to each other. The library ends the process
// over the first of these when more than 8 KiB of others follow (CVE-2023-1428).
constexpr auto kForbidden = std::to_array<std::string_view>(
    {"connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
     "grpclb_client_stats", "grpc-internal-encoding-request", "lb-cost-bin"});

// Debian's library has the service under the name that it had before; its messages are the same.
constexpr std::string_view kReflection =
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
constexpr std::string_view kReflectionBefore =
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";

const std::uint8_t* octets(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

std::unexpected<Http2Fault> malformed(std::string_view sentence) {
  return std::unexpected(Http2Fault{Http2Error::kProtocolError, sentence});
}

// A length in 7 bits, the first of them for Huffman (RFC 7541, 5.1 and 5.2).
void append_text(std::string& to, std::string_view text) {
  constexpr std::size_t kFirstMax = 0x7f;
  if (text.size() < kFirstMax) {
    to += static_cast<char>(text.size());
  } else {
    to += static_cast<char>(kFirstMax);
    std::size_t rest = text.size() - kFirstMax;
    for (; rest >= 0x80; rest >>= 7U) to += static_cast<char>((rest & 0x7fU) | 0x80U);
    to += static_cast<char>(rest);
  }
  to += text;
}

// A literal without indexing whose name is new (RFC 7541, 6.2.2).
void append_field(std::string& to, std::string_view name, std::string_view value) {
  to += '\0';
  append_text(to, name);
  append_text(to, value);
}

/// Judges the fields of one block, one after the other.
class Judge {
 public:
  explicit Judge(bool trailers) : trailers_(trailers) {}

  std::expected<void, Http2Fault> take(std::string_view name, std::string_view value) {
    if (name.starts_with(':')) return take_pseudo(name, value);
    regular_ = true;
    if (name == "host" && host_.empty()) host_ = value;
    if (nghttp2_check_header_name(octets(name), name.size()) == 0) {
      return malformed("A header has a name that is not allowed.");
    }
    if (nghttp2_check_header_value(octets(value), value.size()) == 0) {
      return malformed("A header has a value with characters that are not allowed.");
    }
    if (name == "te" && value != "trailers") {
      return malformed("The header te may only be \"trailers\".");
    }
    if (std::ranges::find(kForbidden, name) != kForbidden.end()) {
      return malformed("A header is not allowed in a request of HTTP/2.");
    }
    return {};
  }

  std::expected<std::string, Http2Fault> path() {
    if (trailers_) return {};
    if (!seen(":method") || !seen(":scheme") || !seen(":path")) {
      return malformed("A request needs :method, :scheme and :path.");
    }
    return std::move(path_);
  }
  [[nodiscard]] std::string host() { return std::move(host_); }

 private:
  std::expected<void, Http2Fault> take_pseudo(std::string_view name, std::string_view value) {
    const auto at = std::ranges::find(kPseudoHeaders, name);
    if (at == kPseudoHeaders.end()) return malformed("A pseudo-header is not known.");
    if (trailers_) return malformed("Trailers have no pseudo-headers.");
    if (regular_) return malformed("Pseudo-headers come before all others.");
    bool& seen = seen_[static_cast<std::size_t>(at - kPseudoHeaders.begin())];
    if (std::exchange(seen, true)) return malformed("A pseudo-header came twice.");
    if (name == ":scheme" && value != "http" && value != "https") {
      return malformed("The :scheme may only be http or https.");
    }
    if (name == ":method" && value != "POST") {
      return malformed("Calls of gRPC have the :method POST.");
    }
    if (name == ":authority" && nghttp2_check_authority(octets(value), value.size()) == 0) {
      return malformed("The :authority has characters that are not allowed.");
    }
    if (name == ":authority") host_ = value;
    if (name == ":path") {
      if (!value.starts_with('/') || nghttp2_check_path(octets(value), value.size()) == 0) {
        return malformed("The :path is none.");
      }
      path_ = value;
    }
    return {};
  }

  [[nodiscard]] bool seen(std::string_view name) const {
    const auto at = std::ranges::find(kPseudoHeaders, name);
    return seen_[static_cast<std::size_t>(at - kPseudoHeaders.begin())];
  }

  const bool trailers_;
  bool regular_ = false;  // a field that is no pseudo-header has come
  std::array<bool, kPseudoHeaders.size()> seen_{};
  std::string path_;
  std::string host_;
};

}  // namespace

void HeaderReader::Delete::operator()(nghttp2_hd_inflater* inflater) const {
  nghttp2_hd_inflate_del(inflater);
}

HeaderReader::HeaderReader() {
  nghttp2_hd_inflater* inflater = nullptr;
  if (nghttp2_hd_inflate_new(&inflater) != 0) throw std::bad_alloc{};
  inflater_.reset(inflater);
  if (nghttp2_hd_inflate_change_table_size(inflater, limits::kGrpcHeaderTableBytes) != 0) {
    throw std::bad_alloc{};
  }
}

std::expected<HeaderReader::Block, Http2Fault> HeaderReader::read(std::string_view block,
                                                                  bool trailers) {
  Judge judge{trailers};
  Block read;
  std::size_t size = 0;
  for (;;) {
    nghttp2_nv field{};
    int flags = 0;
    const auto used = nghttp2_hd_inflate_hd2(inflater_.get(), &field, &flags, octets(block),
                                             block.size(), /*in_final=*/1);
    if (used < 0) {
      return std::unexpected(
          Http2Fault{Http2Error::kCompressionError, "The headers cannot be decoded."});
    }
    block.remove_prefix(static_cast<std::size_t>(used));
    if ((flags & NGHTTP2_HD_INFLATE_FINAL) != 0) break;
    if ((flags & NGHTTP2_HD_INFLATE_EMIT) == 0) continue;
    size += field.namelen + field.valuelen + kFieldOverhead;
    if (size > limits::kGrpcHeaderListBytesMax) {
      return std::unexpected(Http2Fault{
          Http2Error::kEnhanceYourCalm,
          "The headers are too large; at most 8192 bytes are read, 32 of them for each field."});
    }
    const std::string_view name{reinterpret_cast<const char*>(field.name), field.namelen};
    std::string_view value{reinterpret_cast<const char*>(field.value), field.valuelen};
    if (name == ":path" && value == kReflection) value = kReflectionBefore;
    if (auto taken = judge.take(name, value); !taken) return std::unexpected(taken.error());
    append_field(read.encoded, name, value);
  }
  nghttp2_hd_inflate_end_headers(inflater_.get());
  auto path = judge.path();
  if (!path) return std::unexpected(path.error());
  read.path = std::move(*path);
  read.host = judge.host();
  return read;
}

}  // namespace tesela::rpc
