// The connections at a table: who they are, and what each is sent.
#pragma once

#include <array>
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

/// A frame that waits for those before it.
struct HeldFrame {
  codec::FramePtr frame;
  bool event;  // a Snapshot stands for it too
};

/// One connection.
struct Member {
  MemberId id;
  Outbox* outbox;
  std::optional<PlayerId> player;  // none: a spectator, by choice or without a token
  std::optional<Seat> seat;
  Version last_version;                        // what it said in Hello
  bool present = false;                        // has been welcomed: receives events
  bool lagging = false;                        // lost frames: waits for a Snapshot
  bool asking = false;                         // for a hint
  std::shared_ptr<quota::TableQuota> quota{};  // of the player; none: of nobody
  std::vector<PlayerId> muted{};
  std::shared_ptr<const void> from{};  // stands for the address; none: no limit holds it
  /// Set while the missed events are found: what it is sent meanwhile comes after them.
  std::unique_ptr<std::vector<HeldFrame>> held{};
};

/// Who is here.
struct Presence {
  std::array<bool, kSeatsMax> connected{};
  std::uint32_t spectators{};

  friend bool operator==(const Presence&, const Presence&) = default;
};

/// One thread: the table's. Pointers and references to a Member are good until the next `add` or
/// `remove`.
class Members {
 public:
  /// All three outlive it.
  Members(const Position& position, quota::TableQuotas& quotas, metrics::Metrics& metrics)
      : position_(position), quotas_(quotas), metrics_(metrics) {}

  /// A connection that is not welcome yet; `outbox` lives until `remove`. Errors: as Table::join.
  [[nodiscard]] Expected<MemberId> add(Outbox& outbox, std::optional<PlayerId> player,
                                       const codec::Hello& hello, std::shared_ptr<const void> from);
  void remove(MemberId member);

  [[nodiscard]] Member* find(MemberId member);
  [[nodiscard]] bool has(PlayerId player) const;
  [[nodiscard]] bool empty() const { return members_.empty(); }
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  [[nodiscard]] Presence presence() const;
  [[nodiscard]] auto begin() { return members_.begin(); }
  [[nodiscard]] auto end() { return members_.end(); }

  /// The table's seats have changed: each member has that of its player. A player is told goodbye
  /// on all streams but the newest.
  void take_seats();
  /// Ends the other streams of the member's player: one would not know of the moves of another.
  void replace_others_of(const Member& member);

  /// Sends a frame, or ends the connection of a player who does not read; a spectator who does not
  /// loses frames until it has.
  void send(Member& member, const codec::FramePtr& frame);
  /// To all who are present.
  void send_all(const codec::FramePtr& frame);
  /// The same, and to those whose missed events are found meanwhile.
  void send_event(const codec::FramePtr& frame);
  /// Answers what the member sent as `id` with a refusal, which is counted. Nobody: it is gone.
  void refuse(MemberId member, std::string_view id, const Refusal& refusal);
  /// Tells everybody goodbye.
  void end_all(const Goodbye& goodbye);

  /// Takes what the log's execution up to now costs from what may be executed for the member's
  /// seat, or for all who watch. False when nothing is left.
  [[nodiscard]] bool may_execute(const Member& member);

 private:
  [[nodiscard]] Expected<void> may_join(std::optional<PlayerId> player, const codec::Hello& hello,
                                        const void* from) const;
  void hold(Member& member, codec::FramePtr frame, bool event);
  void slow_reader(Member& member, const char* sentence);

  const Position& position_;
  quota::TableQuotas& quotas_;
  metrics::Metrics& metrics_;
  std::vector<Member> members_;
  MemberId last_;
  std::array<quota::Budget, kSeatsMax + 1> executed_;  // for each seat, and for all who watch
};

/// Takes what a player may cost: whether the log may be executed again for them now.
[[nodiscard]] bool may_replay(const Member& member);

}  // namespace tesela::tables
