// A remote bot that is connected to a tournament: its stream, and the open questions to it.
#pragma once

#include <google/protobuf/any.pb.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/sync_stream.h>
#include <tesela/bot/v1/bot.pb.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "server/games/bot_request.h"

namespace tesela::cli {

/// Questions that are open at a time (tesela.bot.v1.Question). Above: the next ones wait until one
/// is settled, and their time begins then.
inline constexpr std::size_t kOpenQuestionsMax = 64;
/// Messages that wait until they are sent. Above: the stream is cut off.
inline constexpr std::size_t kWaitingMessagesMax = 2 * kOpenQuestionsMax;
/// How long the sending of one message may take: beyond the time for a move, in which a bot may
/// think and read nothing, and after the bot has left. Later: the stream is cut off.
inline constexpr std::chrono::seconds kSendTimeMax{5};

/// Any thread but for `read_all`. Of the others nothing but `ask` waits: while kOpenQuestionsMax
/// questions are open, in no order, so that later ones may be asked first, and then no longer than
/// its time. A thread of its own writes to the stream.
class RemoteVisit {
 public:
  using Stream = grpc::ServerReaderWriter<bot::v1::PlayResponse, bot::v1::PlayRequest>;

  /// Sends `accepted` first. `context` and `stream` outlive read_all().
  RemoteVisit(grpc::ServerContext& context, Stream& stream, bot::v1::PlayResponse accepted);
  RemoteVisit(const RemoteVisit&) = delete;
  RemoteVisit& operator=(const RemoteVisit&) = delete;
  ~RemoteVisit() = default;

  /// Takes the bot's answers until it leaves or is cut off. Returns when the stream is no longer
  /// used, and how it ends. Called once.
  [[nodiscard]] grpc::Status read_all();

  /// Asks the bot for a move: the encoded message of a legal one, or none when the bot is late,
  /// leaves, or answers with something else, of which it is told.
  [[nodiscard]] std::optional<std::string> ask(const std::string& config, games::BotRequest request,
                                               std::chrono::microseconds time);

  /// Whether the stream was cut off because the bot does not read its messages.
  [[nodiscard]] bool is_cut_off() const;

 private:
  using Clock = std::chrono::steady_clock;
  using Answer = std::optional<google::protobuf::Any>;

  void answer(bot::v1::Answer answer);
  [[nodiscard]] std::optional<std::uint64_t> open_question();
  [[nodiscard]] Answer settle(std::uint64_t id, std::chrono::microseconds time);
  void dismiss(std::uint64_t id, const std::string& why);
  void push(bot::v1::PlayResponse message);
  void cut_off();
  void write_all();

  grpc::ServerContext& context_;
  Stream& stream_;
  mutable std::mutex mutex_;
  std::condition_variable sending_;
  std::condition_variable settled_;
  std::deque<bot::v1::PlayResponse> waiting_;  // from here on under the mutex
  std::optional<Clock::time_point> writing_since_;
  std::map<std::uint64_t, Answer> open_;
  std::uint64_t last_id_{0};
  bool gone_{false};
  bool cut_off_{false};
  std::jthread writer_;  // last: it uses everything above
};

}  // namespace tesela::cli
