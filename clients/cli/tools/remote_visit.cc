#include "clients/cli/tools/remote_visit.h"

#include <utility>

#include "engine/core/result.h"
#include "server/games/bot_question.h"
#include "server/games/codec_parts.h"
#include "tesela/bot/v1/bot.grpc.pb.h"

namespace tesela::cli {
namespace {

using bot::v1::PlayRequest;
using bot::v1::PlayResponse;
using std::chrono::microseconds;
using std::chrono::milliseconds;

/// The encoded message of the move, or why it is not legal.
Expected<std::string> judged(games::BotRequest& request, const google::protobuf::Any& move) {
  if (games::type_of(move) == request.move_type) return request.judge(move.value());
  return refuse(ErrorCode::kInvalidArgument, "The move must be a " + request.move_type + ", not '" +
                                                 std::string{games::type_of(move)} + "'.");
}

}  // namespace

RemoteVisit::RemoteVisit(grpc::ServerContext& context, Stream& stream, PlayResponse accepted)
    : context_{context}, stream_{stream} {
  waiting_.push_back(std::move(accepted));
  writer_ = std::jthread{[this] { write_all(); }};
}

grpc::Status RemoteVisit::read_all() {
  grpc::Status status = grpc::Status::OK;
  PlayRequest request;
  while (stream_.Read(&request)) {
    if (!request.has_answer()) {
      status = {grpc::StatusCode::INVALID_ARGUMENT,
                "The first message is an Offer, and all others are an Answer."};
      break;
    }
    answer(std::move(*request.mutable_answer()));
  }
  std::unique_lock lock{mutex_};
  gone_ = true;
  sending_.notify_all();
  settled_.notify_all();
  // The status comes after the message that is being written, which a bot that leaves may not read.
  const bool written = sending_.wait_for(lock, kSendTimeMax, [this] { return !writing_since_; });
  if (!written) context_.TryCancel();
  lock.unlock();
  writer_.join();
  return status;
}

std::optional<std::string> RemoteVisit::ask(const std::string& config, games::BotRequest request,
                                            microseconds time) {
  const auto id = open_question();
  if (!id) return std::nullopt;
  PlayResponse question;
  games::write(*id, config, request, std::chrono::ceil<milliseconds>(time),
               *question.mutable_question());
  push(std::move(question));
  const Answer answer = settle(*id, time);
  if (!answer) return std::nullopt;
  auto move = judged(request, *answer);
  if (!move) {
    dismiss(*id, move.error().message);
    return std::nullopt;
  }
  return *std::move(move);
}

bool RemoteVisit::is_cut_off() const {
  const std::lock_guard lock{mutex_};
  return cut_off_;
}

void RemoteVisit::answer(bot::v1::Answer answer) {
  {
    const std::lock_guard lock{mutex_};
    const auto open = open_.find(answer.question_id());
    if (open != open_.end() && !open->second) {
      open->second = std::move(*answer.mutable_move());
      settled_.notify_all();
      return;
    }
  }
  dismiss(answer.question_id(), "There is no such request, or it has ended.");
}

/// Its id; none when the bot has left.
std::optional<std::uint64_t> RemoteVisit::open_question() {
  std::unique_lock lock{mutex_};
  settled_.wait(lock, [this] { return gone_ || open_.size() < kOpenQuestionsMax; });
  if (gone_) return std::nullopt;
  open_.emplace(++last_id_, std::nullopt);
  return last_id_;
}

/// Waits for the answer.
RemoteVisit::Answer RemoteVisit::settle(std::uint64_t id, microseconds time) {
  std::unique_lock lock{mutex_};
  const auto open = open_.find(id);
  settled_.wait_until(lock, Clock::now() + time, [&] { return gone_ || open->second; });
  Answer answer = std::move(open->second);
  open_.erase(open);
  settled_.notify_all();
  if (!answer && writing_since_ && Clock::now() - *writing_since_ > time + kSendTimeMax) cut_off();
  lock.unlock();
  if (!answer) dismiss(id, "Too late.");
  return answer;
}

void RemoteVisit::dismiss(std::uint64_t id, const std::string& why) {
  PlayResponse message;
  message.mutable_dismissed()->set_question_id(id);
  message.mutable_dismissed()->set_message(why);
  push(std::move(message));
}

void RemoteVisit::push(PlayResponse message) {
  const std::lock_guard lock{mutex_};
  if (gone_) return;
  if (waiting_.size() == kWaitingMessagesMax) {
    cut_off();
    return;
  }
  waiting_.push_back(std::move(message));
  sending_.notify_all();
}

/// Ends the stream. Under the mutex.
void RemoteVisit::cut_off() {
  if (gone_) return;
  gone_ = true;
  cut_off_ = true;
  // Nothing else ends a write that waits for the bot.
  context_.TryCancel();
  sending_.notify_all();
  settled_.notify_all();
}

void RemoteVisit::write_all() {
  std::unique_lock lock{mutex_};
  while (true) {
    sending_.wait(lock, [this] { return gone_ || !waiting_.empty(); });
    if (gone_) return;
    const PlayResponse message = std::move(waiting_.front());
    waiting_.pop_front();
    writing_since_ = Clock::now();
    lock.unlock();
    const bool written = stream_.Write(message);
    lock.lock();
    writing_since_.reset();
    sending_.notify_all();
    if (!written) return;
  }
}

}  // namespace tesela::cli
