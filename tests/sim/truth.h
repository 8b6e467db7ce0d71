// What the players of a simulation were told, all together, and whether it agrees.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tesela/play/v1/play.pb.h"
#include "tests/sim/kernel/kernel.h"

namespace tesela::sim {

/// Something that a server must never do.
void violated(const std::string& kind, const std::string& what);
/// By kind, how often.
[[nodiscard]] std::map<std::string, std::uint64_t>& violations();

/// What was said of one table, to anybody.
struct TableTruth {
  std::map<std::uint64_t, std::uint64_t> events;      // hashes, by version
  std::map<std::uint64_t, std::string> moves;         // their ids, by version
  std::map<std::string, std::uint64_t> acknowledged;  // versions, by ids of moves
  std::set<std::string> refused;                      // ids of moves, for good
  std::map<std::string, std::string> dice;            // contributions, by players
  std::uint64_t shown{};                              // the newest version
  std::uint64_t epoch{};                              // the highest of a Welcome
  Nanos moved_at{};                                   // when the newest version was shown first
  bool over{};
  bool closed{};     // by an operator
  bool misjudged{};  // given away while its owner lived: two servers may greet, by their epochs
};

class Truth {
 public:
  [[nodiscard]] static Truth& get();

  [[nodiscard]] TableTruth& of(const std::string& table) { return tables_[table]; }
  [[nodiscard]] const std::map<std::string, TableTruth>& tables() const { return tables_; }
  /// The tables that have moved in the last seconds, and whose end was not shown.
  [[nodiscard]] std::vector<std::string> in_play() const;
  void event(const std::string& table, const play::v1::Event& event);
  void snapshot(const std::string& table, const play::v1::Snapshot& snapshot);
  void acknowledged(const std::string& table, const std::string& move_id, std::uint64_t version);
  void refused(const std::string& table, const std::string& move_id);

  /// For so long somebody's time may be over: lines of players were cut.
  void may_be_late(Nanos time);

  std::uint64_t acknowledgements{};
  std::set<std::string> erased;               // players
  std::map<std::string, std::string> merged;  // guests, and the accounts that they are now

 private:
  static void shown(TableTruth& truth, std::uint64_t version);

  Nanos late_until_{};
  std::map<std::string, TableTruth> tables_;
  std::map<std::string, std::map<std::uint64_t, std::uint64_t>> snapshots_;  // hashes
};

}  // namespace tesela::sim
