// The limits of analyses, hints and pictures, and of the games that one player is shown again: the
// form is that of limits.h.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tesela::limits {

/// Analyses under way at once, those of one address, and of one player. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kAnalysesMax = 32;
inline constexpr std::size_t kAnalysesPerAddress = 2;
inline constexpr std::size_t kAnalysesPerPlayer = 1;
/// Replays of one player at once; limits.h has those of an address. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kReplaysPerPlayer = 4;
/// The processor time of the searches of an analysis on one usual core, all together, which its
/// positions share, and the least and the most of one position. They are given as many nodes as
/// that core tries in it, so that every server judges a game alike.
inline constexpr std::chrono::milliseconds kAnalysisTime{20'000};
inline constexpr std::chrono::milliseconds kAnalysedTimeMin{5};
inline constexpr std::chrono::milliseconds kAnalysedTimeMax{150};
/// The time of one search of an analysis. Above: the analysis ends with RESOURCE_EXHAUSTED.
inline constexpr std::chrono::milliseconds kAnalysedWaitMax{30'000};
/// Bot threads for each search of an analysis that runs at the same time as others; one may always
/// run. Above: it waits.
inline constexpr std::size_t kThreadsPerAnalysis = 2;
/// Moves of a game that are analysed. Above: the analysis ends there.
inline constexpr std::uint64_t kAnalysedMovesMax = 10'000;
/// The best moves of a position that an analysis tells.
inline constexpr std::size_t kAnalysedBestMax = 5;
/// The best moves of a position that a hint tells.
inline constexpr std::size_t kHintMovesMax = 3;
/// Finished analyses that are kept, and their bytes. Above: those that were asked for least
/// recently are dropped.
inline constexpr std::size_t kAnalysesKept = 64;
inline constexpr std::size_t kAnalysesKeptBytes = 16 * 1024 * 1024;
/// Bytes of one analysis. Above: it is sent, but not kept, neither finished nor under way.
inline constexpr std::size_t kAnalysisKeptBytes = kAnalysesKeptBytes / 4;
/// Pictures under way at once. Above: HTTP 503.
inline constexpr std::size_t kPicturesMax = 16;
/// The cost of a picture, in executed events of an address (kExecutedEventsPerSecond): 5 a second.
/// Above: HTTP 429.
inline constexpr std::size_t kPictureEvents = 4000;
/// Pictures that are kept, and their bytes. Above: those that were asked for least recently are
/// dropped.
inline constexpr std::size_t kPicturesKept = 512;
inline constexpr std::size_t kPicturesKeptBytes = 16 * 1024 * 1024;
/// Seconds for which others may keep the picture of a game that is over, and of another.
inline constexpr std::uint32_t kOverPictureAge = 3600;
inline constexpr std::uint32_t kLivePictureAge = 30;
/// The niceness of the one thread that draws.
inline constexpr int kPictureNiceness = 10;

}  // namespace tesela::limits
