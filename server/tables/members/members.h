// The connections of a table and what is sent to each.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/frame.h"
#include "server/metrics/metrics.h"
#include "server/quota/rate.h"
#include "server/quota/table_quotas.h"
#include "server/tables/core/command.h"
#include "server/tables/core/position.h"
#include "server/tables/members/outbox.h"

namespace tesela::tables {

/// A frame that is held back until earlier ones were sent.
struct HeldFrame {
  codec::FramePtr frame;
  bool event;  // dropped when a Snapshot is sent in place of the missed events
};

/// One connection.
struct Member {
  MemberId id;
  Outbox* outbox;
  std::optional<PlayerId> player;  // empty for a spectator without a token
  std::optional<Seat> seat;
  Version last_version;                        // from its Hello
  bool present = false;                        // Welcome was sent: receives events
  bool catching_up = false;                    // its missed events are being read
  bool lagging = false;                        // frames were dropped: a Snapshot follows
  bool asking = false;                         // a hint request is under way
  std::shared_ptr<quota::TableQuota> quota{};  // of the player; null for others
  std::vector<PlayerId> muted{};
  std::vector<PlayerId> blocked{};     // as its player did when the stream began
  std::shared_ptr<const void> from{};  // identifies the address; null: no limit applies
  bool by_pass = false;                // an operator: may watch wherever spectators may not
  /// Until Welcome is sent: whatever is sent meanwhile waits behind it and the missed events.
  std::unique_ptr<std::vector<HeldFrame>> held{};
};

/// Who is connected.
struct Presence {
  std::array<bool, kSeatsMax> connected{};
  std::uint32_t spectators{};

  friend bool operator==(const Presence&, const Presence&) = default;
};

/// One thread: the table's. Pointers and references to a Member are valid until the next `add` or
/// `remove`.
class Members {
 public:
  /// The references outlive it.
  Members(const Position& position, quota::TableQuotas& quotas, metrics::Metrics& metrics)
      : position_(position),
        quotas_(quotas),
        metrics_(metrics),
        players_(metrics.online("player")),
        spectators_(metrics.online("spectator")),
        left_at_(std::chrono::steady_clock::now()) {}
  ~Members() { count(0, 0); }
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  /// Adds a connection that is not present yet; `outbox` lives until `remove`. Errors: those of
  /// Table::join.
  [[nodiscard]] Expected<MemberId> add(Outbox& outbox, std::optional<PlayerId> player,
                                       const codec::Hello& hello, std::shared_ptr<const void> from);
  void remove(MemberId member);

  [[nodiscard]] Member* find(MemberId member);
  [[nodiscard]] bool has(PlayerId player) const;
  /// Whether a stream of the player's is there, which is not about to end.
  [[nodiscard]] bool connected(PlayerId player) const;
  [[nodiscard]] bool empty() const { return members_.empty(); }
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  /// When a connection was removed last; when the table was loaded, if none was.
  [[nodiscard]] std::chrono::steady_clock::time_point left_at() const { return left_at_; }
  [[nodiscard]] Presence presence() const;
  [[nodiscard]] auto begin() { return members_.begin(); }
  [[nodiscard]] auto end() { return members_.end(); }

  /// Updates the members' seats after a change of the row. Ends all streams of a player but the
  /// newest.
  void take_seats();
  /// Ends the other streams of the member's player: a stream is not told of moves that were sent on
  /// another.
  void replace_others_of(const Member& member);

  /// Ends all streams of a player.
  void end_those_of(PlayerId player, const Goodbye& goodbye);

  /// Sends a frame, behind the Welcome. When the outbox is full, a player's connection is ended,
  /// and a spectator loses frames until the outbox is empty.
  void send(Member& member, const codec::FramePtr& frame);
  /// The same; without effect if the member has left.
  void send(MemberId member, const codec::FramePtr& frame);
  /// Sends to all present members.
  void send_all(const codec::FramePtr& frame);
  /// The same, and to members whose missed events are being read.
  void send_event(const codec::FramePtr& frame);
  /// Refuses the move or request `id` of the member, and counts it. Without effect if the member
  /// has left.
  void refuse(MemberId member, std::string_view id, const Refusal& refusal);
  /// Sends Goodbye to all members.
  void end_all(const Goodbye& goodbye);
  /// Outbox::abandon of all members.
  void abandon_all();

  /// Charges an execution of so many events to the budget of the member's seat, or to that of all
  /// spectators. False when the budget is used up.
  bool may_execute(const Member& member, std::uint64_t events);

 private:
  void count();
  void count(std::size_t seated, std::size_t watching);
  [[nodiscard]] Expected<void> may_join(std::optional<PlayerId> player, const codec::Hello& hello,
                                        const void* from) const;
  void hold(Member& member, codec::FramePtr frame, bool event);
  void slow_reader(Member& member, const char* sentence);

  const Position& position_;
  quota::TableQuotas& quotas_;
  metrics::Metrics& metrics_;
  prometheus::Gauge& players_;
  prometheus::Gauge& spectators_;
  std::size_t seated_ = 0;  // of the two gauges
  std::size_t watching_ = 0;
  std::vector<Member> members_;
  MemberId last_;
  std::chrono::steady_clock::time_point left_at_;
  std::array<quota::Budget, kSeatsMax + 1> executed_;  // by seat; the last is for all spectators
};

/// Charges an execution to the quota of the member's player. False when it is used up.
[[nodiscard]] bool may_replay(const Member& member);

}  // namespace tesela::tables
