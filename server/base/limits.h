// Every limit of the server, in one place: what is bounded, by how much, and what happens at the
// bound.
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
/// After Hello: without a sign of life a ping is sent after this time, and after twice this time
/// without an answer the connection is closed. The option --ping-interval overrides it.
inline constexpr std::chrono::seconds kPingInterval{15};
/// Frames waiting for one client. A player is closed with SLOW_READER and may resume; a spectator
/// loses what waits and gets a Snapshot instead.
inline constexpr std::size_t kOutboxFramesMax = 256;
/// Their bytes, likewise.
inline constexpr std::size_t kOutboxBytesMax = 512 * 1024;
/// Bytes a second that are read from a stream whose address has a quota, and what a ping, and
/// a frame that cannot be read, count beside their own. Above: the connection is read later.
inline constexpr std::uint32_t kStreamBytesPerSecond = 16 * 1024;
inline constexpr std::uint32_t kStreamBurstSeconds = 4;
/// And no sooner than this: to read a little at a time costs as much as to read it.
inline constexpr std::chrono::milliseconds kStreamPauseMin{250};
inline constexpr std::size_t kControlFrameCost = 1024;
inline constexpr std::size_t kMalformedFrameCost = 16 * 1024;
/// From Goodbye to the end of the connection. Later: the socket is closed as it is.
inline constexpr std::chrono::seconds kCloseTimeMax{3};
/// Bytes that the system keeps for a connection that does not read, beside the outbox.
inline constexpr int kSocketSendBytes = 64 * 1024;
/// And of what a client has sent and nobody has read. Above: it has to wait.
inline constexpr int kSocketReceiveBytes = 64 * 1024;
/// Of one address: sign-ins a minute (--sign-in-rate), requests of HTTP and calls of gRPC a second
/// (--request-rate), and connections of the two ports at once (--connections-per-address). Above:
/// RESOURCE_EXHAUSTED or HTTP 429. New connections a second (--connect-rate). Above: closed without
/// a word.
inline constexpr std::uint32_t kSignInsPerMinute = 60;
inline constexpr std::uint32_t kRequestsPerSecond = 50;
inline constexpr std::uint32_t kConnectsPerSecond = 20;
inline constexpr std::size_t kConnectionsPerAddress = 500;
/// What an offence takes of these: the new connections of so much time, unless none are left. An
/// offence is what no client of good will does, and ends a connection: a flood of frames, a frame
/// or a request that is too large, broken or endless, a bad token, a table that is not there.
inline constexpr std::chrono::seconds kPenaltyTime{1};
/// After an answer 401 or 429, until more is read from the connection: who goes on at once learns
/// nothing sooner.
inline constexpr std::chrono::milliseconds kRefusedPause{250};
/// Of one player, and of one address: tables made a minute, and searches for opponents
/// (--table-rate). Above: RESOURCE_EXHAUSTED. Frames a second in all streams of one player
/// (--shared-frame-rate), and in those of one address that have no player, who has little to say.
/// Above: Goodbye RATE_LIMITED.
inline constexpr std::uint32_t kTablesPerMinute = 60;
inline constexpr std::uint32_t kSharedFramesPerSecond = 200;
inline constexpr std::uint32_t kStrangerFramesPerSecond = 20;
/// And in one of those.
inline constexpr std::uint32_t kStrangerFramesOfStream = 2;
/// Streams of one player at once (--streams-per-player). Above: Goodbye TOO_MANY_CONNECTIONS.
inline constexpr std::size_t kStreamsPerPlayer = 50;
/// Frames a second of one connection in the long run (--frame-rate). Above: Goodbye RATE_LIMITED.
inline constexpr std::uint32_t kFramesPerSecond = 1000;
/// How many seconds' worth of frames may come at once.
inline constexpr std::uint32_t kFrameBurstSeconds = 2;
/// What a client is told to wait before it comes back: to a table that has to load again, to a
/// server that restarts, and where it had more than it may.
inline constexpr std::uint32_t kReconnectSoonMs = 100;
inline constexpr std::uint32_t kReconnectAfterRestartMs = 500;
inline constexpr std::uint32_t kReconnectLaterMs = 5000;
/// What --shared-frame-rate, --request-rate and the other limits by address and player are kept in,
/// so many quotas each. Above: the rest share one.
inline constexpr std::size_t kQuotasMax = 100'000;
/// Between two searches for quotas that may be forgotten.
inline constexpr std::chrono::seconds kQuotasSweepInterval{1};
/// How many seconds' worth of requests, and of new connections, may come at once.
inline constexpr std::uint32_t kRequestBurstSeconds = 10;
/// Connections to one table. Above: Goodbye TOO_MANY_CONNECTIONS.
inline constexpr std::size_t kConnectionsPerTableMax = 1000;
/// Connections of the port of --ops-port, beside those of the process. Above: HTTP 503.
inline constexpr std::size_t kOpsConnectionsMax = 64;
/// Connections of the process, HTTP, streams and gRPC together (--connections-max). Above: HTTP
/// 503, and gRPC is closed.
inline constexpr std::size_t kConnectionsMax = 20'000;

// --- A table
// ----------------------------------------------------------------------------------------

/// Commands waiting for one table. Above: Refusal BUSY.
inline constexpr std::size_t kInboxMax = 64;
/// Missed events that a resume sends, if with the Welcome they also fit the outbox. Above: a
/// Snapshot.
inline constexpr std::uint64_t kResumeEventsMax = kOutboxFramesMax - 16;
/// Versions that a move's id may stand for, by the four bytes that a table remembers of each: they
/// are compared with the log. More: Refusal MALFORMED, and another id is needed.
inline constexpr std::size_t kMoveLookupsMax = 4;
/// Events that are read back at once for moves that are sent again, of at most kOutboxBytesMax, and
/// how long they are kept for more of them.
inline constexpr std::uint64_t kReadBackEventsMax = kOutboxFramesMax;
inline constexpr std::chrono::milliseconds kReadBackTime{1000};
/// Bytes of a move id. Above: Refusal MALFORMED.
inline constexpr std::size_t kMoveIdBytesMax = 36;
/// Entries read from the log at once while a table loads.
inline constexpr std::size_t kLogReadMax = 1024;
/// A table without connections leaves memory after this time (--table-idle).
inline constexpr std::chrono::seconds kTableIdle{60};

/// Nobody has returned to a game in play for this time (--abandoned-after), and to a table that
/// waits for players since it was made (--waiting-max): the table is closed.
inline constexpr std::chrono::hours kAbandonedAfter{7 * 24};
inline constexpr std::chrono::hours kWaitingMax{1};
/// What the players of a table of several are waited for when all seats are taken: who has promised
/// a contribution to the dice sends it. Above: the game begins without it.
inline constexpr std::chrono::seconds kContributionTimeMax{10};
/// Live tables that one player, and one address, has made (--live-tables-per-player,
/// --live-tables-per-address): their games are not over, and they are in memory or were made within
/// --table-idle. Searches for opponents count as tables. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kLiveTablesPerPlayer = 50;
inline constexpr std::size_t kLiveTablesPerAddress = 250;
/// Connections of those who have no seat that one address has to one table, beside those of
/// --connections-per-address. Above: Goodbye TOO_MANY_CONNECTIONS.
inline constexpr std::ptrdiff_t kSpectatorsPerAddress = 100;
/// Between two searches for such tables, at most: a quarter of the shorter of the two.
inline constexpr std::chrono::minutes kAbandonedSearchInterval{10};

// --- Bots and hints
// ---------------------------------------------------------------------------------

/// Questions waiting for a bot thread. Above: a bot is asked again after kBotRetryTime, a hint is
/// refused as BUSY.
inline constexpr std::size_t kBotTasksMax = 10'000;
/// What a strategy gets of its time, however many wait (--bot-think is the most it gets).
inline constexpr std::chrono::milliseconds kThinkTimeMin{2};
inline constexpr std::chrono::milliseconds kBotThink{300};
/// From a move to a bot's answer, at least (--bot-pace), and the most that a table may ask for.
inline constexpr std::chrono::milliseconds kBotPace{700};
inline constexpr std::chrono::milliseconds kBotPaceMax{60'000};
/// The same at a table to which nobody is connected (--bot-pace-alone).
inline constexpr std::chrono::milliseconds kBotPaceAlone{1000};
/// Moves that strategies play in a row at such a table. Above: they wait until somebody connects.
inline constexpr std::uint64_t kMovesAloneMax = 500;
/// Their questions that wait for a bot thread. Above: the table waits until somebody connects.
inline constexpr std::size_t kBotTasksAloneMax = 1000;
/// Their questions that are begun a second, all tables together, when no other question waits, and
/// the time for one.
inline constexpr std::int64_t kBotTasksAlonePerSecond = 100;
inline constexpr std::chrono::milliseconds kThinkAlone{10};
/// Tables with bots that are loaded at the start of the server, and open ones where bots are to
/// come: the newest. The others are loaded when somebody connects.
inline constexpr std::size_t kResumedTablesMax = 1000;
/// Until a bot whose move could not be played or stored is asked again.
inline constexpr std::chrono::milliseconds kBotRetryTime{1000};
/// Bytes that a search may take for its tree.
inline constexpr std::size_t kThinkTreeBytes = 4 * 1024 * 1024;
/// The niceness of bot threads: moves of people go first.
inline constexpr int kBotNiceness = 10;
/// Bytes of a hint's id. Above: Refusal MALFORMED.
inline constexpr std::size_t kHintIdBytesMax = 36;
/// Between two hints for a player, at all tables. Sooner: Refusal RATE_LIMITED.
inline constexpr std::chrono::milliseconds kHintInterval{250};
/// From one move that a player takes back to the next, at all tables together: each costs a
/// re-execution. A key that is held down repeats more slowly.
inline constexpr std::chrono::milliseconds kUndoInterval{20};
/// Games that are shown again at the same time, those of one address, and the frames that wait to
/// be sent of each. Above: RESOURCE_EXHAUSTED, and it waits.
inline constexpr std::size_t kReplaysMax = 256;
inline constexpr std::size_t kReplaysPerAddress = 16;
inline constexpr std::size_t kReplayAhead = 64;
/// Threads that execute games again, and their niceness.
inline constexpr std::size_t kExecutionThreads = 2;
inline constexpr int kExecutionNiceness = 10;
/// Events that one execution plays before another one goes on.
inline constexpr std::uint64_t kExecutionSlice = 256;
/// Events a second that one address may have executed again in the long run, and how many seconds'
/// worth at once. Above: RESOURCE_EXHAUSTED, and for a stream Goodbye RATE_LIMITED.
inline constexpr std::uint32_t kExecutedEventsPerSecond = 20'000;
inline constexpr std::uint32_t kExecutedBurstSeconds = 10;
/// The same for one seat of a table, and for all who watch it. Above: a Snapshot in the place of
/// the missed events; a move is not taken back.
inline constexpr std::uint32_t kTableExecutedEventsPerSecond = 20'000;
inline constexpr std::uint32_t kTableExecutedBurstSeconds = 5;
/// Who waits for missed events at one table. Above: a Snapshot.
inline constexpr std::size_t kCatchingUpMax = 16;

// --- Remote bots
// ------------------------------------------------------------------------------

/// For a move (--bot-answer). Later: the game's stand-in moves.
inline constexpr std::chrono::milliseconds kBotAnswer{2000};
inline constexpr std::chrono::milliseconds kBotAnswerMin{10};
/// Questions to one bot that are open. Above: the game's stand-in moves.
inline constexpr std::size_t kRemoteRequestsMax = 64;
/// Legal moves that come with a question. Above: the first of them.
inline constexpr std::size_t kRequestMovesMax = 1000;
/// Bots that are offered, by all and by one player. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kRemoteBotsMax = 200;
inline constexpr std::ptrdiff_t kRemoteBotsPerPlayerMax = 8;
/// Streams of bots, those included that offer none yet, and those of one address, which so has no
/// more bots than these. Above: RESOURCE_EXHAUSTED.
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

/// The time for a move or a game that a table may give, and what it may give back.
inline constexpr std::chrono::milliseconds kClockMin{1000};
inline constexpr std::chrono::milliseconds kClockMax{std::chrono::days{7}};
inline constexpr std::chrono::milliseconds kClockIncrementMax{std::chrono::hours{1}};
/// Time-outs in a row after which a strategy takes a seat over: by default, and at most.
inline constexpr std::uint32_t kTimeoutsDefault = 2;
inline constexpr std::uint32_t kTimeoutsMax = 100;
/// After a restart of the server the clocks wait for the player on turn, at most this long.
inline constexpr std::chrono::seconds kClockGrace{30};
/// From a move until it is shown. When storing it took longer, the next turn begins as it is shown:
/// a slow disk is not the next player's doing.
inline constexpr std::chrono::milliseconds kStoreTimeFree{200};
/// From somebody's coming or going until the others are told, so that many are told at once; longer
/// by the second for each connection, since all are told.
inline constexpr std::chrono::milliseconds kPresencePause{250};
inline constexpr std::chrono::milliseconds kPresencePauseOfEach{2};

// --- Talk
// -----------------------------------------------------------------------------------------

/// Characters of what somebody says. Above: Refusal MALFORMED.
inline constexpr std::size_t kSayCharactersMax = 200;
/// What a player may say at once, at all tables together, and how often in the long run. Above:
/// Refusal RATE_LIMITED.
inline constexpr std::uint32_t kSaysAtOnce = 5;
inline constexpr std::chrono::milliseconds kSayInterval{2000};
/// Players that one connection does not hear. Above: the one muted first is heard again.
inline constexpr std::size_t kMutedMax = 16;

// --- The store
// --------------------------------------------------------------------------------------

/// Writes waiting for the writer. Above: kUnavailable.
inline constexpr std::size_t kStoreQueueMax = 65'536;
/// Writes in one transaction; the rest goes into the next.
inline constexpr std::size_t kStoreBatchMax = 1024;
/// Of them, those that are not of tables: a move does not wait behind a thousand sign-ins. The rest
/// goes into the next.
inline constexpr std::size_t kStoreBatchOthersMax = 64;
/// Reads waiting for a reader. Above: kUnavailable.
inline constexpr std::size_t kStoreReadQueueMax = 65'536;
/// Threads that read what tables need to load, each with a connection of its own; and those that
/// read lists, boards and records for whoever asks: these never make a load wait.
inline constexpr std::size_t kStoreReaders = 2;
inline constexpr std::size_t kStoreListReaders = 2;
/// Recent events in memory before they are compacted (FORMAT.md). At most twice as many stand
/// there.
inline constexpr std::size_t kStoreRecentMax = 32'768;
/// Events compacted with a batch, for each of its writes: above 1, or compaction would fall behind.
inline constexpr std::size_t kStoreCompactShare = 2;
/// The least of them, so that a generation ends under small batches too.
inline constexpr std::size_t kStoreCompactMin = 16;
/// Tables whose epoch and last version the writer remembers. Above: those without recent events are
/// forgotten, and read again when they come back.
inline constexpr std::size_t kStoreHeadsMax = 131'072;
/// Bytes of the write-ahead log. Above: it is written back into the database.
inline constexpr std::size_t kStoreWalBytesMax = 16 * 1024 * 1024;
/// Between attempts to write while the store cannot be written.
inline constexpr std::chrono::milliseconds kStoreProbeInterval{1000};
/// Bytes of a key file in a data folder or a backup. Above: it is refused.
inline constexpr std::size_t kKeyFileBytesMax = 64 * 1024;
/// For another process (the sqlite3 shell) to let go of the database. Later: kUnavailable.
inline constexpr std::chrono::milliseconds kStoreBusyTimeMax{2000};

// --- HTTP and the lobby
// -----------------------------------------------------------------------------

/// Header bytes of a request. Above: 431.
inline constexpr std::size_t kHttpHeaderBytesMax = 8 * 1024;
/// Body bytes of a request, as they are sent and when they are decompressed. Above: 413; under
/// Connect with the code resource_exhausted.
inline constexpr std::size_t kHttpBodyBytesMax = 64 * 1024;
/// For a whole request to arrive, and between requests on one connection. Later: closed.
inline constexpr std::chrono::seconds kHttpReadTimeMax{15};
/// For a response, or one message of a response stream, to be taken. Later: closed.
inline constexpr std::chrono::seconds kHttpWriteTimeMax{30};
/// After a refusal, for the client to read it before the connection is closed; and the bytes it may
/// still send meanwhile.
inline constexpr std::chrono::seconds kHttpLingerTimeMax{2};
inline constexpr std::size_t kHttpLingerBytesMax = 1024 * 1024;
/// Connections at once that are told 503. Above: closed without a word. And of them, those that
/// are told 429: one address does not keep the others from hearing that the server is full.
inline constexpr std::size_t kRefusedConnectionsMax = 64;
inline constexpr std::size_t kRefusedOfAddressesMax = kRefusedConnectionsMax / 4;
/// Without descriptors or memory for another connection, accepting pauses for this time.
inline constexpr std::chrono::milliseconds kAcceptPause{100};
/// Connections that a port accepts at once. Above: when everything else of its thread had its turn.
inline constexpr std::size_t kAcceptsAtOnce = 64;
/// Silence on a gRPC connection with calls before a ping, and from that to the end of the
/// connection when nothing answers.
inline constexpr std::chrono::milliseconds kGrpcPingInterval{20'000};
/// What an address may send to the gRPC port, for each request that it may make (--request-rate),
/// and what each call takes of that: a frame of HTTP/2 is 1, and 1 more for each KiB. Above: read
/// later. A client of good will needs a handful of frames for a call.
inline constexpr std::uint32_t kGrpcFramesPerRequest = 20;
inline constexpr std::size_t kGrpcCallCost = 10;
/// Until a connection that has to wait for that tries again.
inline constexpr std::chrono::milliseconds kGrpcPause{250};
/// Bytes of a block of headers as they are sent, the heads of its frames among them, and as they
/// are decoded, with 32 for each field. Above: GOAWAY and closed.
inline constexpr std::size_t kGrpcHeaderBytesMax = 16 * 1024;
inline constexpr std::size_t kGrpcHeaderListBytesMax = 8 * 1024;
/// Bytes of the table that the headers of a connection are decoded with.
inline constexpr std::size_t kGrpcHeaderTableBytes = 4096;
/// For the HTTP/2 preface, and TLS before it. Later: closed.
inline constexpr std::chrono::milliseconds kGrpcHandshakeTimeMax{10'000};
/// A gRPC connection without calls. Later: closed.
inline constexpr std::chrono::milliseconds kGrpcIdleTimeMax{300'000};
/// Calls at once on one gRPC connection. Above: they wait.
inline constexpr int kGrpcCallsPerConnectionMax = 100;
/// Calls of gRPC at once from one address, and bytes of messages in them that have begun and not
/// ended. Above: GOAWAY and closed. A sixteenth of kGrpcBytesMax.
inline constexpr std::size_t kGrpcCallsPerAddress = 1000;
inline constexpr std::size_t kGrpcUnfinishedPerAddress = 4 * 1024 * 1024;
/// Bytes of a call that a client may send ahead, and that are read at once.
inline constexpr int kGrpcWindowBytes = 64 * 1024;
inline constexpr int kGrpcChunkBytes = 8 * 1024;
/// Bytes that gRPC may hold for its connections. Above: they are read later.
inline constexpr std::size_t kGrpcBytesMax = 64 * 1024 * 1024;
/// The niceness of gRPC's threads, and without TLS of those that serve HTTP and the lobby: moves go
/// first, whatever comes to their ports.
inline constexpr int kGrpcNiceness = 10;
/// The slices of the threads that a move waits for: below the kernel's own (0.7 ms and more), so
/// that they interrupt whoever else is busy, and the writer, which is soon done, the streams.
inline constexpr std::chrono::microseconds kStreamSlice{500};
inline constexpr std::chrono::microseconds kWriterSlice{200};
/// Between two lines of the log that strangers cause as often as they like, at each place that logs
/// one. Sooner: left out, and counted in the next.
inline constexpr std::chrono::seconds kStrangerLogPause{1};
/// Tables on a page, and at the start of a watch.
inline constexpr std::size_t kPageMax = 100;
/// Bytes of the rows on a page, encoded. Above: the page ends earlier and names the next.
inline constexpr std::size_t kPageBytesMax = 512 * 1024;
/// Tables on a page where the request says none.
inline constexpr std::size_t kPageDefault = 20;
/// Changes waiting for one watcher. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kWatchQueueMax = 256;
/// Watches at once, those of one address, and of one player. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kWatchersMax = 1000;
inline constexpr std::size_t kWatchersPerAddress = 50;
inline constexpr std::size_t kWatchersPerPlayer = 10;
/// Tables whose change the watchers are still to be told. Above: every watch ends with
/// RESOURCE_EXHAUSTED.
inline constexpr std::size_t kUntoldChangesMax = 10'000;
/// Searches for opponents at once; a player has one, and an address as many as it has live tables.
/// Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kSearchesMax = 10'000;
/// Tickets that are to be removed and that the store has not removed yet. Above: they are forgotten
/// one by one, and once the store can be written all that nobody waits for are removed.
inline constexpr std::size_t kTicketsToRemoveMax = 2 * kSearchesMax;
/// Tickets removed in one write; the rest goes into the next.
inline constexpr std::size_t kTicketsRemovedAtOnce = 1000;
/// Between two passes of the matchmaker, at most: one also follows every new ticket.
inline constexpr std::chrono::milliseconds kMatchInterval{500};
/// How long a search says nothing when nothing changes.
inline constexpr std::chrono::milliseconds kSearchNewsInterval{5000};
/// For a party to come together. Later: RESOURCE_EXHAUSTED.
inline constexpr std::chrono::minutes kPartyTimeMax{5};
/// Bytes of the code that a party has agreed upon. Fewer or more: INVALID_ARGUMENT.
inline constexpr std::size_t kPartyCodeBytesMin = 8;
inline constexpr std::size_t kPartyCodeBytesMax = 64;
/// After which bots may fill a table, at most. Above: INVALID_ARGUMENT.
inline constexpr std::chrono::hours kBotFillTimeMax{1};
/// How long a search is answered with the table that the player's last one became.
inline constexpr std::chrono::minutes kMatchedAgainTime{5};
/// Queues whose waiting times are remembered. Above: all are forgotten.
inline constexpr std::size_t kWaitEstimatesMax = 1000;
/// Characters of the reason for which an operator closes a table. Above: INVALID_ARGUMENT.
inline constexpr std::size_t kCloseReasonMax = 200;
/// Characters of a display name, and marks that one of them may carry.
inline constexpr std::size_t kDisplayNameMax = 24;
inline constexpr std::size_t kMarksMax = 2;
/// Bytes of a device secret, if there is one. Fewer could be guessed.
inline constexpr std::size_t kDeviceSecretBytesMin = 16;
inline constexpr std::size_t kDeviceSecretBytesMax = 64;
/// How far the clock of an operator's own issuer may be off.
inline constexpr std::chrono::seconds kIssuerClockSkew{60};

}  // namespace tesela::limits
