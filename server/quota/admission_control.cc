#include "server/quota/admission_control.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "server/base/analysis_limits.h"
#include "server/base/limits.h"
#include "server/base/log/seldom_log.h"
#include "server/base/scale_limits.h"
#include "server/quota/forwarded_for.h"

namespace tesela::quota {
namespace {

namespace ip = boost::asio::ip;
using std::chrono::steady_clock;

constexpr std::array<std::string_view, kActs> kNames{
    "sign_ins", "tables",      "requests",   "frames", "stranger_frames",
    "connects", "grpc_frames", "executions", "codes",  "reports"};

std::array<Rate, kActs> rates_of(const AdmissionControl::Options& options) {
  using namespace std::chrono_literals;
  return {Rate::of(options.sign_ins_per_minute, 1min),
          Rate::of(options.tables_per_minute, 1min),
          Rate::of(options.requests_per_second, 1s, limits::kRequestBurstSeconds),
          Rate::of(options.frames_per_second, 1s, limits::kFrameBurstSeconds),
          Rate::of(options.frames_per_second == 0 ? 0 : limits::kStrangerFramesPerSecond, 1s,
                   limits::kRequestBurstSeconds),
          Rate::of(options.connects_per_second, 1s, limits::kRequestBurstSeconds),
          Rate::of(options.requests_per_second * limits::kGrpcFramesPerRequest, 1s,
                   limits::kRequestBurstSeconds),
          Rate::of(limits::kExecutedEventsPerSecond, 1s, limits::kExecutedBurstSeconds),
          Rate::of(kCodeTries, kCodeTriesTime),
          Rate::of(limits::kReportsAtOnce, limits::kReportsTime)};
}

/// A kind of held things: its label and its name in sentences.
struct HeldName {
  std::string_view label;
  std::string_view many;
  std::string_view remedy;
};

constexpr std::array<HeldName, kHeldKinds> kHeldNames{{
    {"connections", "connections", "close one first."},
    {"live_tables", "tables whose games are not over, made or sat down at, searches included",
     "end a game, or leave a seat before its game begins."},
    {"watches", "watches of tables open", "end one first."},
    {"replays", "games shown again at once", "read one to its end first."},
    {"analyses", "games analysed at once", "wait until one is ready."},
    {"bot_streams", "streams of bots open", "end one first."},
}};

HeldName name_of(Held what, Whose whose) {
  if (what == Held::kConnection && whose == Whose::kPlayer)
    return {"streams", "streams open", "close one first."};
  return kHeldNames[static_cast<std::size_t>(what)];
}

std::string label(Whose whose, std::string_view what) {
  constexpr std::array<std::string_view, 3> kPrefixes{"player_", "address_", "network_"};
  return std::string{kPrefixes[static_cast<std::size_t>(whose)]} + std::string{what};
}

}  // namespace

Rate Quota::rate_of(Act act) const {
  return admission_.rates_[static_cast<std::size_t>(act)].times(times_);
}

template <class Charge>
Quota* Quota::charge_all(Act act, std::size_t count, Charge charge) {
  for (Quota* quota = this; quota != nullptr; quota = quota->wider_.get()) {
    if (charge(quota->budget_of(act), quota->rate_of(act))) continue;
    for (Quota* paid = this; paid != quota; paid = paid->wider_.get()) {
      paid->budget_of(act).refund(paid->rate_of(act).interval * static_cast<std::int64_t>(count));
    }
    return quota;
  }
  return nullptr;
}

bool Quota::take(Act act, Budget::Time now) {
  Quota* const empty = charge_all(
      act, 1, [now](Budget& budget, const Rate& rate) { return budget.take(rate, now); });
  if (empty == nullptr) return true;
  empty->count_limited(act);
  return false;
}

Quota::Allowance Quota::allowance(Act act) {
  const Rate rate = rate_of(act);
  return {.rate = rate, .left = budget_of(act).left(rate, steady_clock::now())};
}

bool Quota::try_take(Act act, std::size_t count) {
  const auto now = steady_clock::now();
  return charge_all(act, count, [&](Budget& budget, const Rate& rate) {
           return budget.fine(rate, rate.interval * static_cast<std::int64_t>(count), now);
         }) == nullptr;
}

void Quota::count_limited(Act act) {
  count_limited(kNames[static_cast<std::size_t>(act)]);
}

void Quota::count_limited(std::string_view what) {
  admission_.metrics_.limited(label(whose_, what)).Increment();
}

bool Quota::hold(const CallShare& before, const CallShare& now) {
  bool fits = true;
  for (Quota* quota = this; quota != nullptr; quota = quota->wider_.get()) {
    // Unsigned arithmetic wraps around, so that also a negative difference is added correctly.
    const std::size_t more_calls = now.calls - before.calls;
    const std::size_t more_bytes = now.bytes - before.bytes;
    const std::size_t calls = quota->calls_.fetch_add(more_calls) + more_calls;
    const std::size_t bytes = quota->unfinished_bytes_.fetch_add(more_bytes) + more_bytes;
    const bool too_many =
        calls > limits::kGrpcCallsPerAddress * quota->times_ && now.calls > before.calls;
    const bool too_much =
        bytes > limits::kGrpcUnfinishedPerAddress * quota->times_ && now.bytes > before.bytes;
    if (fits && (too_many || too_much)) quota->count_limited("grpc_calls");
    fits = fits && !too_many && !too_much;
  }
  return fits;
}

void Quota::penalize() {
  for (Quota* quota = this; quota != nullptr; quota = quota->wider_.get()) {
    // As many connections of each.
    quota->budget_of(Act::kConnect)
        .fine(quota->rate_of(Act::kConnect),
              std::chrono::nanoseconds{limits::kPenaltyTime} / quota->times_, steady_clock::now());
  }
}

bool Quota::idle(Budget::Time now) const {
  const auto none = [](const auto& count) { return count.load() == 0; };
  return std::ranges::all_of(slots_, none) &&
         std::ranges::all_of(budgets_, [now](const Budget& budget) { return budget.full(now); });
}

Slot& Slot::operator=(Slot&& other) noexcept {
  std::swap(quota_, other.quota_);
  std::swap(what_, other.what_);
  return *this;
}

void Slot::give_back() {
  for (Quota* quota = quota_.get(); quota != nullptr; quota = quota->wider_.get()) {
    quota->slots_[static_cast<std::size_t>(what_)].fetch_sub(1);
  }
}

AdmissionControl::AdmissionControl(Options options, metrics::Metrics& metrics)
    : options_(std::move(options)),
      rates_(rates_of(options_)),
      metrics_(metrics),
      memory_(options_.memory_max) {}

bool AdmissionControl::is_proxy(const ip::address& peer) const {
  return options_.trusted_proxies.contains(peer);
}

// Each proxy appends the address of its peer. The last address that is not a trusted proxy's is the
// client.
ip::address AdmissionControl::client(const ip::address& peer,
                                     std::string_view forwarded_for) const {
  ip::address client = peer;
  if (!forwarded_for.empty() && !is_proxy(peer) && options_.exempt.contains(peer) &&
      !warned_.exchange(true)) {
    spdlog::warn(
        "{} speaks for others (X-Forwarded-For), and no limit holds it: name it in "
        "--trusted-proxies if it is a proxy of yours",
        peer.to_string());
  }
  bool named = !is_proxy(peer);
  while (is_proxy(client)) {
    const auto entry = last_forwarded(forwarded_for);
    if (!entry) break;
    named = true;
    const auto said = forwarded_address(*entry);
    if (!said) {
      static base::SeldomLog lines;
      lines.log(spdlog::level::warn,
                "the proxy {} names a client that is no address (X-Forwarded-For): all whom it "
                "names so share the limits of one",
                client.to_string());
      return {};
    }
    client = *said;
  }
  return named ? client : ip::address{};
}

void AdmissionControl::introduce(int descriptor, ip::address peer) {
  const std::scoped_lock lock(mutex_);
  introduced_.insert_or_assign(descriptor, std::move(peer));
}

std::optional<ip::address> AdmissionControl::introduced(int descriptor) const {
  const std::scoped_lock lock(mutex_);
  const auto found = introduced_.find(descriptor);
  return found == introduced_.end() ? std::nullopt : std::optional{found->second};
}

QuotaPtr AdmissionControl::address(const ip::address& client, bool own_host) {
  const bool lent = own_host && !client.is_unspecified();
  if (lent && options_.exempt.contains(client)) return nullptr;
  const ip::address plain = plain_address(client);
  if (plain.is_v4()) return find(addresses_, {plain, 1U}, Whose::kAddress, 1, nullptr);
  QuotaPtr quota;
  for (const auto& [prefix, times] : kCountedNetworks) {
    quota = find(addresses_, {first_of(plain.to_v6(), prefix), times},
                 times == 1 ? Whose::kAddress : Whose::kNetwork, times, quota);
  }
  return quota;
}

QuotaPtr AdmissionControl::player(const QuotaPtr& from, PlayerId player) {
  if (!from) return nullptr;
  return find(players_, player, Whose::kPlayer, 1, nullptr);
}

Expected<void> AdmissionControl::count_table(const QuotaPtr& from, PlayerId player) {
  if (!has_room()) {
    return refuse(ErrorCode::kResourceExhausted,
                  "The server has no room for another table; try again in a minute.");
  }
  const QuotaPtr maker = this->player(from, player);
  if (!maker || (maker->take(Act::kTable) && from->take(Act::kTable))) return {};
  return too_often(Act::kTable);
}

Expected<void> AdmissionControl::count_code(const QuotaPtr& from, const std::string& locator) {
  const QuotaPtr tried = find(locators_, locator, Whose::kPlayer, 1, nullptr);
  if ((!from || from->take(Act::kCode)) && tried->take(Act::kCode)) return {};
  return too_often(Act::kCode);
}

template <class Key>
QuotaPtr AdmissionControl::find(QuotaTable<Key>& table, const Key& key, Whose whose, unsigned times,
                                const QuotaPtr& wider) {
  const std::scoped_lock lock(mutex_);
  auto& [known, crowd, swept] = table;
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const auto now = steady_clock::now();
  if (known.size() >= limits::kQuotasMax && now - swept >= limits::kQuotasSweepInterval) {
    swept = now;
    std::erase_if(known, [now](const auto& entry) {
      return entry.second.use_count() == 1 && entry.second->idle(now);
    });
  }
  if (known.size() < limits::kQuotasMax) {
    return known.emplace(key, std::make_shared<Quota>(*this, whose, times, wider)).first->second;
  }
  if (!crowd) crowd = std::make_shared<Quota>(*this, whose);
  return crowd;
}

std::optional<Slot> AdmissionControl::enter(const QuotaPtr& quota) {
  Slot slot;
  if (take_slot(Held::kConnection, quota, slot) != nullptr) return std::nullopt;
  return slot;
}

std::size_t AdmissionControl::most(Held what, const Quota& quota) const {
  const bool of_player = quota.whose_ == Whose::kPlayer;
  const auto of_one = [&]() -> std::size_t {
    switch (what) {
      case Held::kConnection:
        return of_player ? options_.streams_per_player : options_.connections_per_address;
      case Held::kLiveTable:
        return of_player ? options_.live_tables_per_player : options_.live_tables_per_address;
      case Held::kWatch:
        return of_player ? limits::kWatchersPerPlayer : limits::kWatchersPerAddress;
      case Held::kReplay:
        return of_player ? limits::kReplaysPerPlayer : limits::kReplaysPerAddress;
      case Held::kAnalysis:
        return of_player ? limits::kAnalysesPerPlayer : limits::kAnalysesPerAddress;
      case Held::kBotStream:
        return limits::kRemoteStreamsPerAddress;
    }
    return 0;
  };
  return of_one() * quota.times_;
}

const Quota* AdmissionControl::take_slot(Held what, const QuotaPtr& from, Slot& slot) {
  const auto index = static_cast<std::size_t>(what);
  for (Quota* quota = from.get(); quota != nullptr; quota = quota->wider_.get()) {
    const std::size_t max = most(what, *quota);
    if (quota->slots_[index].fetch_add(1) < max || max == 0) continue;
    quota->slots_[index].fetch_sub(1);
    for (Quota* taken = from.get(); taken != quota; taken = taken->wider_.get()) {
      taken->slots_[index].fetch_sub(1);
    }
    quota->count_limited(name_of(what, quota->whose_).label);
    return quota;
  }
  slot = Slot{from, what};
  return nullptr;
}

Expected<Slots> AdmissionControl::hold(Held what, const QuotaPtr& from,
                                       std::optional<PlayerId> player) {
  constexpr std::array<std::string_view, 3> kHolders{"You have ", "Your address has ",
                                                     "The network of your address has "};
  constexpr std::array<std::string_view, 3> kNames{"player", "address", "network"};
  Slots slots{.of_address = {}, .of_player = {}, .of_stranger = from && !player};
  const auto enter = [&](const QuotaPtr& quota, Slot& slot) -> Expected<void> {
    const Quota* full = take_slot(what, quota, slot);
    if (full == nullptr) return {};
    const auto whose = static_cast<std::size_t>(full->whose_);
    const HeldName name = name_of(what, full->whose_);
    return refuse(ErrorCode::kResourceExhausted,
                  std::string(kHolders[whose]) + std::to_string(most(what, *full)) + " " +
                      std::string(name.many) + ", as many as one " + std::string(kNames[whose]) +
                      " may; " + std::string(name.remedy));
  };
  const QuotaPtr holder = player ? this->player(from, *player) : nullptr;
  if (auto entered = enter(holder, slots.of_player); !entered) {
    return std::unexpected(std::move(entered.error()));
  }
  if (auto entered = enter(from, slots.of_address); !entered) {
    return std::unexpected(std::move(entered.error()));
  }
  return slots;
}

std::unexpected<Error> too_often(Act act) {
  switch (act) {
    case Act::kSignIn:
      return refuse(ErrorCode::kResourceExhausted,
                    "Too many players signed in from your address; try again in a minute.");
    case Act::kTable:
      return refuse(ErrorCode::kResourceExhausted,
                    "You have made too many tables; try again in a minute.");
    case Act::kCode:
      return refuse(ErrorCode::kResourceExhausted,
                    "Too many recovery codes were tried; try again in ten minutes.");
    case Act::kReport:
      return refuse(ErrorCode::kResourceExhausted,
                    "You, or others at your address, have reported a lot; try again in an hour.");
    case Act::kExecution:
      return refuse(ErrorCode::kResourceExhausted,
                    "Too many moves were played again for your address; try again in a few "
                    "seconds.");
    default:
      return refuse(ErrorCode::kResourceExhausted,
                    "Too much comes from your address; go on more slowly.");
  }
}

}  // namespace tesela::quota
