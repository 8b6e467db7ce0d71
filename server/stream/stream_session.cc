#include "server/stream/stream_session.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <string>
#include <utility>
#include <variant>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/base/line_limits.h"
#include "server/base/loop.h"
#include "server/base/text_encoding.h"
#include "server/codec/usual_move.h"
#include "server/net/usual_frame.h"
#include "server/stream/goodbye_reasons.h"
#include "server/stream/open_table.h"
#include "server/stream/sub_protocols.h"

namespace tesela::stream {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;
using asio::awaitable, codec::Reason, std::chrono::steady_clock;

constexpr std::size_t kReadBytes = 256;  // many connections idle; filled without a system call

}  // namespace

StreamSession::StreamSession(net::StreamWire wire, net::Client client, codec::Protocol protocol,
                             TableId table, const Parts& parts)
    : parts_(parts),
      table_id_(table),
      log_(parts.metrics, table, client_.address),
      ws_(std::move(wire)),
      client_(std::move(client)),
      deadline_(ws_.get_executor()),
      freeze_(parts.directory.freeze_of(table)),
      outbox_(
          protocol, [this] { write(); },
          [this](const codec::FramePtr& frame) { return send_now(frame); }) {}

awaitable<void> StreamSession::run(UpgradeRequest request, Sessions& all) {
  all.running.push_back(*this);
  stops_ = all.stopping;
  if (!co_await accept(std::move(request))) co_return;
  expect_hello();
  if (stops_) stop();
  try {
    // Reading uses callbacks: a coroutine would hold memory for every idle connection.
    while (!broken_) {
      buffer_.clear();
      if (buffer_.capacity() > kReadBytes) buffer_.shrink_to_fit();
      do {
        auto [error, size] = co_await ws_.async_read_some(buffer_, room(), base::use_tuple);
        received(error);
      } while (!broken_ && !ws_.is_message_done());
      // After the Goodbye, frames are read and ignored until the client's close.
      if (broken_ || outbox_.ended()) continue;
      if (!table_) {
        if (auto hello = take_hello()) co_await sit_down(std::move(*hello));
      } else {
        handle_message(read_bytes(), ws_.got_binary());
      }
    }
  } catch (...) {
    // The table does not know a member any more whose session is gone.
    thrown_ = std::current_exception();
  }
  log_.ended(outbox_.ended(), table_ ? table_->seat_of(member_) : std::nullopt);
  if (table_) table_->leave(member_);
  deadline_.cancel();
  if (thrown_) std::rethrow_exception(thrown_);
}

void StreamSession::relay_died() {
  log_.lost("relay_died");
  if (table_) table_->leave_by_fault(member_);
  ws_.next_layer().close();
}

void StreamSession::stop() {
  stops_ = true;
  if (closing_) return close_after(limits::kStopCloseTime);
  if (table_ || !ws_.is_open()) return;
  if (freeze_.on()) return ws_.next_layer().close();  // without a word, as its tables do
  goodbye(Reason::kServerRestart, "The server stops; come back in a moment.");
}

std::string_view StreamSession::read_bytes() const {
  const auto bytes = buffer_.cdata();
  return {static_cast<const char*>(bytes.data()), bytes.size()};
}

bool StreamSession::may_send() {
  const bool stranger = client_.quota && !player_quota_;
  std::uint32_t most = parts_.frames_per_second_max;
  if (stranger) most = std::min(most, limits::kStrangerFramesOfStream);
  const auto burst = stranger ? limits::kRequestBurstSeconds : limits::kFrameBurstSeconds;
  const auto own = quota::Rate::of(most, std::chrono::seconds{1}, burst);
  if (!budget_.take(own, heard_)) return false;
  // The player's quota, not that of the address, which others may share.
  if (player_quota_) return player_quota_->take(quota::Act::kFrame, heard_);
  return !stranger || client_.quota->take(quota::Act::kStrangerFrame, heard_);
}

void StreamSession::watch_pulse() {
  const bool silent = steady_clock::now() - heard_ >= parts_.ping_interval;
  deadline_.expires_at(heard_ + (silent ? 2 : 1) * parts_.ping_interval);
  deadline_.async_wait([weak = weak_from_this()](beast::error_code error) {
    const auto self = weak.lock();
    if (error || !self || self->closing_) return;
    if (self->freeze_.on()) self->heard_ = steady_clock::now();
    const auto silence = steady_clock::now() - self->heard_;
    if (silence >= 2 * self->parts_.ping_interval) {
      self->log_.timed_out();
      return self->ws_.next_layer().close();
    }
    if (silence >= self->parts_.ping_interval) self->ping();
    self->watch_pulse();
  });
}

void StreamSession::ping() {
  if (pinging_) return;
  pinging_ = true;
  ws_.async_ping({}, [self = shared_from_this()](beast::error_code) { self->pinging_ = false; });
}

awaitable<bool> StreamSession::accept(UpgradeRequest request) {
  ws_.next_layer().tune(limits::kSocketSendBytes);
  // Beast's idle time-out would re-arm its timer for every frame; `watch_pulse` does not.
  ws_.set_option(websocket::stream_base::timeout{.handshake_timeout = limits::kHelloTimeMax,
                                                 .idle_timeout = websocket::stream_base::none(),
                                                 .keep_alive_pings = false});
  ws_.control_callback([this](websocket::frame_type, beast::string_view) {
    heard_ = steady_clock::now();
    ws_.next_layer().charge(limits::kControlFrameCost);
  });
  ws_.set_option(websocket::stream_base::decorator(
      [name = name_of(outbox_.protocol())](websocket::response_type& response) {
        response.set(beast::http::field::sec_websocket_protocol, name);
      }));
  ws_.binary(outbox_.protocol() == codec::Protocol::kBinary);
  ws_.auto_fragment(false);
  // Not Beast's limit: `received` and the wire check the size, so that a Goodbye can be sent.
  ws_.read_message_max(0);
  ws_.next_layer().watch_lengths([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    // Beast is reading.
    asio::post(self->ws_.get_executor(), [self] { self->refuse_large(); });
  });
  auto [error] = co_await ws_.async_accept(request, base::use_tuple);
  co_return !error;
}

std::size_t StreamSession::room() const {
  return std::min(limits::kFrameBytesMax + 1 - buffer_.size(), kReadBytes);
}

void StreamSession::received(beast::error_code error) {
  if (error) {
    broken_ = true;
    log_.lost(error == websocket::error::closed ? "closed" : "cut");
    if (client_.quota && error == websocket::condition::protocol_violation) {
      client_.quota->penalize();
    }
    return;
  }
  heard_ = steady_clock::now();
  if (buffer_.size() > limits::kFrameBytesMax) refuse_large();
  if (outbox_.ended()) buffer_.clear();
}

void StreamSession::refuse_large() {
  goodbye(Reason::kTooLarge,
          "The frame is larger than " + std::to_string(limits::kFrameBytesMax) + " bytes.");
}

void StreamSession::expect_hello() {
  deadline_.expires_after(limits::kHelloTimeMax);
  deadline_.async_wait([weak = weak_from_this()](beast::error_code error) {
    const auto self = weak.lock();
    if (error || !self || self->table_) return;
    if (self->freeze_.on()) return self->expect_hello();
    self->goodbye(Reason::kHelloExpected, "No Hello came in time.");
  });
}

std::optional<codec::Hello> StreamSession::take_hello() {
  auto frame = decode(read_bytes(), ws_.got_binary(), outbox_.protocol());
  if (!frame) {
    goodbye(Reason::kMalformed, frame.error().message);
    return std::nullopt;
  }
  if (auto* hello = std::get_if<codec::Hello>(&*frame)) {
    deadline_.cancel();  // loading the table does not count as the client's time
    return std::move(*hello);
  }
  goodbye(Reason::kHelloExpected, "The first frame must be hello.");
  return std::nullopt;
}

Expected<void> StreamSession::stay_signed_in(SessionId session) {
  const auto end = [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->goodbye(accounts::session_ended().error());
  };
  auto held = parts_.tokens.sessions().hold(
      session, [executor = ws_.get_executor(), end] { asio::post(executor, end); });
  if (!held) return std::unexpected(std::move(held.error()));
  signed_in_ = std::move(*held);
  return {};
}

awaitable<void> StreamSession::sit_down(codec::Hello hello) {
  if (!hello.token.empty()) {
    const auto identity = parts_.tokens.verify(hello.token);
    if (!identity) co_return goodbye(identity.error());
    if (const auto in = stay_signed_in(identity->session); !in) co_return goodbye(in.error());
    player_ = identity->player;
    log_.identified(*player_);
    player_quota_ = parts_.admission.player(client_.quota, *player_);
    auto slot = parts_.admission.enter(player_quota_);
    if (!slot) {
      co_return goodbye(Reason::kTooManyConnections,
                        "You have as many streams open as one player may.");
    }
    player_slot_ = std::move(*slot);
  }
  hello.by_pass = parts_.tokens.passes().admits(hello.invite, table_id_);
  auto [table, blocked] =
      co_await open_table(parts_.directory, parts_.friends, table_id_, client_.quota, player_);
  if (outbox_.ended()) co_return;
  // From here on a ban ends the stream (directory::OperatorAccess::send_away).
  if (player_) {
    const auto may = parts_.tokens.acts().may_stay(*player_);
    if (!may) co_return goodbye(may.error());
  }
  const auto member = table ? (*table)->join(outbox_, player_, hello, client_.quota)
                            : std::unexpected(table.error());
  if (!member) {
    const bool closing = parts_.directory.closing();
    co_return goodbye(reason_at_table(member.error(), table.has_value(), closing),
                      member.error().message);
  }
  table_ = std::move(*table);
  member_ = *member;
  introduce(*table_, member_, std::move(blocked), parts_.tokens.acts().announcement());
  log_.seated(table_->seat_of(member_));
  if (outbox_.protocol() == codec::Protocol::kBinary) {
    ws_.next_layer().watch_messages([this](std::string_view message, net::StreamWire::Time time) {
      usual_message(message, time);
    });
  }
  watch_pulse();
}

void StreamSession::usual_message(std::string_view message, steady_clock::time_point time) {
  heard_ = time;
  if (outbox_.ended() || thrown_) return;
  try {
    handle_message(message, /*binary=*/true);
  } catch (...) {
    thrown_ = std::current_exception();  // into `run`, which handles nothing more
    broken_ = true;
    ws_.next_layer().close();
  }
}

void StreamSession::handle_message(std::string_view message, bool binary) {
  log_.received();
  if (!may_send()) return goodbye(Reason::kRateLimited, "You send too many frames a second.");
  if (binary && outbox_.protocol() == codec::Protocol::kBinary) {
    if (auto move = codec::read_usual_move(message)) return post(std::move(*move));
  }
  auto frame = decode(message, binary, outbox_.protocol());
  if (!frame) {
    ws_.next_layer().charge(limits::kMalformedFrameCost);
    refuse("", Reason::kMalformed, frame.error().message);
  } else if (auto* move = std::get_if<codec::Move>(&*frame)) {
    post(std::move(*move));
  } else if (auto* question = std::get_if<codec::HintRequest>(&*frame)) {
    const std::string hint_id{base::cut_text(question->hint_id, limits::kHintIdBytesMax)};
    if (!table_->post(member_, std::move(*question))) {
      refuse(hint_id, Reason::kBusy, "The table is busy; ask again.");
    }
  } else if (auto* claim = std::get_if<codec::Claim>(&*frame)) {
    const std::string claim_id{base::cut_text(claim->claim_id, limits::kMoveIdBytesMax)};
    if (!table_->post(member_, std::move(*claim))) {
      refuse(claim_id, Reason::kBusy, "The table is busy; send the claim again.");
    }
  } else if (const auto* said = std::get_if<codec::Say>(&*frame)) {
    say(*said);
  } else if (const auto* mute = std::get_if<codec::Mute>(&*frame)) {
    table_->mute(member_, *mute);
  } else if (const auto* ping = std::get_if<codec::Ping>(&*frame)) {
    table_->send(member_, codec::pong_frame(ping->nonce, base::unix_ms()));
  } else {
    refuse("", Reason::kHelloExpected, "Hello is only accepted as the first frame.");
  }
}

void StreamSession::post(codec::Move&& move) {
  if (table_->post(member_, std::move(move), heard_)) return;
  // NOLINTNEXTLINE(bugprone-use-after-move): it was not moved
  refuse(move.move_id, Reason::kBusy, "The table is busy; send the move again.");
}

void StreamSession::say(const codec::Say& what) {
  if (player_) {
    const auto may = parts_.tokens.acts().may_talk(*player_);
    if (!may) return refuse("", Reason::kNoTalk, may.error().message);
  }
  table_->say(member_, what);
}

void StreamSession::refuse(std::string_view move_id, Reason reason, std::string_view sentence) {
  log_.refused(reason);
  table_->send(member_, codec::refusal_frame(move_id, reason, sentence, table_->version()));
}

bool StreamSession::send_now(const codec::FramePtr& frame) {
  if (writing_ || closing_ || !ws_.is_open() || freeze_.on()) return false;
  const std::string& payload = frame->bytes(outbox_.protocol());
  if (payload.size() > net::FrameHead::kPayloadMax) return false;
  const net::FrameHead head(outbox_.protocol() == codec::Protocol::kBinary, payload.size());
  net::StreamWire& wire = ws_.next_layer();
  const auto sent = wire.send(head.bytes(), payload);
  if (sent == net::StreamWire::Sent::kPart) {
    writing_ = frame;
    wire.finish_send([self = shared_from_this()](beast::error_code error) {
      self->writing_ = nullptr;
      if (!error) self->write();
    });
  }
  return sent != net::StreamWire::Sent::kNothing;
}

void StreamSession::goodbye(Reason reason, std::string_view sentence) {
  if (outbox_.ended()) return;
  log_.refused(reason);
  if (client_.quota && is_penalized(reason)) client_.quota->penalize();
  outbox_.end(reason, goodbye_for(reason, sentence));
}

void StreamSession::write_after_thaw() {
  if (std::exchange(waits_for_thaw_, true)) return;
  freeze_.at_thaw(weak_from_this(), [this] {
    waits_for_thaw_ = false;
    write();
  });
}

void StreamSession::write() {
  if (outbox_.abandoned()) return ws_.next_layer().close();
  if (freeze_.on()) return write_after_thaw();
  if (outbox_.ended() && !closing_) {
    closing_ = true;
    close_after(stops_ ? limits::kStopCloseTime : limits::kCloseTimeMax);
  }
  if (writing_) return;
  writing_ = outbox_.pop();
  if (!writing_) {
    if (closing_) {
      close();
    } else if (table_) {
      table_->drained(member_);
    }
    return;
  }
  ws_.async_write(asio::buffer(writing_->bytes(outbox_.protocol())),
                  [self = shared_from_this()](beast::error_code error, std::size_t) {
                    self->writing_ = nullptr;
                    // The reader notices a broken connection and ends the session.
                    if (!error) self->write();
                  });
}

/// Unless the client has read the Goodbye and answered the close by then.
void StreamSession::close_after(std::chrono::milliseconds time) {
  deadline_.expires_after(time);
  deadline_.async_wait([self = shared_from_this()](beast::error_code error) {
    if (!error) self->ws_.next_layer().close();
  });
}

void StreamSession::close() {
  ws_.async_close(close_code_of(outbox_.ended().value_or(Reason::kInternal)),
                  [self = shared_from_this()](beast::error_code) { self->deadline_.cancel(); });
}

}  // namespace tesela::stream
