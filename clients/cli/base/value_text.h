// Seeds, durations, times, and what strategies expect of moves, as people write and read them. Any
// thread.
#pragma once

#include <google/protobuf/timestamp.pb.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/core/rng.h"

namespace tesela::cli {

/// 64 hexadecimal digits are the 32 bytes of the seed; any other text is hashed with SHA-256.
[[nodiscard]] Seed read_seed(std::string_view text);

/// A seed from the system's random source.
[[nodiscard]] Seed random_seed();

/// 64 hexadecimal digits, in lower case.
[[nodiscard]] std::string to_text(const Seed& seed);

/// Two hexadecimal digits a byte, in lower case.
[[nodiscard]] std::string hex(std::string_view bytes);

/// A number and a unit, us, ms, s or min: "250ms", "1.5s"; above 0, at most a day. Error:
/// kInvalidArgument.
[[nodiscard]] Expected<std::chrono::microseconds> read_duration(std::string_view text);

/// Rounded up to seconds: "0:09", "4:59", "1:00:00"; from a day on "6d 23h".
[[nodiscard]] std::string time_words(std::int64_t ms);

/// UTC, as in "2026-11-21 07:22".
[[nodiscard]] std::string minute_text(const google::protobuf::Timestamp& time);

/// The value of a move in its measure (engine/strategy/strategy.h), or what it is worth less than
/// another: "62.4 %", "812", "12.345". Where values say something beside others alone, the part of
/// `best`, the value of the best move of the position: "99.38 %".
[[nodiscard]] std::string worth_text(std::string_view measure, double value, double best);

/// The same with what it counts: "62.4 % to win" (of two), "62.4 % of the others left behind",
/// "812 points at the end", "99.38 % of the best".
[[nodiscard]] std::string worth_words(std::string_view measure, double value, double best,
                                      std::size_t seats);

/// Whether values of the measure say something beside those of other moves alone: then the best
/// move of every position is worth "100 %".
[[nodiscard]] bool is_relative(std::string_view measure);

}  // namespace tesela::cli
