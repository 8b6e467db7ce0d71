// The limits of streams and calls that are relayed between servers on one database, as in limits.h.
#pragma once

#include <chrono>
#include <cstddef>

#include "server/base/ownership_limits.h"

namespace tesela::limits {

/// The time until the name of a server is resolved. Above: the owner is not reachable.
inline constexpr std::chrono::milliseconds kRelayNameTimeMax{1000};
/// The time for a connection to the owner of a table, and for the first line of its answer. Above:
/// the owner is not reachable, and who owns the table is looked up again.
inline constexpr std::chrono::milliseconds kRelayConnectTimeMax{1000};
inline constexpr std::chrono::milliseconds kRelayAnswerTimeMax{2000};
/// How long a stream is held while the owner of its table is not reachable: until its lease is
/// over, others have had the time to declare it dead, and the table is free. Above: the stream is
/// answered here, with the refusal that another server has the table.
inline constexpr std::chrono::milliseconds kRelayHoldTime = kLeaseTime + std::chrono::seconds{3};
/// Between two attempts to reach the owner meanwhile.
inline constexpr std::chrono::milliseconds kRelayRetryInterval{200};
/// The buffer of each direction of a relay. When it is full, nothing more is read.
inline constexpr std::size_t kRelayBufferBytes = 4096;
/// How long a relay waits for the other side when one has ended. Above: it is closed.
inline constexpr std::chrono::milliseconds kRelayEndTimeMax{5000};
/// The connection to an owner is broken when it has not acknowledged for this time what was sent.
/// When nothing is sent, it is asked at this interval. Together they are well below the ten seconds
/// in which a game goes on after any fault.
inline constexpr std::chrono::milliseconds kRelaySilenceMax{5'000};
inline constexpr std::chrono::seconds kRelayProbeInterval{1};
/// Between two looks whether the servers live that have passed streams on to this one: one that
/// stands still breaks no connection.
inline constexpr std::chrono::milliseconds kRelayingLivesInterval{500};
/// How long a call that was passed on is waited for, from its arrival on, where its caller has no
/// earlier deadline. Above: its caller is told that it may have been done.
inline constexpr std::chrono::milliseconds kRelayCallTimeMax{20'000};
/// The answer of such a call. Above: likewise.
inline constexpr std::size_t kRelayAnswerBytesMax = 1024 * 1024;
/// Owners of tables that a server remembers. Above: another one is forgotten.
inline constexpr std::size_t kOwnersKept = 10'000;

/// How long a search is held while no server that finds opponents can be reached: until the lease
/// of one that has died is over, and another one has taken the duty. Above: UNAVAILABLE.
inline constexpr std::chrono::milliseconds kSearchHoldTime = kLeaseTime + std::chrono::seconds{7};
/// Between two attempts meanwhile; up to as much more by chance, so that the searches of a server
/// that has died do not come all at once to the next.
inline constexpr std::chrono::milliseconds kSearchAgainInterval{200};
/// How long it is remembered which server has the duty: all searches together ask the store once.
inline constexpr std::chrono::milliseconds kLeaderKnownTime{200};
/// How far off the age of a search may be that was passed on. Of two searches of a player whose
/// ages differ by less, the one counts that has come last.
inline constexpr std::chrono::milliseconds kSearchAgeSlack{1000};
/// Between two looks whether the searches that are passed on are still at the server with the duty:
/// one that stands still breaks no connection.
inline constexpr std::chrono::milliseconds kLeaderCheckInterval{1000};
/// Searches that a server passes on at once; a player and an address have as many as live tables.
/// Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kSearchesRelayedMax = 5'000;
/// A message of a stream that is passed on, and the text of a refusal. Above: as if that server had
/// gone.
inline constexpr std::size_t kStreamedMessageBytesMax = 64 * 1024;

/// The time for the head of a request at the node port, and for a refusal. Above: closed.
inline constexpr std::chrono::milliseconds kNodeHeadTimeMax{2000};
/// Connections of one address at the node port that have not shown the secret, at most a quarter of
/// all that the port takes. Above: 503, or closed. With the secret they count no more.
inline constexpr std::size_t kNodeStrangersPerAddress = 256;
/// The body of a call between servers that is about no table: a question to a bot has up to
/// kRequestMovesMax moves. Above: closed.
inline constexpr std::size_t kNodeCallBytesMax = 256 * 1024;
/// How long after the time of a bot at another server its answer is waited for, until that server
/// counts as not reachable.
inline constexpr std::chrono::milliseconds kBotElsewhereGrace{1000};
/// How long a bot at another server is told for that a question is settled. Above: it is not.
inline constexpr std::chrono::milliseconds kBotDismissalTimeMax{2000};
/// Between two looks of a server for the bots of the others: a bot that comes or goes elsewhere is
/// noticed so late. When one of its own has left, the next look comes after the pause.
inline constexpr std::chrono::milliseconds kClusterBotsInterval{1000};
inline constexpr std::chrono::milliseconds kClusterBotsPause{100};
/// The key of a question to a bot at another server.
inline constexpr std::size_t kBotQuestionKeyBytes = 16;
/// Bytes that a relay adds to the head of a request.
inline constexpr std::size_t kRelayHeadBytesMax = 1024;

/// Servers that AdminService.ListNodes shows: first all that live, then those that died last.
/// Above: the others are left out, which the answer says.
inline constexpr std::size_t kNodesShownMax = 100;
/// How long another server has to say how it is, or to change its log level. Above: it is shown
/// with the reason.
inline constexpr std::chrono::milliseconds kNodeAnswerTimeMax{3000};
/// How long another server has to drain, at most kRelayCallTimeMax. Above: the operator is told
/// that it may be draining.
inline constexpr std::chrono::milliseconds kNodeDrainTimeMax{20'000};

}  // namespace tesela::limits
