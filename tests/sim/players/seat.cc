#include "tests/sim/players/seat.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <functional>
#include <utility>

#include "tesela/play/v1/course.pb.h"
#include "tests/sim/players/choices.h"
#include "tests/sim/truth.h"

namespace tesela::sim {
namespace {

using cli::kResult;
using cli::Task;
using std::chrono::milliseconds;

constexpr std::size_t kSentMax = 64;
constexpr milliseconds kBeforeAgain{200};
constexpr milliseconds kAwayMin{2000};
constexpr std::uint64_t kAwayMore = 5000;  // ms
constexpr milliseconds kClaimSlack{100};

Task<void> waited(cli::Timer& timer) {
  co_await timer.async_wait(kResult);
}

Kernel& kernel() {
  return *Kernel::active();
}

template <class Message>
google::protobuf::Any packed(const Message& message) {
  google::protobuf::Any any;
  any.PackFrom(message);
  return any;
}

bool may_be_sent_again(play::v1::Reason reason) {
  return reason == play::v1::REASON_BUSY || reason == play::v1::REASON_STORE_UNAVAILABLE;
}

}  // namespace

SeatedPlayer::SeatedPlayer(cli::Executor executor, cli::ServerAddress server, std::string table,
                           std::string token, std::string name, Habits habits)
    : executor_(executor),
      server_(std::move(server)),
      table_(std::move(table)),
      token_(std::move(token)),
      name_(std::move(name)),
      habits_(habits),
      pause_(executor) {}

Task<void> SeatedPlayer::play() {
  while (!over_ && !leaves_ && !gone_) {
    co_await one_stream();
    stream_.reset();
    if (over_ || leaves_ || gone_) break;
    const milliseconds away = std::exchange(away_, {});
    cli::Timer pause(executor_, away + milliseconds{50 + kernel().draw(400)});
    co_await pause.async_wait(kResult);
  }
}

Task<void> SeatedPlayer::visit(bool knows, milliseconds later, milliseconds time) {
  knows_all_ = knows;
  hello_after_ = later;
  cli::Timer end(executor_, later + time);
  co_await cli::until_one_ends(one_stream(), waited(end));
  stream_.reset();
}

Task<void> SeatedPlayer::one_stream() {
  welcomed_ = false;
  auto endpoints = co_await cli::resolve(server_);
  if (!endpoints) co_return;
  auto stream =
      co_await cli::open_web_socket(std::move(*endpoints), server_, cli::stream_path(table_));
  if (!stream) {
    trouble_ = stream.error().message;
    co_return;
  }
  stream_.emplace(std::move(*stream));
  stream_->set_option(
      boost::beast::websocket::stream_base::timeout{.handshake_timeout = cli::kConnectTimeMax,
                                                    .idle_timeout = cli::kStreamSilenceMax,
                                                    .keep_alive_pings = true});
  if (hello_after_.count() > 0) {
    cli::Timer wait(executor_, hello_after_);
    co_await waited(wait);
  }
  if (habits_.forgets) version_ = 0;
  if (knows_all_) version_ = Truth::get().of(table_).shown;
  play::v1::ClientFrame hello;
  hello.mutable_hello()->set_token(token_);
  hello.mutable_hello()->set_last_version(version_);
  said_ = version_;
  const TableTruth& truth = Truth::get().of(table_);
  shown_then_ = truth.shown;
  epoch_then_ = truth.epoch;
  const bool sent = co_await send(std::move(hello));
  if (sent) co_await cli::until_one_ends(read_frames(), make_moves());
}

Task<bool> SeatedPlayer::send(play::v1::ClientFrame frame) {
  const std::string bytes = frame.SerializeAsString();
  stream_->binary(true);
  const auto [error, size] = co_await stream_->async_write(boost::asio::buffer(bytes), kResult);
  co_return !error;
}

Task<void> SeatedPlayer::read_frames() {
  boost::beast::flat_buffer buffer;
  play::v1::ServerFrame frame;
  for (;;) {
    const auto [error, size] = co_await stream_->async_read(buffer, kResult);
    if (error) {
      trouble_ = error.message();
      co_return;
    }
    if (!frame.ParseFromArray(buffer.data().data(), static_cast<int>(size))) {
      violated("unreadable", "table " + table_ + ": a frame");
      co_return;
    }
    buffer.consume(size);
    if (!take(frame)) co_return;
    pause_.cancel();
  }
}

milliseconds SeatedPlayer::thinks() const {
  const auto rest = static_cast<std::uint64_t>(habits_.rest.count());
  return habits_.rest / 2 + milliseconds{kernel().draw(rest + 1)};
}

std::string SeatedPlayer::standing() const {
  std::string text = "at " + table_ + " " + std::to_string(moves_) + " moves, version " +
                     std::to_string(version_) + " of " + std::to_string(current_);
  text += welcomed_ ? (on_turn() ? ", on turn" : ", waits") : ", not connected";
  return text + ", " + trouble_;
}

bool SeatedPlayer::on_turn() const {
  return welcomed_ && version_ >= current_ && seat_ && !resigned_ &&
         std::ranges::count(turn_, *seat_) > 0;
}

Task<void> SeatedPlayer::make_moves() {
  for (;;) {
    if (leaves_ || over_) co_return;
    if (!on_turn() || (!pending_ && move_for(view_, 0) == std::nullopt)) {
      pause_.expires_at(absent_ ? claim_at_ : cli::Timer::time_point::max());
      co_await pause_.async_wait(kResult);
      const bool claimed = co_await claim();
      if (!claimed) co_return;
      continue;
    }
    cli::Timer rest(executor_, std::exchange(refused_, false) ? kBeforeAgain : thinks());
    co_await rest.async_wait(kResult);
    if (habits_.cuts && kernel().draw(40) == 0) co_return;
    if (habits_.wanders && kernel().draw(30) == 0) {
      away_ = kAwayMin + milliseconds{kernel().draw(kAwayMore)};
      co_return;
    }
    const bool spoken = co_await speak();
    if (!spoken) co_return;
    if (!on_turn()) continue;
    if (!pending_) {
      const auto body = choose();
      if (!body) continue;
      pending_.emplace();
      pending_->move.set_move_id(name_ + "-" + std::to_string(++named_));
      pending_->move.set_at_version(version_);
      *pending_->move.mutable_body() = *body;
    }
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(habits_.resends, sent_.size()); ++i) {
      play::v1::ClientFrame again;
      *again.mutable_move() = sent_[sent_.size() - 1 - i].move;
      const bool resent = co_await send(std::move(again));
      if (!resent) co_return;
    }
    play::v1::ClientFrame frame;
    *frame.mutable_move() = pending_->move;
    const bool sent = co_await send(std::move(frame));
    if (!sent) co_return;
    // Until it is answered, or long after.
    const auto until = std::chrono::steady_clock::now() + habits_.patience;
    const std::string id = pending_->move.move_id();
    while (pending_ && pending_->move.move_id() == id && std::chrono::steady_clock::now() < until &&
           !over_ && !refused_) {
      pause_.expires_at(until);
      co_await pause_.async_wait(kResult);
    }
    if (pending_ && pending_->move.move_id() == id && !over_ && !refused_)
      co_return;  // again, on another stream
  }
}

Task<bool> SeatedPlayer::speak() {
  play::v1::ClientFrame frame;
  const std::uint64_t what = kernel().draw(30);
  if (habits_.talks && what == 0) frame.mutable_say()->set_text("Hello from " + name_);
  if (habits_.talks && what == 1) frame.mutable_say()->set_phrase(play::v1::PHRASE_OOPS);
  if (habits_.talks && what == 2) {
    frame.mutable_mute()->set_player_id(neighbour_);
    frame.mutable_mute()->set_muted(kernel().draw(2) == 0);
  }
  if (habits_.talks && what == 3) frame.mutable_ping()->set_nonce(++pinged_);
  if (habits_.errs && what == 4) frame.mutable_hello()->set_token("again");
  if (habits_.errs && what == 5) frame.mutable_move()->mutable_body()->set_type_url("no move");
  if (habits_.asks && what < 10) {
    frame.mutable_hint_request()->set_hint_id("?" + std::to_string(++named_));
    frame.mutable_hint_request()->set_strategy(what == 9 ? "nobody" : "random");
  }
  if (frame.frame_case() == play::v1::ClientFrame::FRAME_NOT_SET) co_return true;
  co_return co_await send(std::move(frame));
}

Task<bool> SeatedPlayer::claim() {
  if (!absent_ || leaves_ || over_ || std::chrono::steady_clock::now() < claim_at_) co_return true;
  play::v1::ClientFrame frame;
  frame.mutable_claim()->set_claim_id(name_ + "-" + std::to_string(++named_));
  frame.mutable_claim()->set_seat(*std::exchange(absent_, {}));
  frame.mutable_claim()->set_wish(kernel().draw(3) == 0 ? play::v1::CLAIM_WISH_RESIGNATION
                                                        : play::v1::CLAIM_WISH_BOT);
  co_return co_await send(std::move(frame));
}

std::optional<google::protobuf::Any> SeatedPlayer::choose() const {
  if (habits_.resigns && kernel().draw(60) == 0) return packed(play::v1::Resign{});
  if (habits_.regrets && kernel().draw(8) == 0) return packed(play::v1::Undo{});
  if (hint_ && hint_->version() == version_) return hint_->move();
  return move_for(view_, kernel().draw());
}

bool SeatedPlayer::take(const play::v1::ServerFrame& frame) {
  if (frame.has_welcome()) take(frame.welcome());
  if (frame.has_snapshot()) take(frame.snapshot());
  if (frame.has_event()) take(frame.event());
  if (frame.has_move_repeated()) answered(frame.move_repeated().event());
  if (frame.has_refusal()) take(frame.refusal());
  if (frame.has_seating()) take(frame.seating());
  if (frame.has_hint()) take(frame.hint());
  if (frame.has_pong()) {
    const std::uint64_t before = std::exchange(ponged_, frame.pong().nonce());
    if (ponged_ <= before || ponged_ > pinged_) violated("untold", "table " + table_ + ": a Pong");
  }
  if (frame.has_goodbye()) {
    trouble_ = frame.goodbye().message();
    gone_ = !frame.goodbye().reconnect();
    return false;
  }
  return true;
}

void SeatedPlayer::take(const play::v1::Welcome& welcome) {
  welcomed_ = true;
  current_ = welcome.version();
  seat_.reset();
  if (welcome.has_seat()) seat_ = welcome.seat();
  hint_.reset();
  take(welcome.seating());
  // Of an owner that was misjudged: who has seen more is greeted by nobody who knows less.
  const bool misjudged = Truth::get().of(table_).misjudged;
  const std::uint64_t least = misjudged ? said_ : shown_then_;
  if (welcome.version() < least) {
    violated("behind", "table " + table_ + ": greeted at " + std::to_string(welcome.version()) +
                           " after " + std::to_string(least) + " was shown");
  }
  const bool falls = welcome.epoch() < epoch_then_ && !misjudged;
  if (falls || welcome.epoch() == 0) {
    violated("falling", "table " + table_ + ": epoch " + std::to_string(welcome.epoch()) +
                            " after " + std::to_string(epoch_then_));
  }
  TableTruth& truth = Truth::get().of(table_);
  truth.epoch = std::max(truth.epoch, welcome.epoch());
  if (!welcome.resumed()) version_ = 0;
}

void SeatedPlayer::take(const play::v1::Snapshot& snapshot) {
  Truth::get().snapshot(table_, snapshot);
  version_ = snapshot.version();
  view_ = snapshot.view();
  see({});
  turn_.assign(snapshot.turn().seats().begin(), snapshot.turn().seats().end());
  over_ = over_ || snapshot.has_result();
}

void SeatedPlayer::take(const play::v1::Event& event) {
  if (version_ != 0 && event.version() != version_ + 1) {
    violated("gaps", "table " + table_ + ": version " + std::to_string(event.version()) +
                         " after " + std::to_string(version_));
  }
  Truth::get().event(table_, event);
  version_ = event.version();
  if (auto view = view_of(event.body()); !view.type_url().empty()) view_ = std::move(view);
  play::v1::Undone undone;
  const bool back = event.body().Is<play::v1::Undone>() && event.body().UnpackTo(&undone);
  see(back ? std::optional(undone.to_version()) : std::nullopt);
  turn_.assign(event.turn().seats().begin(), event.turn().seats().end());
  answered(event);
  over_ = over_ || event.has_result();
}

void SeatedPlayer::see(std::optional<std::uint64_t> to) {
  if (!habits_.regrets) return;
  const std::uint64_t hash = std::hash<std::string>{}(view_.value());
  views_[version_] = hash;
  const auto then = to ? views_.find(*to) : views_.end();
  if (then != views_.end() && then->second != hash) {
    violated("changed", "table " + table_ + ": version " + std::to_string(version_) +
                            " is not what version " + std::to_string(*to) + " was");
  }
}

void SeatedPlayer::take(const play::v1::Seating& seating) {
  if (seating.has_seat()) seat_ = seating.seat();
  absent_.reset();
  for (const auto& seat : seating.seats()) {
    if (seat_ == seat.seat()) {
      resigned_ = seat.resigned();
      continue;
    }
    neighbour_ = seat.player_id();
    const bool plays = !seat.bot() && !seat.resigned() && seat.strategy().empty();
    if (!habits_.claims || seating.waiting() || seat.connected() || !plays) continue;
    absent_ = seat.seat();
    const milliseconds after{seating.claim_after_ms() -
                             std::min(seating.claim_after_ms(), seat.away_ms())};
    claim_at_ = std::chrono::steady_clock::now() + after + kClaimSlack;
  }
}

void SeatedPlayer::take(const play::v1::Hint& hint) {
  if (hint.version() != version_) {
    violated("advised", "table " + table_ + ": for version " + std::to_string(hint.version()) +
                            " after " + std::to_string(version_));
  }
  hint_ = hint;
}

void SeatedPlayer::answered(const play::v1::Event& event) {
  if (!event.move_id().starts_with(name_ + "-")) return;
  Truth::get().acknowledged(table_, event.move_id(), event.version());
  if (!pending_ || pending_->move.move_id() != event.move_id()) return;
  ++moves_;
  pending_->version = event.version();
  sent_.push_back(std::move(*pending_));
  if (sent_.size() > kSentMax) sent_.pop_front();
  pending_.reset();
}

void SeatedPlayer::take(const play::v1::Refusal& refusal) {
  const bool is_pending = pending_ && pending_->move.move_id() == refusal.move_id();
  if (may_be_sent_again(refusal.reason())) {
    refused_ = refused_ || is_pending;  // it is sent again, under its id
    return;
  }
  const bool chosen = is_pending && !pending_->move.body().Is<play::v1::Undo>();
  if (chosen && refusal.reason() == play::v1::REASON_ILLEGAL_MOVE) {
    violated("illegal", "table " + table_ + ": " + refusal.message());
  }
  if (!refusal.move_id().empty() && refusal.move_id().starts_with(name_ + "-")) {
    Truth::get().refused(table_, refusal.move_id());
  }
  if (is_pending) pending_.reset();
}

}  // namespace tesela::sim
