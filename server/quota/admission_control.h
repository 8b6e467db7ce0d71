// The limits of one address and of one player: rates, and things that are held at the same time.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/metrics/metrics.h"
#include "server/quota/host_names.h"
#include "server/quota/memory_room.h"
#include "server/quota/networks.h"
#include "server/quota/rate.h"

namespace tesela::quota {

/// Actions with a rate limit.
enum class Act : std::uint8_t {
  kSignIn,
  kTable,          // a table was made
  kRequest,        // of HTTP, or a gRPC call
  kFrame,          // on a stream of a player
  kStrangerFrame,  // on a stream without a player
  kConnect,        // a connection to a port; through a proxy, a stream
  kGrpcFrame,      // counted by Http2Meter
  kExecution,      // an event that is executed again
  kCode,           // a recovery code was tried
  kReport,         // a player was reported
};
inline constexpr std::size_t kActs = 10;

/// Things that count as long as they last, for an address and for a player.
enum class Held : std::uint8_t {
  kConnection,  // for an address: to either port; for a player: a stream
  kLiveTable,   // made, sat down at, or searched for by matchmaking
  kWatch,       // of tables
  kReplay,      // of a game
  kAnalysis,    // of a game
  kBotStream,   // of a remote bot
};
inline constexpr std::size_t kHeldKinds = 6;

/// Tries of recovery codes of one locator, and of one address, in the time. Above:
/// kResourceExhausted.
inline constexpr std::uint32_t kCodeTries = 10;
inline constexpr std::chrono::minutes kCodeTriesTime{10};

class AdmissionControl;

/// The calls that gRPC connections have under way.
struct CallShare {
  std::size_t calls = 0;
  std::size_t bytes = 0;  // of unfinished messages
};

class Quota;

/// Null: no limit applies.
using QuotaPtr = std::shared_ptr<Quota>;

/// Whose quota it is.
enum class Whose : std::uint8_t { kPlayer, kAddress, kNetwork };

/// The quota of one player, one address, or a network of IPv6 with many addresses. What is taken of
/// one is taken of the wider ones too, or of none. Any thread. Must not outlive its admission
/// control.
class Quota {
 public:
  /// All limits are `times` those of one address.
  Quota(AdmissionControl& admission, Whose whose, unsigned times = 1, QuotaPtr wider = nullptr)
      : admission_(admission), whose_(whose), times_(times), wider_(std::move(wider)) {}

  /// False beyond the rate; that is counted (tesela_limited_total).
  [[nodiscard]] bool take(Act act) { return take(act, std::chrono::steady_clock::now()); }
  /// The same for a caller that has just read the clock.
  [[nodiscard]] bool take(Act act, Budget::Time now);
  /// Takes `count` at once, also beyond the available ones. False when none is available; that is
  /// not counted, because callers wait and try again.
  [[nodiscard]] bool try_take(Act act, std::size_t count);
  /// The rate, and how many are left of its burst, wider quotas aside.
  struct Allowance {
    Rate rate;
    std::uint32_t left{};
  };
  [[nodiscard]] Allowance allowance(Act act);
  /// Counts a refusal (tesela_limited_total).
  void count_limited(Act act);
  /// Replaces the share of a connection. False when the quota then exceeds
  /// limits::kGrpcCallsPerAddress or kGrpcUnfinishedPerAddress and the share has not become
  /// smaller; that is counted (tesela_limited_total).
  [[nodiscard]] bool hold(const CallShare& before, const CallShare& now);
  /// Takes as many new connections as limits::kPenaltyTime allows, for misbehaviour.
  void penalize();

 private:
  friend class AdmissionControl;
  friend class Slot;

  [[nodiscard]] bool idle(Budget::Time now) const;

  /// Charges all of them by `charge`, a function from a quota and its rate to whether it could be,
  /// or none. The quota that could not be; null: all could.
  template <class Charge>
  Quota* charge_all(Act act, std::size_t count, Charge charge);
  [[nodiscard]] Rate rate_of(Act act) const;
  [[nodiscard]] Budget& budget_of(Act act) { return budgets_[static_cast<std::size_t>(act)]; }
  void count_limited(std::string_view what);

  AdmissionControl& admission_;
  const Whose whose_;
  const unsigned times_;
  const QuotaPtr wider_;
  std::array<Budget, kActs> budgets_;
  std::array<std::atomic<std::size_t>, kHeldKinds> slots_{};
  std::atomic<std::size_t> calls_{0};
  std::atomic<std::size_t> unfinished_bytes_{0};
};

/// One unit of something that a quota and its wider ones hold, given back when this object is
/// destroyed. Move-only.
class Slot {
 public:
  Slot() = default;
  Slot(Slot&& other) noexcept = default;
  Slot& operator=(Slot&& other) noexcept;
  ~Slot() { give_back(); }

 private:
  friend class AdmissionControl;
  Slot(QuotaPtr quota, Held what) : quota_(std::move(quota)), what_(what) {}
  void give_back();

  QuotaPtr quota_;
  Held what_{Held::kConnection};
};

/// The slots of one thing, of its address and its player. Empty slots: no limit applies.
struct Slots {
  Slot of_address;
  Slot of_player;
  bool of_stranger{};  // without a player, and some limit applies
};

/// The part of what all share that only players may take: one in so many.
inline constexpr std::size_t kPlayersShare = 4;

/// How many of `most` that all share may be taken when somebody gets one more.
[[nodiscard]] constexpr std::size_t open_to(bool stranger, std::size_t most) {
  return stranger ? most - most / kPlayersShare : most;
}

/// Any thread.
class AdmissionControl {
 public:
  /// 0: no limit.
  struct Options {
    std::uint32_t sign_ins_per_minute{};  // of an address
    std::uint32_t tables_per_minute{};    // of a player, and of an address
    std::uint32_t requests_per_second{};  // of an address
    std::uint32_t connects_per_second{};  // of an address
    std::uint32_t
        frames_per_second{};  // of a player; 0: no limit for streams without a player either
    std::size_t connections_per_address{};  // at once, of both ports
    std::size_t streams_per_player{};       // at once
    std::size_t live_tables_per_address{};  // at once
    std::size_t live_tables_per_player{};   // at once
    std::uint64_t memory_max{};             // bytes that the process may take
    Networks trusted_proxies{};             // whose X-Forwarded-For is believed
    Networks exempt{};                      // without limits
    HostNames hosts{};                      // under which the exempt ones have none
  };

  AdmissionControl(Options options, metrics::Metrics& metrics);
  AdmissionControl(const AdmissionControl&) = delete;
  AdmissionControl& operator=(const AdmissionControl&) = delete;

  /// The address of a client: that of its connection or, if that is a trusted proxy's, the one in
  /// `forwarded_for` (all lines of X-Forwarded-For as one list: what a client says of itself may
  /// stand before the proxy's own). The unspecified address where a proxy names none, or none that
  /// can be read: all such clients count as one.
  [[nodiscard]] boost::asio::ip::address client(const boost::asio::ip::address& peer,
                                                std::string_view forwarded_for) const;
  [[nodiscard]] bool is_proxy(const boost::asio::ip::address& peer) const;
  [[nodiscard]] const HostNames& hosts() const { return options_.hosts; }

  /// Records the peer of a gRPC connection, before its first call: gRPC knows the connection only
  /// by its descriptor.
  void introduce(int descriptor, boost::asio::ip::address peer);
  /// The peer that was recorded last for the descriptor; empty if none was.
  [[nodiscard]] std::optional<boost::asio::ip::address> introduced(int descriptor) const;

  /// The quota of an address; the addresses of an IPv6 /64 share one. Null for an exempt address
  /// that comes under an own host. The unspecified address is never exempt, whatever networks
  /// are.
  [[nodiscard]] QuotaPtr address(const boost::asio::ip::address& client, bool own_host = true);
  /// The quota of a player with the address of `from`; null if `from` is null.
  [[nodiscard]] QuotaPtr player(const QuotaPtr& from, PlayerId player);

  /// Counts a try of a recovery code with this locator, also from an exempt address. Error:
  /// kResourceExhausted.
  [[nodiscard]] Expected<void> count_code(const QuotaPtr& from, const std::string& locator);

  /// Counts a table that the player makes. Error: kResourceExhausted, also where memory is scarce.
  [[nodiscard]] Expected<void> count_table(const QuotaPtr& from, PlayerId player);

  /// Whether there is memory for another connection, whoever asks.
  [[nodiscard]] bool has_room() { return memory_.left(); }

  /// Takes the slot of a connection; empty beyond the limit.
  [[nodiscard]] std::optional<Slot> enter(const QuotaPtr& quota);

  /// Takes the slots of something that lasts. Error: kResourceExhausted, with the limit and what to
  /// do.
  [[nodiscard]] Expected<Slots> hold(Held what, const QuotaPtr& from,
                                     std::optional<PlayerId> player);

 private:
  friend class Quota;
  friend class Slot;
  template <class Key>
  struct QuotaTable {
    std::map<Key, QuotaPtr> known;
    QuotaPtr crowd;  // shared by all beyond limits::kQuotasMax
    std::chrono::steady_clock::time_point swept{};
  };

  using Network = std::pair<boost::asio::ip::address, unsigned>;  // and its Quota::times_

  template <class Key>
  QuotaPtr find(QuotaTable<Key>& table, const Key& key, Whose whose, unsigned times,
                const QuotaPtr& wider);
  /// The limit of a quota; 0: none.
  [[nodiscard]] std::size_t most(Held what, const Quota& quota) const;
  /// The quota that has as many as it may, which was counted; null: the slot was taken.
  [[nodiscard]] const Quota* take_slot(Held what, const QuotaPtr& quota, Slot& slot);

  const Options options_;
  const std::array<Rate, kActs> rates_;
  metrics::Metrics& metrics_;
  MemoryRoom memory_;
  mutable std::atomic<bool> warned_{false};  // about a proxy that is not trusted
  mutable std::mutex mutex_;
  std::map<int, boost::asio::ip::address> introduced_;
  QuotaTable<Network> addresses_;
  QuotaTable<PlayerId> players_;
  QuotaTable<std::string> locators_;
};

/// The error of a refused action: kResourceExhausted, with a sentence.
[[nodiscard]] std::unexpected<Error> too_often(Act act);

}  // namespace tesela::quota
