#include "server/rpc/grpc/http2_meter.h"

#include <utility>

#include "server/base/bytes.h"
#include "server/base/limits.h"
#include "server/rpc/method.h"

namespace tesela::rpc {
namespace {

constexpr std::size_t kBytesOfCost = 1024;
constexpr std::size_t kMessageHeadBytes = 5;
// Twice what gRPC takes: it refuses those above with a word, which comes a moment later.
constexpr std::size_t kCallsKnownMax = 2 * std::size_t{limits::kGrpcCallsPerConnectionMax};

std::unexpected<Http2Fault> broken(std::string_view sentence) {
  return std::unexpected(Http2Fault{Http2Error::kProtocolError, sentence});
}

std::unexpected<Http2Fault> too_much(std::string_view sentence) {
  return std::unexpected(Http2Fault{Http2Error::kEnhanceYourCalm, sentence});
}

// The services of this server count a call that reaches them; gRPC's own do not.
bool counts_itself(std::string_view path) {
  return !path.starts_with("/grpc.") && declared_method(path) != nullptr;
}

}  // namespace

std::expected<Http2Meter::Cost, Http2Fault> Http2Meter::read(std::string_view bytes,
                                                             std::string& passed) {
  Cost cost;
  while (const auto piece = from_client_.next(bytes)) {
    const FrameHead& head = from_client_.head();
    if (piece->begins) {
      if (auto begun = begin_frame(cost); !begun) return std::unexpected(begun.error());
      if (treatment_ == Treatment::kPass) passed += head.bytes();
    }
    if (treatment_ == Treatment::kPass) passed += piece->payload;
    if (treatment_ == Treatment::kHold) held_ += piece->payload;
    if (head.type == FrameType::kData) {
      if (const auto call = calls_.find(head.stream); call != calls_.end()) {
        follow_message(call->second, piece->payload);
      }
    }
    if (!piece->ends) continue;
    if (auto ended = end_frame(cost, passed); !ended) return std::unexpected(ended.error());
  }
  return cost;
}

std::expected<void, Http2Fault> Http2Meter::begin_frame(Cost& cost) {
  const FrameHead& head = from_client_.head();
  cost.frames += 1 + head.size / kBytesOfCost;
  const bool goes_on = head.type == FrameType::kContinuation;
  if (block_open_ != goes_on || (block_open_ && head.stream != opener_.stream)) {
    return broken("Only CONTINUATION follows headers that have not ended, and only there.");
  }
  treatment_ = Treatment::kPass;
  switch (head.type) {
    case FrameType::kData:
      return begin_data(cost);
    case FrameType::kHeaders:
      cost.frames += limits::kGrpcCallCost - 1;
      opener_ = head;
      block_size_ = 0;
      block_.clear();
      [[fallthrough]];
    case FrameType::kContinuation:
      return begin_headers();
    case FrameType::kPushPromise:
      return broken("A client does not push.");
    case FrameType::kRstStream:
    case FrameType::kSettings:
    case FrameType::kPing:
    case FrameType::kGoaway:
    case FrameType::kWindowUpdate:
      return {};
    default:
      // Priorities, which nobody heeds, and types that are to be ignored.
      treatment_ = Treatment::kDrop;
      return {};
  }
}

std::expected<void, Http2Fault> Http2Meter::begin_headers() {
  const FrameHead& head = from_client_.head();
  treatment_ = Treatment::kHold;
  // With its head: empty ones could go on for ever.
  block_size_ += FrameHead::kBytes + head.size;
  if (block_size_ > limits::kGrpcHeaderBytesMax) {
    return too_much("The headers are too large; at most 16384 bytes are read as they are sent.");
  }
  block_open_ = !head.has(kEndHeaders);
  if (head.stream % 2 == 0) return broken("The stream is none that a client may open.");
  return {};
}

std::expected<void, Http2Fault> Http2Meter::begin_data(Cost& cost) {
  const FrameHead& head = from_client_.head();
  if (head.has(kPadded)) return broken("Messages of gRPC are not padded.");
  const auto call = calls_.find(head.stream);
  if (call != calls_.end() && call->second.counts_requests) ++cost.requests;
  return {};
}

std::expected<void, Http2Fault> Http2Meter::end_frame(Cost& cost, std::string& passed) {
  const FrameHead& head = from_client_.head();
  if (head.type == FrameType::kRstStream) end_call(head.stream);
  if (treatment_ != Treatment::kHold) return {};
  const bool whole = strip_frame();
  block_ += std::exchange(held_, {});
  if (!whole) {
    return std::unexpected(
        Http2Fault{Http2Error::kFrameSizeError, "The headers are shorter than they say."});
  }
  if (block_open_) return {};
  return end_block(cost, passed);
}

// Takes the padding and the priority of a HEADERS away (RFC 9113, 6.2). False when it is too short.
bool Http2Meter::strip_frame() {
  constexpr std::size_t kPriorityBytes = 5;
  const FrameHead& head = from_client_.head();
  if (head.type != FrameType::kHeaders) return true;
  std::size_t front = 0;
  std::size_t padding = 0;
  if (head.has(kPadded)) {
    if (held_.empty()) return false;
    front = 1;
    padding = static_cast<unsigned char>(held_.front());
  }
  if (head.has(kPriorityFlag)) front += kPriorityBytes;
  if (held_.size() < front + padding) return false;
  held_ = held_.substr(front, held_.size() - front - padding);
  return true;
}

std::expected<void, Http2Fault> Http2Meter::end_block(Cost& cost, std::string& passed) {
  const bool trailers = opener_.stream <= last_stream_;
  const bool last = opener_.has(kEndStream);
  if (trailers && !last) return broken("Nothing follows trailers.");
  auto block = headers_.read(block_, trailers);
  block_ = {};
  if (!block) return std::unexpected(block.error());
  if (!trailers) {
    if (hosts_ != nullptr && !hosts_->admits(block->host)) return broken(quota::kForeignHost);
    last_stream_ = opener_.stream;
    if (calls_.size() >= kCallsKnownMax) {
      return too_much("There are too many calls at once on this connection.");
    }
    const bool counts = !counts_itself(block->path);
    cost.requests += counts ? 1 : 0;
    calls_.emplace(opener_.stream, Call{.counts_requests = counts});
  }
  passed += FrameHead{.size = block->encoded.size(),
                      .type = FrameType::kHeaders,
                      .flags = static_cast<std::uint8_t>(kEndHeaders | (last ? kEndStream : 0U)),
                      .stream = opener_.stream}
                .bytes();
  passed += block->encoded;
  return {};
}

void Http2Meter::follow_message(Call& call, std::string_view payload) {
  while (!payload.empty()) {
    if (call.head_size < kMessageHeadBytes) {
      call.left = call.left << 8U | static_cast<unsigned char>(payload.front());
      if (call.head_size++ == 0) call.left = 0;  // whether it is compressed
      payload.remove_prefix(1);
      call.unfinished += 1;
      unfinished_bytes_ += 1;
    }
    if (call.head_size < kMessageHeadBytes) continue;
    const std::string_view part = payload.substr(0, call.left);
    payload.remove_prefix(part.size());
    call.left -= static_cast<std::uint32_t>(part.size());
    call.unfinished += part.size();
    unfinished_bytes_ += part.size();
    if (call.left > 0) continue;
    unfinished_bytes_ -= std::exchange(call.unfinished, 0);
    call.head_size = 0;
  }
}

void Http2Meter::end_call(std::uint32_t stream) {
  const auto call = calls_.find(stream);
  if (call == calls_.end()) return;
  unfinished_bytes_ -= call->second.unfinished;
  calls_.erase(call);
}

void Http2Meter::answered(std::string_view bytes) {
  while (const auto piece = from_server_.next(bytes)) {
    const FrameHead& head = from_server_.head();
    if (!piece->ends) continue;
    const bool may_end = head.type == FrameType::kData || head.type == FrameType::kHeaders;
    if (head.type == FrameType::kRstStream || (may_end && head.has(kEndStream))) {
      end_call(head.stream);
    }
  }
}

std::string Http2Meter::goaway(const Http2Fault& fault) const {
  const std::string payload = base::big_endian(last_stream_) +
                              base::big_endian(static_cast<std::uint32_t>(fault.error)) +
                              std::string{fault.sentence};
  return FrameHead{.size = payload.size(), .type = FrameType::kGoaway, .flags = 0, .stream = 0}
             .bytes() +
         payload;
}

}  // namespace tesela::rpc
