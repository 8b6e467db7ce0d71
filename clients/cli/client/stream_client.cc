#include "clients/cli/client/stream_client.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <charconv>
#include <utility>
#include <variant>

#include "clients/cli/base/random.h"

namespace tesela::cli {
namespace {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using play::v1::ServerFrame;

constexpr std::chrono::milliseconds kRetryFirst{100};
constexpr std::chrono::milliseconds kRetryMax{5000};

/// Distinguishes the ids of this client's moves from those of others at the seat.
std::string session_of(std::uint64_t random) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), next_random(random), 16).ptr;
  return {digits.begin(), end};
}

std::string lost(const boost::system::error_code& error) {
  return "The connection was lost: " + error.message() + ".";
}

bool may_be_sent_again(play::v1::Reason reason) {
  return reason == play::v1::REASON_BUSY || reason == play::v1::REASON_STORE_UNAVAILABLE;
}

}  // namespace

StreamClient::StreamClient(Executor executor, Options options, StreamListener& listener)
    : options_(std::move(options)),
      listener_(listener),
      back_off_(kRetryFirst, kRetryMax, options_.random_seed),
      session_(session_of(options_.random_seed)),
      wake_(executor, Timer::time_point::max()) {}

Task<void> StreamClient::run() {
  for (;;) {
    listener_.on_link({.phase = Link::Phase::kConnecting});
    const Ending ending = co_await one_stream();
    stream_.reset();
    open_ = false;
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none) co_return;
    if (ending.final) {
      listener_.on_link({.phase = Link::Phase::kClosed, .why = ending.why});
      co_return;
    }
    auto wait = ending.wait_min;
    if (!ending.moved) wait = std::max(back_off_.next(), wait);
    listener_.on_link({.phase = Link::Phase::kWaiting, .why = ending.why, .retry_in = wait});
    Timer timer(wake_.get_executor(), wait);
    co_await timer.async_wait(kResult);
  }
}

bool StreamClient::play(google::protobuf::Any body, DecidedOn decided_on) {
  if (pending_ || version_ == Version{}) return false;
  pending_.emplace();
  pending_->set_move_id(session_ + "-" + std::to_string(++moves_));
  if (decided_on == DecidedOn::kLastVersion) pending_->set_at_version(version_.value);
  *pending_->mutable_body() = std::move(body);
  to_send_ = caught_up_;
  wake_.cancel();
  return true;
}

bool StreamClient::say(play::v1::ClientFrame frame) {
  if (!open_ || to_say_.size() == kToSayMax) return false;
  to_say_.push_back(std::move(frame));
  wake_.cancel();
  return true;
}

bool StreamClient::ask() {
  if (!asked_.empty()) return false;
  const std::string hint_id = session_ + "-h" + std::to_string(++hints_);
  play::v1::ClientFrame frame;
  frame.mutable_hint_request()->set_hint_id(hint_id);
  if (!say(std::move(frame))) return false;
  asked_ = hint_id;
  return true;
}

Task<Expected<void>> StreamClient::open() {
  auto endpoints = co_await resolve(options_.server);
  if (!endpoints) co_return std::unexpected(endpoints.error());
  auto stream = co_await open_web_socket(std::move(*endpoints), options_.server,
                                         stream_path(options_.table_id));
  if (!stream) co_return std::unexpected(stream.error());
  stream_.emplace(std::move(*stream));
  stream_->set_option(websocket::stream_base::timeout{.handshake_timeout = kConnectTimeMax,
                                                      .idle_timeout = kStreamSilenceMax,
                                                      .keep_alive_pings = true});
  co_return Expected<void>{};
}

Task<StreamClient::Ending> StreamClient::one_stream() {
  caught_up_ = false;
  to_send_ = false;
  open_ = false;
  to_say_.clear();
  asked_.clear();
  if (auto opened = co_await open(); !opened) {
    co_return Ending{.why = opened.error().message,
                     .final = opened.error().code == ErrorCode::kInvalidArgument};
  }
  play::v1::ClientFrame hello;
  hello.mutable_hello()->set_token(options_.token);
  hello.mutable_hello()->set_last_version(version_.value);
  hello.mutable_hello()->set_spectate(options_.spectate);
  hello.mutable_hello()->set_invite(options_.invite);
  if (auto ending = co_await write(std::move(hello))) co_return *std::move(ending);
  std::optional<Ending> of_reader;
  std::optional<Ending> of_writer;
  auto reads = keep_result(read_frames(), of_reader);
  auto writes = keep_result(write_frames(), of_writer);
  const bool read = co_await ends_first(std::move(reads), std::move(writes));
  if (read) co_return *std::move(of_reader);
  co_return *std::move(of_writer);
}

Task<StreamClient::Ending> StreamClient::read_frames() {
  boost::beast::flat_buffer buffer;
  ServerFrame frame;
  for (;;) {
    const auto [error, size] = co_await stream_->async_read(buffer, kResult);
    if (error) co_return Ending{.why = lost(error)};
    if (!frame.ParseFromArray(buffer.data().data(), static_cast<int>(size))) {
      co_return Ending{.why = "The server sent something that cannot be read."};
    }
    buffer.consume(size);
    if (auto ending = accept(frame)) co_return std::move(*ending);
  }
}

Task<StreamClient::Ending> StreamClient::write_frames() {
  for (;;) {
    if (!to_say_.empty()) {
      play::v1::ClientFrame frame = std::move(to_say_.front());
      to_say_.pop_front();
      if (auto ending = co_await write(std::move(frame))) co_return *std::move(ending);
    } else if (to_send_) {
      if (send_after_ > std::chrono::milliseconds{0}) {
        wake_.expires_after(std::exchange(send_after_, {}));
        co_await wake_.async_wait(kResult);
        continue;
      }
      to_send_ = false;
      play::v1::ClientFrame frame;
      *frame.mutable_move() = *pending_;
      if (auto ending = co_await write(std::move(frame))) co_return *std::move(ending);
    } else {
      wake_.expires_at(Timer::time_point::max());
      co_await wake_.async_wait(kResult);
    }
  }
}

Task<std::optional<StreamClient::Ending>> StreamClient::write(play::v1::ClientFrame frame) {
  const std::string bytes = frame.SerializeAsString();
  const auto [error, written] = co_await stream_->async_write(asio::buffer(bytes), kResult);
  if (!error) co_return std::nullopt;
  co_return Ending{.why = lost(error)};
}

std::optional<StreamClient::Ending> StreamClient::accept(const ServerFrame& frame) {
  switch (frame.frame_case()) {
    case ServerFrame::kWelcome:
      return accept_welcome(frame.welcome());
    case ServerFrame::kSnapshot:
      accept_snapshot(frame.snapshot());
      break;
    case ServerFrame::kEvent:
      return accept_event(frame.event());
    case ServerFrame::kSeating:
      listener_.on_seating(frame.seating());
      break;
    case ServerFrame::kMoveRepeated:
      answered(frame.move_repeated().event().move_id());
      break;
    case ServerFrame::kRefusal:
      accept_refusal(frame.refusal());
      break;
    case ServerFrame::kGoodbye:
      return Ending{.why = frame.goodbye().message(),
                    .final = !frame.goodbye().reconnect(),
                    .wait_min = std::chrono::milliseconds{frame.goodbye().reconnect_after_ms()},
                    // Handed over by the server that had it. Others may say so again and again.
                    .moved = open_ && frame.goodbye().reason() == play::v1::REASON_TABLE_MOVED};
    case ServerFrame::kClocks:
      listener_.on_clocks(frame.clocks());
      break;
    case ServerFrame::kSaid:
      listener_.on_said(frame.said());
      break;
    case ServerFrame::kAnnouncement:
      listener_.on_announcement(frame.announcement().text());
      break;
    case ServerFrame::kHint:
      if (frame.hint().hint_id() == asked_) {
        asked_.clear();
        listener_.on_hint(frame.hint());
      }
      break;
    case ServerFrame::kPong:
    case ServerFrame::FRAME_NOT_SET:  // a frame of a newer protocol
      break;
  }
  return std::nullopt;
}

bool StreamClient::is_older_owner(Epoch epoch) {
  if (epoch == Epoch{} || epoch >= epoch_) {
    epoch_ = std::max(epoch, epoch_);
    older_owners_ = 0;
    return false;
  }
  if (++older_owners_ == kOlderOwnersMax) {
    epoch_ = {};
    version_ = {};
    older_owners_ = 0;
  }
  return true;
}

std::optional<StreamClient::Ending> StreamClient::accept_welcome(const play::v1::Welcome& welcome) {
  if (is_older_owner(Epoch{welcome.epoch()})) {
    return Ending{.why = "The server has lost the table to another one."};
  }
  back_off_.reset();
  current_ = Version{welcome.version()};
  open_ = true;
  listener_.on_welcome(welcome);
  listener_.on_link({.phase = Link::Phase::kOpen});
  if (welcome.resumed() && version_ == current_) catch_up();
  return std::nullopt;
}

void StreamClient::accept_snapshot(const play::v1::Snapshot& snapshot) {
  version_ = Version{snapshot.version()};
  listener_.on_snapshot(snapshot);
  catch_up();
}

std::optional<StreamClient::Ending> StreamClient::accept_event(const play::v1::Event& event) {
  const Version version{event.version()};
  if (version <= version_) return std::nullopt;
  if (version != next(version_)) return Ending{.why = "The stream left out an event."};
  version_ = version;
  back_off_.reset();
  answered(event.move_id());
  listener_.on_event(event);
  if (version_ == current_) catch_up();
  return std::nullopt;
}

void StreamClient::accept_refusal(const play::v1::Refusal& refusal) {
  if (refusal.move_id().empty()) return listener_.on_refusal(refusal);
  if (refusal.move_id() == asked_) {
    asked_.clear();
    return listener_.on_refusal(refusal);
  }
  if (!pending_ || refusal.move_id() != pending_->move_id()) return;
  if (may_be_sent_again(refusal.reason())) {
    send_after_ = back_off_.next();
    to_send_ = true;
    wake_.cancel();
    return;
  }
  pending_.reset();
  listener_.on_refusal(refusal);
}

void StreamClient::answered(const std::string& move_id) {
  if (pending_ && pending_->move_id() == move_id) {
    pending_.reset();
    to_send_ = false;
  }
}

void StreamClient::catch_up() {
  if (caught_up_) return;
  caught_up_ = true;
  to_send_ = pending_.has_value();
  wake_.cancel();
}

}  // namespace tesela::cli
