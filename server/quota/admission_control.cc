#include "server/quota/admission_control.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "server/base/analysis_limits.h"
#include "server/base/limits.h"

namespace tesela::quota {
namespace {

namespace ip = boost::asio::ip;
using std::chrono::steady_clock;

constexpr std::array<std::string_view, kActs> kNames{"sign_ins",    "tables",          "requests",
                                                     "frames",      "stranger_frames", "connects",
                                                     "grpc_frames", "executions"};

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
          Rate::of(limits::kExecutedEventsPerSecond, 1s, limits::kExecutedBurstSeconds)};
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

HeldName name_of(Held what, bool of_player) {
  if (what == Held::kConnection && of_player)
    return {"streams", "streams open", "close one first."};
  return kHeldNames[static_cast<std::size_t>(what)];
}

// A client with one IPv6 address usually has a whole /64.
ip::address account_key(const ip::address& client) {
  ip::address plain = plain_address(client);
  if (plain.is_v4()) return plain;
  auto bytes = plain.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), 0);
  return ip::address_v6{bytes};
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

bool Quota::take(Act act, Budget::Time now) {
  const auto index = static_cast<std::size_t>(act);
  if (budgets_[index].take(admission_.rates_[index], now)) return true;
  count_limited(act);
  return false;
}

bool Quota::try_take(Act act, std::size_t count) {
  const auto index = static_cast<std::size_t>(act);
  const Rate& rate = admission_.rates_[index];
  const auto cost = rate.interval * static_cast<std::int64_t>(count);
  return budgets_[index].fine(rate, cost, steady_clock::now());
}

void Quota::count_limited(Act act) {
  const std::string_view name = kNames[static_cast<std::size_t>(act)];
  admission_.metrics_.limited(std::string{of_player_ ? "player_" : "address_"} + std::string{name})
      .Increment();
}

bool Quota::hold(const CallShare& before, const CallShare& now) {
  // Unsigned arithmetic wraps around, so that also a negative difference is added correctly.
  const std::size_t calls = calls_.fetch_add(now.calls - before.calls) + now.calls - before.calls;
  const std::size_t bytes =
      unfinished_bytes_.fetch_add(now.bytes - before.bytes) + now.bytes - before.bytes;
  const bool too_many = calls > limits::kGrpcCallsPerAddress && now.calls > before.calls;
  const bool too_much = bytes > limits::kGrpcUnfinishedPerAddress && now.bytes > before.bytes;
  if (!too_many && !too_much) return true;
  admission_.metrics_.limited("address_grpc_calls").Increment();
  return false;
}

void Quota::penalize() {
  const auto connects = static_cast<std::size_t>(Act::kConnect);
  budgets_[connects].fine(admission_.rates_[connects], limits::kPenaltyTime, steady_clock::now());
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
  if (quota_) quota_->slots_[static_cast<std::size_t>(what_)].fetch_sub(1);
}

AdmissionControl::AdmissionControl(Options options, metrics::Metrics& metrics)
    : options_(std::move(options)), rates_(rates_of(options_)), metrics_(metrics) {}

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
  while (is_proxy(client) && !forwarded_for.empty()) {
    const std::size_t comma = forwarded_for.rfind(',');
    const std::size_t begin = comma == std::string_view::npos ? 0 : comma + 1;
    boost::system::error_code error;
    const auto said = ip::make_address(trimmed(forwarded_for.substr(begin)), error);
    if (error) break;
    client = said;
    forwarded_for = forwarded_for.substr(0, comma == std::string_view::npos ? 0 : comma);
  }
  return client;
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

QuotaPtr AdmissionControl::address(const ip::address& client) {
  if (options_.exempt.contains(client)) return nullptr;
  return find(addresses_, account_key(client), false);
}

QuotaPtr AdmissionControl::player(const QuotaPtr& from, PlayerId player) {
  if (!from) return nullptr;
  return find(players_, player, true);
}

Expected<void> AdmissionControl::count_table(const QuotaPtr& from, PlayerId player) {
  const QuotaPtr maker = this->player(from, player);
  if (!maker || (maker->take(Act::kTable) && from->take(Act::kTable))) return {};
  return too_often(Act::kTable);
}

template <class Key>
QuotaPtr AdmissionControl::find(QuotaTable<Key>& table, const Key& key, bool of_player) {
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
  const auto open = [&] { return std::make_shared<Quota>(*this, of_player); };
  if (known.size() < limits::kQuotasMax) return known.emplace(key, open()).first->second;
  if (!crowd) crowd = open();
  return crowd;
}

std::optional<Slot> AdmissionControl::enter(const QuotaPtr& quota) {
  return take_slot(Held::kConnection, quota);
}

std::size_t AdmissionControl::most(Held what, bool of_player) const {
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
}

std::optional<Slot> AdmissionControl::take_slot(Held what, const QuotaPtr& quota) {
  if (!quota) return Slot{};
  const std::size_t max = most(what, quota->of_player_);
  auto& slots = quota->slots_[static_cast<std::size_t>(what)];
  if (slots.fetch_add(1) >= max && max > 0) {
    slots.fetch_sub(1);
    metrics_
        .limited((quota->of_player_ ? "player_" : "address_") +
                 std::string(name_of(what, quota->of_player_).label))
        .Increment();
    return std::nullopt;
  }
  return Slot{quota, what};
}

Expected<Slots> AdmissionControl::hold(Held what, const QuotaPtr& from,
                                       std::optional<PlayerId> player) {
  Slots slots;
  const auto enter = [&](const QuotaPtr& quota, Slot& slot) -> Expected<void> {
    auto entered = take_slot(what, quota);
    if (entered) {
      slot = std::move(*entered);
      return {};
    }
    const bool of_player = quota->of_player_;
    const HeldName name = name_of(what, of_player);
    return refuse(ErrorCode::kResourceExhausted,
                  std::string(of_player ? "You have " : "Your address has ") +
                      std::to_string(most(what, of_player)) + " " + std::string(name.many) +
                      ", as many as one " + (of_player ? "player" : "address") + " may; " +
                      std::string(name.remedy));
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

void append_forwarded(std::string& all, std::string_view field) {
  if (!all.empty()) all += ',';
  all += field;
}

std::unexpected<Error> too_often(Act act) {
  switch (act) {
    case Act::kSignIn:
      return refuse(ErrorCode::kResourceExhausted,
                    "Too many players signed in from your address; try again in a minute.");
    case Act::kTable:
      return refuse(ErrorCode::kResourceExhausted,
                    "You have made too many tables; try again in a minute.");
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
