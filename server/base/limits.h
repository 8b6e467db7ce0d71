// The limits of the server, but for those of analyses and of absent players, which are beside it
// (analysis_limits.h, absence_limits.h). Each comment says what is limited, and after "Above:" or
// "Later:" what happens when the limit is exceeded. An option in parentheses overrides the default.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tesela::limits {

// --- The stream
// -------------------------------------------------------------------------------------

/// A client's frame in bytes. Above: Goodbye TOO_LARGE, close 1009.
inline constexpr std::size_t kFrameBytesMax = 4096;
/// From the upgrade to Hello. Later: Goodbye HELLO_EXPECTED.
inline constexpr std::chrono::seconds kHelloTimeMax{10};
/// After Hello: a ping is sent after this time without a frame from the client, and the connection
/// is closed after twice this time (--ping-interval).
inline constexpr std::chrono::seconds kPingInterval{15};
/// Frames waiting for one client. Above: a player's connection is closed with SLOW_READER and may
/// resume; a spectator's frames are dropped, and a Snapshot follows.
inline constexpr std::size_t kOutboxFramesMax = 256;
/// The bytes of these frames. Above: the same.
inline constexpr std::size_t kOutboxBytesMax = 512 * 1024;
/// Bytes a second that are read from a stream whose address has a quota. A control frame counts
/// kControlFrameCost bytes more, a malformed frame kMalformedFrameCost. Above: reading pauses.
inline constexpr std::uint32_t kStreamBytesPerSecond = 16 * 1024;
inline constexpr std::uint32_t kStreamBurstSeconds = 4;
/// The least such pause: many small reads cost more than one.
inline constexpr std::chrono::milliseconds kStreamPauseMin{250};
inline constexpr std::size_t kControlFrameCost = 1024;
inline constexpr std::size_t kMalformedFrameCost = 16 * 1024;
/// From Goodbye to the client's close. Later: the socket is closed.
inline constexpr std::chrono::seconds kCloseTimeMax{3};
/// The system's send buffer of a connection, in bytes.
inline constexpr int kSocketSendBytes = 64 * 1024;
/// The system's receive buffer of a connection, in bytes.
inline constexpr int kSocketReceiveBytes = 64 * 1024;
/// Of one address: sign-ins a minute (--sign-in-rate), requests of HTTP and calls of gRPC a second
/// (--request-rate), and connections of the two ports at once (--connections-per-address). Above:
/// RESOURCE_EXHAUSTED or HTTP 429. New connections a second (--connect-rate). Above: closed without
/// a response.
inline constexpr std::uint32_t kSignInsPerMinute = 60;
inline constexpr std::uint32_t kRequestsPerSecond = 50;
inline constexpr std::uint32_t kConnectsPerSecond = 20;
inline constexpr std::size_t kConnectionsPerAddress = 500;
/// The penalty for misbehaviour that ends a connection: as many new connections as this time allows
/// are taken from the rate above. Misbehaviour is a flood of frames, a frame or request that is too
/// large, malformed or endless, an invalid token, or a table that does not exist.
inline constexpr std::chrono::seconds kPenaltyTime{1};
/// After a response 401 or 429, reading from the connection pauses for this time.
inline constexpr std::chrono::milliseconds kRefusedPause{250};
/// Of one player, and of one address: tables made a minute, and searches for opponents
/// (--table-rate). Above: RESOURCE_EXHAUSTED. Frames a second in all streams of one player
/// (--shared-frame-rate), and in those of one address without a player.
/// Above: Goodbye RATE_LIMITED.
inline constexpr std::uint32_t kTablesPerMinute = 60;
inline constexpr std::uint32_t kSharedFramesPerSecond = 200;
inline constexpr std::uint32_t kStrangerFramesPerSecond = 20;
/// The same in one stream without a player.
inline constexpr std::uint32_t kStrangerFramesOfStream = 2;
/// Streams of one player at once (--streams-per-player). Above: Goodbye TOO_MANY_CONNECTIONS.
inline constexpr std::size_t kStreamsPerPlayer = 50;
/// Frames a second of one connection in the long run (--frame-rate). Above: Goodbye RATE_LIMITED.
inline constexpr std::uint32_t kFramesPerSecond = 1000;
/// The burst of frames, in seconds of the rate.
inline constexpr std::uint32_t kFrameBurstSeconds = 2;
/// The delay before a reconnect that a client is told: to a table that must be loaded again, to a
/// server that restarts, and after exceeding a limit.
inline constexpr std::uint32_t kReconnectSoonMs = 100;
inline constexpr std::uint32_t kReconnectAfterRestartMs = 500;
inline constexpr std::uint32_t kReconnectLaterMs = 5000;
/// Quotas of addresses, and quotas of players, that are kept. Above: the others share one.
inline constexpr std::size_t kQuotasMax = 100'000;
/// Between two sweeps that remove unused quotas.
inline constexpr std::chrono::seconds kQuotasSweepInterval{1};
/// The burst of requests and of new connections, in seconds of the rate.
inline constexpr std::uint32_t kRequestBurstSeconds = 10;
/// Connections to one table. Above: Goodbye TOO_MANY_CONNECTIONS.
inline constexpr std::size_t kConnectionsPerTableMax = 1000;
/// Connections of the port of --ops-port, not counted in kConnectionsMax. Above: HTTP 503.
inline constexpr std::size_t kOpsConnectionsMax = 64;
/// Connections of the process, HTTP, streams and gRPC together (--connections-max). Above: HTTP
/// 503, and gRPC is closed.
inline constexpr std::size_t kConnectionsMax = 20'000;

// --- A table
// ----------------------------------------------------------------------------------------

/// Commands waiting for one table. Above: Refusal BUSY.
inline constexpr std::size_t kInboxMax = 64;
/// Missed events that are sent after a reconnect; they must also fit into the outbox with the
/// Welcome. Above: a Snapshot.
inline constexpr std::uint64_t kResumeEventsMax = kOutboxFramesMax - 16;
/// The encoded frames of its last events that a table keeps for clients that reconnect: their
/// number, bytes, and time (also from when all have left). Beyond these the log is executed again.
inline constexpr std::size_t kRecentEventsMax = 8;
inline constexpr std::size_t kRecentEventBytesMax = 8 * 1024;
inline constexpr std::chrono::seconds kRecentEventTime{30};
/// Versions with the same four-byte hash as a move's id: they are read from the log to compare the
/// ids. Above: Refusal MALFORMED; the client needs another id.
inline constexpr std::size_t kMoveLookupsMax = 4;
/// Events that are read from the log at once for moves that are sent again, at most kOutboxBytesMax
/// bytes, and how long they are kept for further such moves.
inline constexpr std::uint64_t kReadBackEventsMax = kOutboxFramesMax;
inline constexpr std::chrono::milliseconds kReadBackTime{1000};
/// Bytes of a move id. Above: Refusal MALFORMED.
inline constexpr std::size_t kMoveIdBytesMax = 36;
/// Entries read from the log at once while a table loads.
inline constexpr std::size_t kLogReadMax = 1024;
/// A table without connections is unloaded after this time (--table-idle).
inline constexpr std::chrono::seconds kTableIdle{60};

/// A game in play without an event, and an open table since its creation, is closed after this time
/// (--abandoned-after, --waiting-max).
inline constexpr std::chrono::hours kAbandonedAfter{7 * 24};
inline constexpr std::chrono::hours kWaitingMax{1};
/// When all seats of a table for several are taken: the time for announced contributions to the
/// dice. Later: the game begins without them.
inline constexpr std::chrono::seconds kContributionTimeMax{10};
/// Live tables that one player, and one address, has created or sits at (--live-tables-per-player,
/// --live-tables-per-address). A table is live if its game is not over and it is loaded, or was
/// created within --table-idle. Searches for opponents count as tables. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kLiveTablesPerPlayer = 50;
inline constexpr std::size_t kLiveTablesPerAddress = 250;
/// Connections of spectators from one address at one table. Above: Goodbye TOO_MANY_CONNECTIONS.
inline constexpr std::ptrdiff_t kSpectatorsPerAddress = 100;
/// The most time between two searches for abandoned tables, which is otherwise a quarter of the
/// shorter of kAbandonedAfter and kWaitingMax.
inline constexpr std::chrono::minutes kAbandonedSearchInterval{10};

// --- Bots and hints
// ---------------------------------------------------------------------------------

/// Tasks waiting for a bot thread. Above: a bot is asked again after kBotRetryTime, a hint is
/// refused as BUSY.
inline constexpr std::size_t kBotTasksMax = 10'000;
/// The least and the most time of a search (--bot-think); under load it is between them.
inline constexpr std::chrono::milliseconds kThinkTimeMin{2};
inline constexpr std::chrono::milliseconds kBotThink{300};
/// The least time from a move to a bot's answer (--bot-pace), and the most that a table's options
/// may set.
inline constexpr std::chrono::milliseconds kBotPace{700};
inline constexpr std::chrono::milliseconds kBotPaceMax{60'000};
/// The same at a table without connections (--bot-pace-alone).
inline constexpr std::chrono::milliseconds kBotPaceAlone{1000};
/// Moves that strategies play in a row at such a table. Above: they wait until somebody connects.
inline constexpr std::uint64_t kMovesAloneMax = 500;
/// Waiting tasks of such tables. Above: the table waits until somebody connects.
inline constexpr std::size_t kBotTasksAloneMax = 1000;
/// Tasks of such tables that are started each second, when no other task waits, and the time of
/// one.
inline constexpr std::int64_t kBotTasksAlonePerSecond = 100;
inline constexpr std::chrono::milliseconds kThinkAlone{10};
/// Tables with bots, and open tables that bots are to fill, that are loaded at start-up: the newest
/// of each. The others are loaded when somebody connects.
inline constexpr std::size_t kResumedTablesMax = 1000;
/// The delay before a bot is asked again whose move could not be played or stored.
inline constexpr std::chrono::milliseconds kBotRetryTime{1000};
/// Bytes of the tree of a search.
inline constexpr std::size_t kThinkTreeBytes = 4 * 1024 * 1024;
/// The niceness of bot threads.
inline constexpr int kBotNiceness = 10;
/// Bytes of a hint's id. Above: Refusal MALFORMED.
inline constexpr std::size_t kHintIdBytesMax = 36;
/// Between two hints for a player, at all tables. Sooner: Refusal RATE_LIMITED.
inline constexpr std::chrono::milliseconds kHintInterval{250};
/// Between two undos of a player, at all tables together: each executes the log again. The key
/// repeat of a keyboard is slower.
inline constexpr std::chrono::milliseconds kUndoInterval{20};
/// Replays at once, those of one address, and frames of a replay that wait to be sent. Above:
/// RESOURCE_EXHAUSTED; for frames, the replay waits.
inline constexpr std::size_t kReplaysMax = 256;
inline constexpr std::size_t kReplaysPerAddress = 16;
inline constexpr std::size_t kReplayAhead = 64;
/// Threads that execute logs, and their niceness.
inline constexpr std::size_t kExecutionThreads = 2;
inline constexpr int kExecutionNiceness = 10;
/// Events that one execution plays before it yields to another one.
inline constexpr std::uint64_t kExecutionSlice = 256;
/// Events a second that are executed for one address, and the burst in seconds of that rate. Above:
/// RESOURCE_EXHAUSTED, and for a stream Goodbye RATE_LIMITED.
inline constexpr std::uint32_t kExecutedEventsPerSecond = 20'000;
inline constexpr std::uint32_t kExecutedBurstSeconds = 10;
/// The same for one seat of a table, and for all its spectators. Above: a Snapshot in place of the
/// missed events; an undo is refused.
inline constexpr std::uint32_t kTableExecutedEventsPerSecond = 20'000;
inline constexpr std::uint32_t kTableExecutedBurstSeconds = 5;
/// Members of one table whose missed events are being read. Above: a Snapshot.
inline constexpr std::size_t kCatchingUpMax = 16;

// --- Remote bots
// ------------------------------------------------------------------------------

/// The time of a remote bot for a move (--bot-answer). Later: the game's default strategy moves.
inline constexpr std::chrono::milliseconds kBotAnswer{2000};
inline constexpr std::chrono::milliseconds kBotAnswerMin{10};
/// Open requests to one bot. Above: the game's default strategy moves.
inline constexpr std::size_t kRemoteRequestsMax = 64;
/// Legal moves in a request. Above: only the first ones are sent.
inline constexpr std::size_t kRequestMovesMax = 1000;
/// Remote bots that are offered, in all and by one player. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kRemoteBotsMax = 200;
inline constexpr std::ptrdiff_t kRemoteBotsPerPlayerMax = 8;
/// Streams of remote bots, in all and from one address, including those without an offer yet.
/// Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kRemoteStreamsMax = 1000;
inline constexpr std::size_t kRemoteStreamsPerAddress = 16;
/// From the beginning of a stream to its Offer. Later: DEADLINE_EXCEEDED.
inline constexpr std::chrono::seconds kOfferTimeMax{10};
/// Messages waiting for one bot. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kRemoteQueueMax = 2 * kRemoteRequestsMax;
/// Characters of a bot's name, without "ext/", and bytes of its description. Above:
/// INVALID_ARGUMENT.
inline constexpr std::size_t kRemoteNameMax = 24;
inline constexpr std::size_t kRemoteDescriptionBytesMax = 200;

// --- Clocks
// ---------------------------------------------------------------------------------------

/// The range of the time for a move or a game, and the greatest increment.
inline constexpr std::chrono::milliseconds kClockMin{1000};
inline constexpr std::chrono::milliseconds kClockMax{std::chrono::days{7}};
inline constexpr std::chrono::milliseconds kClockIncrementMax{std::chrono::hours{1}};
/// Time-outs in a row after which a strategy takes a seat over: the default and the maximum.
inline constexpr std::uint32_t kTimeoutsDefault = 2;
inline constexpr std::uint32_t kTimeoutsMax = 100;
/// After a restart, clocks wait at most this long for the player on turn to connect.
inline constexpr std::chrono::seconds kClockGrace{30};
/// The time for storing a move that counts as a player's. If storing took longer, the next turn
/// begins when the move is shown; if the store refused the move, its player's turn is extended.
inline constexpr std::chrono::milliseconds kStoreTimeFree{200};
/// The delay between a change of the connected players and the frame about it, so that several
/// changes share a frame: the first value, plus the second for each connection of the table.
inline constexpr std::chrono::milliseconds kPresencePause{250};
inline constexpr std::chrono::milliseconds kPresencePauseOfEach{2};

// --- Talk
// -----------------------------------------------------------------------------------------

/// Characters of a chat message. Above: Refusal MALFORMED.
inline constexpr std::size_t kSayCharactersMax = 200;
/// Chat messages of a player, at all tables together: the burst and the interval. Above: Refusal
/// RATE_LIMITED.
inline constexpr std::uint32_t kSaysAtOnce = 5;
inline constexpr std::chrono::milliseconds kSayInterval{2000};
/// Players that one connection has muted. Above: the one that was muted first is heard again.
inline constexpr std::size_t kMutedMax = 16;

// --- The store
// --------------------------------------------------------------------------------------

/// Writes waiting for the writer. Above: kUnavailable.
inline constexpr std::size_t kStoreQueueMax = 65'536;
/// Writes in one transaction; the rest goes into the next.
inline constexpr std::size_t kStoreBatchMax = 1024;
/// Of them, writes other than events of tables, so that moves do not wait for many sign-ins, or for
/// the claims of a storm of reconnects. The rest goes into the next.
inline constexpr std::size_t kStoreBatchOthersMax = 16;
/// Reads waiting for a reader. Above: kUnavailable.
inline constexpr std::size_t kStoreReadQueueMax = 65'536;
/// Reader threads, each with its own connection: for loading tables, and for lists, boards and
/// records, so that these do not delay a load.
inline constexpr std::size_t kStoreReaders = 2;
inline constexpr std::size_t kStoreListReaders = 2;
/// Recent events in memory before they are compacted (FORMAT.md). There are at most twice as many.
inline constexpr std::size_t kStoreRecentMax = 32'768;
/// Events that are compacted for each write of a batch: more than 1, so that compaction keeps up.
inline constexpr std::size_t kStoreCompactShare = 2;
/// The least number of events that are compacted with a batch.
inline constexpr std::size_t kStoreCompactMin = 16;
/// Tables whose epoch and last version the writer caches. Above: those without recent events are
/// evicted.
inline constexpr std::size_t kStoreHeadsMax = 131'072;
/// Bytes of the write-ahead log. Above: a checkpoint.
inline constexpr std::size_t kStoreWalBytesMax = 16 * 1024 * 1024;
/// Between attempts to write while the store cannot be written.
inline constexpr std::chrono::milliseconds kStoreProbeInterval{1000};
/// Bytes of a key file in a data folder or a backup. Above: it is refused.
inline constexpr std::size_t kKeyFileBytesMax = 64 * 1024;
/// The wait for a lock of another process on the database (the sqlite3 shell). Later: kUnavailable.
inline constexpr std::chrono::milliseconds kStoreBusyTimeMax{2000};

// --- HTTP and the lobby
// -----------------------------------------------------------------------------

/// Header bytes of a request. Above: 431.
inline constexpr std::size_t kHttpHeaderBytesMax = 8 * 1024;
/// Body bytes of a request, as they are sent and when they are decompressed. Above: 413; under
/// Connect with the code resource_exhausted.
inline constexpr std::size_t kHttpBodyBytesMax = 64 * 1024;
/// The time for a whole request, and between requests on one connection. Later: closed.
inline constexpr std::chrono::seconds kHttpReadTimeMax{15};
/// The time for sending a response, or one message of a response stream. Later: closed.
inline constexpr std::chrono::seconds kHttpWriteTimeMax{30};
/// After a refusal: the time before the connection is closed, so that the client can read it, and
/// the bytes that are still read meanwhile.
inline constexpr std::chrono::seconds kHttpLingerTimeMax{2};
inline constexpr std::size_t kHttpLingerBytesMax = 1024 * 1024;
/// Connections at once that get a response 503 or 429, and of them those with 429, so that one
/// address does not use them all. Above: closed without a response.
inline constexpr std::size_t kRefusedConnectionsMax = 64;
inline constexpr std::size_t kRefusedOfAddressesMax = kRefusedConnectionsMax / 4;
/// Between two looks at the memory of the process, when it is asked for more.
inline constexpr std::chrono::milliseconds kMemoryLook{200};
/// The pause of accepting when descriptors or memory are exhausted.
inline constexpr std::chrono::milliseconds kAcceptPause{100};
/// Connections that a port accepts at once. Above: after the other handlers of the thread.
inline constexpr std::size_t kAcceptsAtOnce = 64;
/// The time without data on a gRPC connection with calls before a ping, and for its answer. Later:
/// the connection is closed.
inline constexpr std::chrono::milliseconds kGrpcPingInterval{20'000};
/// The quota of an address on the gRPC port, in units for each request of --request-rate, and the
/// cost of a call. A frame of HTTP/2 costs 1, and 1 more for each KiB. Above: reading pauses. A
/// usual call has a few frames.
inline constexpr std::uint32_t kGrpcFramesPerRequest = 20;
inline constexpr std::size_t kGrpcCallCost = 10;
/// The pause before such a connection tries again.
inline constexpr std::chrono::milliseconds kGrpcPause{250};
/// Bytes of a header block: encoded, including the frame headers; and decoded, with 32 more for
/// each field. Above: GOAWAY and closed.
inline constexpr std::size_t kGrpcHeaderBytesMax = 16 * 1024;
inline constexpr std::size_t kGrpcHeaderListBytesMax = 8 * 1024;
/// Bytes of the HPACK dynamic table of a connection.
inline constexpr std::size_t kGrpcHeaderTableBytes = 4096;
/// The time for TLS and the HTTP/2 preface. Later: closed.
inline constexpr std::chrono::milliseconds kGrpcHandshakeTimeMax{10'000};
/// The lifetime of a gRPC connection without calls. Later: closed.
inline constexpr std::chrono::milliseconds kGrpcIdleTimeMax{300'000};
/// Calls at once on one gRPC connection. Above: they wait.
inline constexpr int kGrpcCallsPerConnectionMax = 100;
/// gRPC calls at once from one address, and bytes of their unfinished messages (a sixteenth of
/// kGrpcBytesMax). Above: GOAWAY and closed.
inline constexpr std::size_t kGrpcCallsPerAddress = 1000;
inline constexpr std::size_t kGrpcUnfinishedPerAddress = 4 * 1024 * 1024;
/// The flow-control window of a call, and the size of a read, in bytes.
inline constexpr int kGrpcWindowBytes = 64 * 1024;
inline constexpr int kGrpcChunkBytes = 8 * 1024;
/// Memory of gRPC for its connections, in bytes. Above: reading pauses.
inline constexpr std::size_t kGrpcBytesMax = 64 * 1024 * 1024;
/// The niceness of the threads of gRPC, HTTP and the lobby: moves have a higher priority.
inline constexpr int kGrpcNiceness = 10;
/// Time slices of the threads on the path of a move: shorter than the kernel's default (0.7 ms and
/// more), so that they preempt other threads; the writer, which runs only briefly, preempts the
/// streams.
inline constexpr std::chrono::microseconds kStreamSlice{500};
inline constexpr std::chrono::microseconds kWriterSlice{200};
/// Between two lines of one log statement that clients can cause at any rate. Sooner: the line is
/// left out and counted in the next one.
inline constexpr std::chrono::seconds kStrangerLogPause{1};
/// Tables on a page, and at the start of a watch.
inline constexpr std::size_t kPageMax = 100;
/// Bytes of the rows on a page, encoded. Above: the page ends earlier and names the next.
inline constexpr std::size_t kPageBytesMax = 512 * 1024;
/// Tables on a page by default.
inline constexpr std::size_t kPageDefault = 20;
/// Changes waiting for one watcher. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kWatchQueueMax = 256;
/// Watches at once, those of one address, and of one player. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kWatchersMax = 1000;
inline constexpr std::size_t kWatchersPerAddress = 50;
inline constexpr std::size_t kWatchersPerPlayer = 10;
/// Changed tables that the watchers have not been told of. Above: every watch ends with
/// RESOURCE_EXHAUSTED.
inline constexpr std::size_t kUntoldChangesMax = 10'000;
/// Searches for opponents at once; a player has one, and an address as many as it has live tables.
/// Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kSearchesMax = 10'000;
/// Players whose ratings and last matches one query reads for their searches.
inline constexpr std::size_t kSeekersAtOnce = 1000;
/// The most time between two passes of the matchmaker. A new ticket starts one at once.
inline constexpr std::chrono::milliseconds kMatchInterval{500};
/// The interval of progress messages of a search without changes.
inline constexpr std::chrono::milliseconds kSearchNewsInterval{5000};
/// The time for all members of a party to call. Later: RESOURCE_EXHAUSTED.
inline constexpr std::chrono::minutes kPartyTimeMax{5};
/// Bytes of the code of a party. Outside: INVALID_ARGUMENT.
inline constexpr std::size_t kPartyCodeBytesMin = 8;
inline constexpr std::size_t kPartyCodeBytesMax = 64;
/// The most time after which bots fill a table. Above: INVALID_ARGUMENT.
inline constexpr std::chrono::hours kBotFillTimeMax{1};
/// How long a new search returns the table of the player's last one.
inline constexpr std::chrono::minutes kMatchedAgainTime{5};
/// Queues with an estimate of the waiting time. Above: all estimates are dropped.
inline constexpr std::size_t kWaitEstimatesMax = 1000;
/// Characters of the reason for which an operator closes a table. Above: INVALID_ARGUMENT.
inline constexpr std::size_t kCloseReasonMax = 200;
/// Characters of a display name, and combining marks on one of them.
inline constexpr std::size_t kDisplayNameMax = 24;
inline constexpr std::size_t kMarksMax = 2;
/// Bytes of a device secret. Outside: INVALID_ARGUMENT.
inline constexpr std::size_t kDeviceSecretBytesMin = 16;
inline constexpr std::size_t kDeviceSecretBytesMax = 64;
/// The tolerated difference of the clock of an operator's issuer.
inline constexpr std::chrono::seconds kIssuerClockSkew{60};

}  // namespace tesela::limits
