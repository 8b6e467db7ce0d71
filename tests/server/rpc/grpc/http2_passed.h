// What Http2Meter makes of what a client sends.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/rpc/grpc/http2_meter.h"
#include "tests/server/rpc/grpc/http2_client.h"

namespace tesela::net {

/// What gRPC is given, read by a decoder that has seen nothing else.
inline HeaderFields fields_of(std::string_view block) {
  nghttp2_hd_inflater* inflater = nullptr;
  EXPECT_EQ(nghttp2_hd_inflate_new(&inflater), 0);
  HeaderFields fields;
  int flags = 0;
  while ((flags & NGHTTP2_HD_INFLATE_FINAL) == 0) {
    nghttp2_nv field{};
    flags = 0;
    const auto used = nghttp2_hd_inflate_hd2(inflater, &field, &flags,
                                             reinterpret_cast<const std::uint8_t*>(block.data()),
                                             block.size(), 1);
    if (used < 0) {
      ADD_FAILURE() << "cannot be decoded";
      break;
    }
    block.remove_prefix(static_cast<std::size_t>(used));
    if ((flags & NGHTTP2_HD_INFLATE_EMIT) == 0) continue;
    fields.emplace_back(std::string{reinterpret_cast<const char*>(field.name), field.namelen},
                        std::string{reinterpret_cast<const char*>(field.value), field.valuelen});
  }
  EXPECT_EQ(nghttp2_hd_inflate_get_dynamic_table_size(inflater), 0U);
  nghttp2_hd_inflate_del(inflater);
  return fields;
}

/// A frame that gRPC is given.
struct Passed {
  rpc::FrameHead head;
  std::string payload;
};

inline std::vector<Passed> frames_of(std::string_view bytes) {
  std::vector<Passed> frames;
  rpc::FrameCutter cutter;
  while (const auto piece = cutter.next(bytes)) {
    if (piece->begins) frames.push_back({cutter.head(), ""});
    frames.back().payload += piece->payload;
  }
  EXPECT_TRUE(cutter.is_between_frames());
  return frames;
}

/// Reads what must be well.
inline rpc::Http2Meter::Cost read_well(rpc::Http2Meter& meter, std::string_view bytes,
                                       std::string* passed = nullptr) {
  std::string all;
  const auto cost = meter.read(bytes, all);
  if (!cost) {
    ADD_FAILURE() << cost.error().sentence;
    return {};
  }
  if (passed != nullptr) *passed += all;
  return *cost;
}

inline std::string refusal(rpc::Http2Meter& meter, std::string_view bytes) {
  std::string passed;
  const auto cost = meter.read(bytes, passed);
  return cost ? "none" : std::string{cost.error().sentence};
}

inline std::string refusal_of(HeaderFields fields) {
  rpc::Http2Meter meter;
  HeaderWriter writer;
  return refusal(meter, writer.headers(1, std::move(fields)));
}

/// The request with one field more, or with another value of one that it has.
inline HeaderFields request_with(const std::string& name, const std::string& value) {
  HeaderFields fields = request_fields();
  for (auto& [known, its] : fields) {
    if (known != name) continue;
    its = value;
    return fields;
  }
  fields.emplace_back(name, value);
  return fields;
}

}  // namespace tesela::net
