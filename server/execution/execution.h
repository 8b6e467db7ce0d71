// Executes a game again from its records.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/record.h"
#include "server/games/clock.h"
#include "server/games/match.h"

namespace tesela::execution {

/// `begin` with the first record, then `play` with each that follows; not after an error. Errors:
/// kCorrupt when the rules refuse a record, or the digest of the position differs from the recorded
/// one. The records of a packed log have no digest but the last: where the rules refuse one of them
/// they have changed since the game was played (kRulesChanged). One thread at a time.
class Execution {
 public:
  /// `returns`: the versions that undo records go back to (UndoHistory::returns).
  Execution(const games::ClockRules& rules, std::set<Version> returns);
  /// Goes on from a position that an earlier execution has reached, in place of `begin`. `packed`:
  /// the log is a packed one.
  Execution(std::unique_ptr<games::Match> match, Version version, std::int64_t at_ms,
            const games::Clock& clock, bool packed);

  Expected<void> begin(const codec::Record& record);
  /// Replaces `returns`, for the records that come next: versions from the current one on are kept,
  /// and `earlier` are the positions at those before.
  void expect_returns(std::set<Version> returns,
                      std::map<Version, std::unique_ptr<games::Match>> earlier);
  Expected<games::Played> play(const codec::Record& record, games::Want want);
  /// Whether a packed log has led to another end than the recorded one: the rules have changed
  /// since the game was played.
  [[nodiscard]] bool rules_changed() const { return rules_changed_; }
  [[nodiscard]] Version version() const { return version_; }
  [[nodiscard]] std::int64_t at_ms() const { return at_ms_; }
  [[nodiscard]] const games::Clock& clock() const { return clock_; }
  [[nodiscard]] const games::Match& match() const { return *match_; }
  /// Moves the match out, after the last record.
  [[nodiscard]] std::unique_ptr<games::Match> take_match() { return std::move(match_); }

 private:
  /// An error of the rules.
  [[nodiscard]] std::unexpected<Error> refused(const codec::Record& record, Error error) const;
  /// Compares the position with the recorded digest. Error: kCorrupt.
  Expected<void> compare(const codec::Record& record, std::uint64_t digest);
  Expected<games::Played> advance(const codec::Created& created, const games::Stamp& stamp,
                                  games::Want want);
  Expected<games::Played> advance(const codec::Moved& moved, games::Stamp stamp, games::Want want);
  Expected<games::Played> advance(const codec::Resigned& resigned, games::Stamp stamp,
                                  games::Want want);
  Expected<games::Played> advance(const codec::Undone& undone, games::Stamp stamp,
                                  games::Want want);
  [[nodiscard]] const games::Match* at(Version version) const;
  void keep();

  games::ClockRules rules_;
  std::set<Version> returns_;
  std::map<Version, std::unique_ptr<games::Match>> kept_;
  std::unique_ptr<games::Match> match_;
  Version version_;
  std::int64_t at_ms_{};
  games::Clock clock_;
  bool is_packed_ = false;
  bool rules_changed_ = false;
};

/// The digests of the positions that all records of a log lead to. Errors: those of Execution, and
/// of UndoHistory::add.
[[nodiscard]] Expected<std::vector<std::uint64_t>> digests_of(
    std::span<const codec::Record> records);

}  // namespace tesela::execution
