// The client of a table's stream, for a player or a spectator. It reconnects after a failure and
// resumes at the last version it saw, and sends an unanswered move again under its move_id, so that
// no move is lost and none is played twice. The contract is proto/tesela/play/v1/play.proto.
#pragma once

#include <google/protobuf/any.pb.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "clients/cli/client/back_off.h"
#include "clients/cli/client/connect.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "engine/core/ids.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

struct Link {
  enum class Phase : std::uint8_t {
    kConnecting,  // now
    kOpen,        // Welcome has come
    kWaiting,     // lost; tries again after `retry_in`
    kClosed,      // ended for good: the last phase
  };
  Phase phase = Phase::kConnecting;
  std::string why{};  // a sentence, in kWaiting and kClosed
  std::chrono::milliseconds retry_in{};
};

/// Gets what a StreamClient receives, in order, on its thread. Events have no gaps and no
/// repetitions. The references are valid during the call.
class StreamListener {
 public:
  virtual ~StreamListener() = default;
  virtual void on_link(const Link& link) = 0;
  virtual void on_welcome(const play::v1::Welcome& welcome) = 0;
  virtual void on_snapshot(const play::v1::Snapshot& snapshot) = 0;
  virtual void on_event(const play::v1::Event& event) = 0;
  /// The seating has changed. Replaces Welcome.seating.
  virtual void on_seating(const play::v1::Seating& seating) = 0;
  /// The clocks have changed since the last event or snapshot.
  virtual void on_clocks(const play::v1::Clocks& clocks) = 0;
  virtual void on_said(const play::v1::Said& said) = 0;
  /// An operator tells everybody something. Empty: nothing any more.
  virtual void on_announcement(const std::string& /*text*/) {}
  /// The answer to `ask`. Only a listener whose client asks gets one.
  virtual void on_hint(const play::v1::Hint& /*hint*/) {}
  /// The server has refused the unanswered move, which is not sent again, or the question; or,
  /// without a move_id, another frame.
  virtual void on_refusal(const play::v1::Refusal& refusal) = 0;
};

/// One thread. The listener outlives the client.
class StreamClient {
 public:
  struct Options {
    ServerAddress server;
    std::string table_id;
    std::string token;     // empty for an anonymous spectator
    std::string invite{};  // of a private table
    bool spectate = false;
    std::uint64_t random_seed = 0;  // of move ids and jitter: different in each client
  };

  StreamClient(Executor executor, Options options, StreamListener& listener);

  /// Stays connected until the server says not to reconnect. Cancel it to close the stream: then
  /// the listener is not called any more.
  Task<void> run();

  /// The version that a move is for. A move for the last version is refused when somebody else has
  /// moved meanwhile.
  enum class DecidedOn : std::uint8_t { kLastVersion, kAnyVersion };

  /// Sends a move; without a connection, as soon as there is one. False, and nothing is sent, while
  /// another move is unanswered or before the first snapshot.
  bool play(google::protobuf::Any body, DecidedOn decided_on = DecidedOn::kLastVersion);

  /// Sends a frame that is not a move, in order and only once: not again after a reconnect. False,
  /// and nothing is sent, without a connection or when kToSayMax frames wait.
  bool say(play::v1::ClientFrame frame);
  static constexpr std::size_t kToSayMax = 16;

  /// Asks the strongest strategy for a hint; not again after a reconnect. False, and nothing is
  /// sent, without a connection or while a question is unanswered.
  bool ask();

  /// Welcomes in a row of servers that have lost the table to another one. Then the database was
  /// restored: the client begins anew, with a Snapshot.
  static constexpr int kOlderOwnersMax = 6;

  /// Whether a move is unanswered.
  [[nodiscard]] bool unanswered() const { return pending_.has_value(); }
  [[nodiscard]] Version version() const { return version_; }

 private:
  struct Ending {
    std::string why{};
    bool final = false;
    std::chrono::milliseconds wait_min{};
    bool moved = false;  // another server can take the table now: no longer wait
  };

  Task<Ending> one_stream();
  Task<Expected<void>> open();
  Task<Ending> read_frames();
  Task<Ending> write_frames();
  Task<std::optional<Ending>> write(play::v1::ClientFrame frame);
  std::optional<Ending> accept(const play::v1::ServerFrame& frame);
  std::optional<Ending> accept_event(const play::v1::Event& event);
  std::optional<Ending> accept_welcome(const play::v1::Welcome& welcome);
  bool is_older_owner(Epoch epoch);
  void accept_snapshot(const play::v1::Snapshot& snapshot);
  void accept_refusal(const play::v1::Refusal& refusal);
  void answered(const std::string& move_id);
  void catch_up();

  Options options_;
  StreamListener& listener_;
  BackOff back_off_;
  std::string session_;              // the prefix of the ids of moves
  std::uint64_t moves_ = 0;          // that were named: ids that count are stored in few bytes
  std::uint64_t hints_ = 0;          // that were asked for
  std::string asked_{};              // the id of the unanswered question; empty: none
  std::optional<WebSocket> stream_;  // while there is a connection
  Timer wake_;                       // of the writer
  Version version_{};                // the last one received
  Version current_{};                // the table's, as Welcome said
  Epoch epoch_{};                    // the highest that a Welcome has told
  int older_owners_ = 0;             // Welcomes in a row with a lower one
  bool caught_up_ = false;           // has reached the version of Welcome
  std::optional<play::v1::Move> pending_;
  bool to_send_ = false;  // `pending_` is to be written on this connection
  bool open_ = false;     // Welcome has come on this connection
  std::deque<play::v1::ClientFrame> to_say_;
  std::chrono::milliseconds send_after_{};
};

}  // namespace tesela::cli
