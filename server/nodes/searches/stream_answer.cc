#include "server/nodes/searches/stream_answer.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/none.hpp>
#include <chrono>
#include <utility>

#include "server/base/relay_limits.h"
#include "server/net/http/parse_some.h"
#include "server/rpc/connect_codec.h"
#include "server/rpc/connect_error.h"

namespace tesela::nodes {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace pb = google::protobuf;
using asio::awaitable;
using std::chrono::steady_clock;

std::unexpected<Error> gone() {
  return refuse(ErrorCode::kFenced, "The server that was asked has gone.");
}

}  // namespace

StreamAnswer::StreamAnswer(std::shared_ptr<Relay> relay, const pb::Message& empty)
    : relay_(std::move(relay)), empty_(empty) {
  const std::string_view begun = relay_->answered();
  buffer_.commit(asio::buffer_copy(buffer_.prepare(begun.size()), asio::buffer(begun)));
}

awaitable<Expected<void>> StreamAnswer::begin(std::string body) {
  relay_->close_at(steady_clock::now() + limits::kRelayCallTimeMax);
  auto head = co_await read_head();
  if (head && head->get().result() == http::status::continue_) {
    const auto [error, size] = co_await relay_->write(body);
    if (error) co_return gone();
    head = co_await read_head();
  }
  if (!head) co_return gone();
  if (head->get().result() != http::status::ok) {
    Error refusal = co_await read_refusal(std::move(head));
    co_return std::unexpected(std::move(refusal));
  }
  relay_->close_never();
  body_.emplace(std::move(*head));
  body_->body_limit(boost::none);
  co_return Expected<void>{};
}

awaitable<StreamAnswer::Head> StreamAnswer::read_head() {
  auto head = std::make_unique<http::response_parser<http::empty_body>>();
  head->header_limit(limits::kHttpHeaderBytesMax);
  while (!head->is_header_done()) {
    const auto error = co_await net::parse_some(*relay_, buffer_, *head);
    if (error) co_return nullptr;
  }
  co_return head;
}

awaitable<Error> StreamAnswer::read_refusal(Head head) {
  http::response_parser<http::string_body> whole{std::move(*head)};
  whole.body_limit(limits::kStreamedMessageBytesMax);
  const auto error = co_await net::parse_all(*relay_, buffer_, whole);
  if (error) co_return gone().error();
  co_return rpc::read_error(whole.get().result_int(), whole.get().body());
}

awaitable<Expected<rpc::MessagePtr>> StreamAnswer::next() {
  for (;;) {
    auto first = rpc::take_envelope(bytes_, limits::kStreamedMessageBytesMax);
    if (!first) co_return gone();
    if (!*first) {
      const bool more = co_await read_some();
      if (!more) co_return gone();
      continue;
    }
    const rpc::Envelope& envelope = **first;
    if (envelope.flags == rpc::kEnvelopeEndStream) {
      const auto end = rpc::read_end_stream(envelope.message);
      if (!end) co_return std::unexpected(end.error());
      co_return nullptr;
    }
    std::shared_ptr<pb::Message> message{empty_.New()};
    if (envelope.flags != 0 || !message->ParseFromString(envelope.message)) co_return gone();
    co_return message;
  }
}

awaitable<bool> StreamAnswer::read_some() {
  if (body_->is_done()) co_return false;
  auto& room = body_->get().body();
  room.data = piece_.data();
  room.size = piece_.size();
  const auto error = co_await net::parse_some(*relay_, buffer_, *body_);
  if (error && error != http::error::need_buffer) co_return false;
  bytes_.append(piece_.data(), piece_.size() - room.size);
  co_return true;
}

}  // namespace tesela::nodes
