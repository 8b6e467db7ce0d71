#include "tests/sim/truth.h"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "tests/sim/kernel/kernel.h"

namespace tesela::sim {
namespace {

/// Of what was sent, without the clocks, which show the time of sending.
template <class Message>
std::uint64_t hash_of(Message message) {
  message.clear_clocks();
  return std::hash<std::string>{}(message.SerializeAsString());
}

}  // namespace

void violated(const std::string& kind, const std::string& what) {
  ++violations()[kind];
  const double seconds = static_cast<double>(Kernel::active()->now()) / 1e9;
  std::printf("%10.6f VIOLATED %s: %s\n", seconds, kind.c_str(), what.c_str());
}

std::map<std::string, std::uint64_t>& violations() {
  static auto* const all = new std::map<std::string, std::uint64_t>;
  return *all;
}

Truth& Truth::get() {
  static auto* const truth = new Truth;
  return *truth;
}

std::vector<std::string> Truth::in_play() const {
  const Nanos recently = std::max<Nanos>(0, Kernel::active()->now() - 5 * kSecond);
  std::vector<std::string> tables;
  for (const auto& [id, truth] : tables_) {
    if (!truth.over && truth.moved_at > recently) tables.push_back(id);
  }
  return tables;
}

void Truth::may_be_late(Nanos time) {
  late_until_ = std::max(late_until_, Kernel::active()->now() + time);
}

void Truth::shown(TableTruth& truth, std::uint64_t version) {
  if (version <= truth.shown) return;
  truth.shown = version;
  truth.moved_at = Kernel::active()->now();
}

void Truth::event(const std::string& table, const play::v1::Event& event) {
  TableTruth& truth = tables_[table];
  const std::uint64_t hash = hash_of(event);
  const auto [found, is_new] = truth.events.try_emplace(event.version(), hash);
  if (!is_new && found->second != hash) {
    violated("changed", "table " + table + ": version " + std::to_string(event.version()) +
                            " is another one than before");
  }
  if (is_new && !event.move_id().empty()) {
    truth.moves[event.version()] = event.move_id();
    if (truth.refused.contains(event.move_id())) {
      violated("refused",
               "table " + table + ": move " + event.move_id() + " was refused, and was played");
    }
  }
  // Everybody who is on turn moves in less time.
  if (is_new && event.timed_out() && Kernel::active()->now() > late_until_) {
    violated("charged", "table " + table + ": a player was charged time of an outage");
  }
  shown(truth, event.version());
  if (event.has_result()) truth.over = true;
}

void Truth::snapshot(const std::string& table, const play::v1::Snapshot& snapshot) {
  TableTruth& truth = tables_[table];
  const std::uint64_t hash = hash_of(snapshot);
  const auto [found, is_new] = snapshots_[table].try_emplace(snapshot.version(), hash);
  if (!is_new && found->second != hash) {
    violated("changed", "table " + table + ": the Snapshot of version " +
                            std::to_string(snapshot.version()) + " is another one than before");
  }
  shown(truth, snapshot.version());
  if (snapshot.has_result()) truth.over = true;
}

void Truth::acknowledged(const std::string& table, const std::string& move_id,
                         std::uint64_t version) {
  TableTruth& truth = tables_[table];
  const auto [found, is_new] = truth.acknowledged.try_emplace(move_id, version);
  if (is_new) ++acknowledgements;
  if (found->second != version) {
    violated("duplicated", "table " + table + ": move " + move_id + " is version " +
                               std::to_string(found->second) + " and " + std::to_string(version));
  }
}

void Truth::refused(const std::string& table, const std::string& move_id) {
  TableTruth& truth = tables_[table];
  truth.refused.insert(move_id);
  if (truth.acknowledged.contains(move_id)) {
    violated("refused", "table " + table + ": move " + move_id + " was acknowledged before");
  }
}

}  // namespace tesela::sim
