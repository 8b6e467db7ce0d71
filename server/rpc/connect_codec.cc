#include "server/rpc/connect_codec.h"

#include <google/protobuf/util/json_util.h>
#include <zlib.h>

#include <array>
#include <boost/beast/core/string.hpp>
#include <memory>
#include <utility>

#include "server/base/bytes.h"
#include "server/base/limits.h"
#include "server/codec/json.h"
#include "server/net/http/header_values.h"

namespace tesela::rpc {
namespace {

namespace pb = google::protobuf;
using boost::beast::iequals;

constexpr std::array<std::pair<std::string_view, ConnectContent>, 6> kContentTypes{{
    {"application/json", {.json = true, .streaming = false}},
    {"application/proto", {.json = false, .streaming = false}},
    {"application/connect+json", {.json = true, .streaming = true}},
    {"application/connect+proto", {.json = false, .streaming = true}},
    {"application/grpc-web+proto", {.json = false, .streaming = true, .grpc_web = true}},
    {"application/grpc-web", {.json = false, .streaming = true, .grpc_web = true}},
}};

constexpr std::size_t kEnvelopeHead = 5;

/// The length in the head of an envelope, which must be there.
std::size_t size_in(std::string_view head) {
  return base::from_big_endian(head.substr(1, kEnvelopeHead - 1));
}

std::unexpected<Error> refuse_message(std::string sentence) {
  return refuse(ErrorCode::kInvalidArgument, std::move(sentence));
}

class Inflater {
 public:
  Inflater() {
    constexpr int kGzip = 16 + MAX_WBITS;
    ready_ = inflateInit2(&stream_, kGzip) == Z_OK;
  }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  Expected<std::string> run(std::string_view body) {
    std::string plain(limits::kHttpBodyBytesMax + 1, '\0');
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
    stream_.avail_in = static_cast<uInt>(body.size());
    stream_.next_out = reinterpret_cast<Bytef*>(plain.data());
    stream_.avail_out = static_cast<uInt>(plain.size());
    const int state = ready_ ? inflate(&stream_, Z_FINISH) : Z_MEM_ERROR;
    if (stream_.avail_out == 0) {
      return refuse(ErrorCode::kResourceExhausted, "The message is too large; at most " +
                                                       std::to_string(limits::kHttpBodyBytesMax) +
                                                       " bytes are read.");
    }
    if (state != Z_STREAM_END || stream_.avail_in != 0) {
      return refuse_message("The body is not valid gzip.");
    }
    plain.resize(plain.size() - stream_.avail_out);
    return plain;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

}  // namespace

std::optional<ConnectContent> parse_content_type(std::string_view value) {
  const auto type = net::parse_media_type(value);
  for (const auto& [name, content] : kContentTypes) {
    if (type && iequals(name, type->name)) return content;
  }
  return std::nullopt;
}

// ASCII is a part of it.
bool is_utf8(std::string_view content_type) {
  const auto type = net::parse_media_type(content_type);
  return !type || type->charset.empty() || iequals(type->charset, "utf-8") ||
         iequals(type->charset, "utf8") || iequals(type->charset, "us-ascii");
}

std::string_view content_type(const ConnectContent& content) {
  for (const auto& [name, known] : kContentTypes) {
    if (known == content) return name;
  }
  std::unreachable();
}

Expected<RequestPtr> read_request(const pb::Message& prototype, bool json, std::string_view body) {
  RequestPtr message{prototype.New()};
  const std::string& type = prototype.GetDescriptor()->full_name();
  if (!json) {
    if (message->ParseFromArray(body.data(), static_cast<int>(body.size()))) return message;
    return refuse_message("The body is not a " + type + " in protobuf.");
  }
  const auto wrong = codec::read_json(body, *message);
  if (!wrong) return message;
  return refuse_message("The body is not a " + type + " in JSON: " + *wrong + ".");
}

Expected<std::string> write_message(const pb::Message& message, bool json) {
  std::string text;
  const bool written =
      json ? pb::util::MessageToJsonString(message, &text).ok() : message.SerializeToString(&text);
  if (!written) return refuse(ErrorCode::kInternal, "The answer cannot be written.");
  return text;
}

std::string envelope(std::uint8_t flags, std::string_view message) {
  std::string bytes;
  bytes.reserve(kEnvelopeHead + message.size());
  bytes += static_cast<char>(flags);
  bytes += base::big_endian(static_cast<std::uint32_t>(message.size()));
  bytes += message;
  return bytes;
}

Expected<std::optional<Envelope>> take_envelope(std::string& bytes, std::size_t most) {
  if (bytes.size() < kEnvelopeHead) return std::nullopt;
  const std::size_t size = size_in(bytes);
  if (size > most) {
    return refuse_message("A message has " + std::to_string(size) + " bytes, and not at most " +
                          std::to_string(most) + ".");
  }
  if (bytes.size() - kEnvelopeHead < size) return std::nullopt;
  Envelope first{.flags = static_cast<std::uint8_t>(bytes.front()),
                 .message = bytes.substr(kEnvelopeHead, size)};
  bytes.erase(0, kEnvelopeHead + size);
  return first;
}

Expected<std::string> open_envelope(std::string_view body, net::Coding coding) {
  if (body.size() < kEnvelopeHead) {
    return refuse_message("The body is shorter than the 5 bytes before a message.");
  }
  const auto flags = static_cast<std::uint8_t>(body.front());
  const std::size_t size = size_in(body);
  if ((flags & ~kEnvelopeCompressed) != 0) {
    return refuse_message("The envelope has flags that a request may not have.");
  }
  if (body.size() - kEnvelopeHead != size) {
    return refuse_message("The envelope says " + std::to_string(size) + " bytes, but " +
                          std::to_string(body.size() - kEnvelopeHead) +
                          " follow; the request needs exactly one message.");
  }
  const std::string_view message = body.substr(kEnvelopeHead);
  if (flags == 0) return std::string{message};
  if (coding == net::Coding::kIdentity) {
    return refuse_message("The envelope says that it is compressed, but no header says how.");
  }
  return decompress(message, coding);
}

Expected<std::string> decompress(std::string_view body, net::Coding coding) {
  if (coding != net::Coding::kGzip || body.empty()) return std::string{body};
  return Inflater{}.run(body);
}

}  // namespace tesela::rpc
