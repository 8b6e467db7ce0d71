// What one address, and one player, may take of the server.
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
#include "server/quota/networks.h"
#include "server/quota/rate.h"

namespace tesela::quota {

/// What is counted by time.
enum class Act : std::uint8_t {
  kSignIn,
  kTable,          // made
  kRequest,        // of HTTP, or a call of gRPC
  kFrame,          // sent into a stream of a player
  kStrangerFrame,  // or of nobody in particular
  kConnect,        // to one of the two ports; through a proxy, to a stream
  kGrpcFrame,      // what Http2Meter counts
  kExecution,      // an event of a game that is executed again
};
inline constexpr std::size_t kActs = 8;

/// What is counted for as long as it lasts, of an address and of a player.
enum class Held : std::uint8_t {
  kConnection,  // of an address: to one of the two ports; of a player: a stream
  kLiveTable,   // made, or searched for
  kWatch,       // of tables
  kReplay,      // of a game
  kBotStream,   // of a remote bot
};
inline constexpr std::size_t kHeldKinds = 5;

class AdmissionControl;

/// What connections of gRPC have under way at once.
struct CallShare {
  std::size_t calls = 0;
  std::size_t bytes = 0;  // of messages that have begun and not ended
};

/// The quota of one address or one player. Any thread. Must not outlive its admission control.
class Quota {
 public:
  Quota(AdmissionControl& admission, bool of_player)
      : admission_(admission), of_player_(of_player) {}

  /// False when it was too much; that is counted (tesela_limited_total).
  [[nodiscard]] bool take(Act act);
  /// Takes many at once, the last of them on credit. False when none are left; that is not counted
  /// yet, since who waits for them tries again.
  [[nodiscard]] bool try_take(Act act, std::size_t count);
  /// Counts it.
  void count_limited(Act act);
  /// Puts what a connection has under way now in place of what it had. False when the quota
  /// then has more than limits::kGrpcCallsPerAddress or kGrpcUnfinishedPerAddress, and this
  /// connection has not less than before; that is counted (tesela_limited_total).
  [[nodiscard]] bool hold(const CallShare& before, const CallShare& now);
  /// Takes the new connections of limits::kPenaltyTime.
  void penalize();

 private:
  friend class AdmissionControl;
  friend class Slot;

  [[nodiscard]] bool idle(Budget::Time now) const;

  AdmissionControl& admission_;
  const bool of_player_;
  std::array<Budget, kActs> budgets_;
  std::array<std::atomic<std::size_t>, kHeldKinds> slots_{};
  std::atomic<std::size_t> calls_{0};
  std::atomic<std::size_t> unfinished_bytes_{0};
};

/// None: somebody whom no limit holds.
using QuotaPtr = std::shared_ptr<Quota>;

/// One of the connections of a quota, or of what else it holds; its end gives the slot back.
/// Move-only.
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

/// The slots that one thing takes. Empty ones: no limit holds it.
struct Slots {
  Slot of_address;
  Slot of_player;
};

/// Any thread.
class AdmissionControl {
 public:
  /// 0: no limit.
  struct Options {
    std::uint32_t sign_ins_per_minute{};    // of an address
    std::uint32_t tables_per_minute{};      // of a player, and of an address
    std::uint32_t requests_per_second{};    // of an address
    std::uint32_t connects_per_second{};    // of an address
    std::uint32_t frames_per_second{};      // of a player; 0: no limit of strangers either
    std::size_t connections_per_address{};  // at once, of both ports
    std::size_t streams_per_player{};       // at once
    std::size_t live_tables_per_address{};  // at once
    std::size_t live_tables_per_player{};   // at once
    Networks trusted_proxies{};             // they say whom they speak for
    Networks exempt{};                      // no limit holds whoever comes from there
  };

  AdmissionControl(Options options, metrics::Metrics& metrics);
  AdmissionControl(const AdmissionControl&) = delete;
  AdmissionControl& operator=(const AdmissionControl&) = delete;

  /// Who a client is, from the address that its connection comes from and from what proxies say of
  /// it (all fields of X-Forwarded-For, see append_forwarded), if that address is a trusted
  /// proxy's.
  [[nodiscard]] boost::asio::ip::address client(const boost::asio::ip::address& peer,
                                                std::string_view forwarded_for) const;
  [[nodiscard]] bool is_proxy(const boost::asio::ip::address& peer) const;

  /// gRPC knows a connection that it is given by its descriptor alone: where this one comes from,
  /// to be told before its first call.
  void introduce(int descriptor, boost::asio::ip::address peer);
  /// Where the connection comes from that had the descriptor last. None: nobody told.
  [[nodiscard]] std::optional<boost::asio::ip::address> introduced(int descriptor) const;

  /// The quota of an address; an IPv6 address shares that of its /64.
  [[nodiscard]] QuotaPtr address(const boost::asio::ip::address& client);
  /// The quota of a player who comes from there: none where there is none for the address.
  [[nodiscard]] QuotaPtr player(const QuotaPtr& from, PlayerId player);

  /// Counts a table that a player makes who comes from there. Errors: kResourceExhausted.
  [[nodiscard]] Expected<void> count_table(const QuotaPtr& from, PlayerId player);

  /// A connection's slot. Empty when the quota has as many as it may.
  [[nodiscard]] std::optional<Slot> enter(const QuotaPtr& quota);

  /// The slots of something that lasts, for who comes from there; `player`: who it is, if that is
  /// known. Errors: kResourceExhausted, with the number and what to do.
  [[nodiscard]] Expected<Slots> hold(Held what, const QuotaPtr& from,
                                     std::optional<PlayerId> player);

 private:
  friend class Quota;
  friend class Slot;
  template <class Key>
  struct QuotaTable {
    std::map<Key, QuotaPtr> known;
    QuotaPtr crowd;  // of all beyond limits::kQuotasMax
    std::chrono::steady_clock::time_point swept{};
  };

  template <class Key>
  QuotaPtr find(QuotaTable<Key>& table, const Key& key, bool of_player);
  /// How many a quota may hold; 0: no limit.
  [[nodiscard]] std::size_t most(Held what, bool of_player) const;
  [[nodiscard]] std::optional<Slot> take_slot(Held what, const QuotaPtr& quota);

  const Options options_;
  const std::array<Rate, kActs> rates_;
  metrics::Metrics& metrics_;
  mutable std::atomic<bool> warned_{false};  // of a proxy that is not named
  mutable std::mutex mutex_;
  std::map<int, boost::asio::ip::address> introduced_;
  QuotaTable<boost::asio::ip::address> addresses_;
  QuotaTable<PlayerId> players_;
};

/// Adds the next field of X-Forwarded-For to those that stand before it in a request: together they
/// are one list (RFC 9110, 5.3).
void append_forwarded(std::string& all, std::string_view field);

/// What a refused act is answered with: kResourceExhausted and a sentence.
[[nodiscard]] std::unexpected<Error> too_often(Act act);

}  // namespace tesela::quota
