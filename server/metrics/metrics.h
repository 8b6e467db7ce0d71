// The metrics of the server, in Prometheus' terms; GET /metrics returns them. Any thread.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "server/metrics/histogram.h"

namespace tesela::metrics {

/// Any thread. Returned references are valid as long as the Metrics; callers on hot paths keep
/// them. Labels come from small fixed sets, never from what a client sent.
class Metrics {
 public:
  Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  /// tesela_moves_total{game}: moves that became durable.
  [[nodiscard]] prometheus::Counter& moves(std::string_view game);
  /// tesela_refusals_total{reason}: refused frames and ended streams, by the name of
  /// tesela.play.v1.Reason without its prefix, in lower case ("illegal_move").
  [[nodiscard]] prometheus::Counter& refusals(std::string_view reason);
  /// tesela_http_requests_total{route,status}: `route` is a Route's name, not a path.
  [[nodiscard]] prometheus::Counter& http_requests(std::string_view route, unsigned status);
  /// tesela_rpcs_total{method,code}: `method` as in "/tesela.lobby.v1.LobbyService/SignIn", `code`
  /// as in "not_found".
  [[nodiscard]] prometheus::Counter& rpcs(std::string_view method, std::string_view code);
  /// tesela_rpc_seconds{method}: calls of unary methods, from the request to its answer. One
  /// without a call is not shown.
  [[nodiscard]] Histogram& rpc_seconds(std::string_view method);
  /// tesela_sign_ins_total{kind}: "guest", "member" (by a credential), "renewed" (a token), or
  /// "issuer": a player of the operator's issuer who has come for the first time.
  [[nodiscard]] prometheus::Counter& sign_ins(std::string_view kind);
  /// tesela_outside_questions_total{outcome}: requests to remote bots: "answered", "late",
  /// "illegal", "left" (its stream ended), "busy" (not asked: it has too many) or "stopped" (the
  /// table closed).
  [[nodiscard]] prometheus::Counter& remote_requests(std::string_view outcome);

  /// tesela_tables{game,state}: tables in memory; `state` is "waiting", "playing" or "finished".
  [[nodiscard]] prometheus::Gauge& tables(std::string_view game, std::string_view state);
  /// tesela_online{who}: streams at tables of a "player" or a "spectator", and seats of games in
  /// play that a "bot" has.
  [[nodiscard]] prometheus::Gauge& online(std::string_view who);
  /// tesela_games_ended_total{game,end}: tables that were brought to their end here. `end` is
  /// "finished", "resigned" or, without a result, "closed".
  [[nodiscard]] prometheus::Counter& games_ended(std::string_view game, std::string_view end);
  /// Sum of tesela_tables.
  [[nodiscard]] std::size_t tables_in_memory() const;
  /// tesela_outbox_drops_total{who}: connections that read too slowly. A "player" is
  /// disconnected, a "spectator" gets a Snapshot in place of the dropped frames.
  [[nodiscard]] prometheus::Counter& outbox_drops(std::string_view who);
  /// tesela_store_errors_total{operation}: failed operations of the store, "read" or "write".
  [[nodiscard]] prometheus::Counter& store_errors(std::string_view operation);
  /// tesela_limited_total{limit}: what was refused or delayed by a limit of one address, a
  /// network of IPv6 or one player: "address_sign_ins", "network_connects", "player_tables" …
  [[nodiscard]] prometheus::Counter& limited(std::string_view limit);

  /// tesela_deleted_total{what}: old data that was deleted: "table", "guest", "event",
  /// "report" or "challenge"; and "page", unused pages of the database that were given back to the
  /// file system.
  [[nodiscard]] prometheus::Counter& deleted(std::string_view what);
  /// tesela_packed_games_total: finished games whose logs were packed.
  [[nodiscard]] prometheus::Counter& packed_games() { return packed_games_; }
  /// tesela_packed_bytes_total{side}: the bytes of these logs, "before" and "after".
  [[nodiscard]] prometheus::Counter& packed_bytes(std::string_view side);
  /// tesela_archive_backlog: finished games whose logs are to be packed, at most
  /// limits::kArchiveBacklogMax.
  [[nodiscard]] prometheus::Gauge& archive_backlog() { return archive_backlog_; }

  /// tesela_reports_open: reports of players that no operator has closed, as the search for data
  /// to delete has found, at most limits::kOpenReportsCounted; 0 at servers without the duty.
  [[nodiscard]] prometheus::Gauge& reports_open() { return reports_open_; }
  /// tesela_first_open_report_seconds: when the first of them was made, in seconds of Unix time; 0
  /// without one.
  [[nodiscard]] prometheus::Gauge& first_open_report_seconds() {
    return first_open_report_seconds_;
  }

  /// tesela_notices_total{outcome}: what was sent to devices of players and to the webhook: "sent",
  /// or "failed", which may be sent again.
  [[nodiscard]] prometheus::Counter& notices(std::string_view outcome);

  /// tesela_damaged_tables: tables whose data were found damaged since the start of the process, at
  /// most replay::kDamagedTablesMax.
  [[nodiscard]] prometheus::Gauge& damaged_tables() { return damaged_tables_; }

  /// tesela_relays_total{outcome}: streams and calls for the owners of tables on other servers.
  /// "begun": the owner has answered a stream; "call": it has answered a call; "unanswered": it has
  /// taken a call and not answered; "wrong_owner": it has said that the table is not its own;
  /// "unreachable": it has not answered in time; "given_up": it was waited for in vain; "refused":
  /// it has another secret; "search": a search for opponents was passed on to the server that finds
  /// them; "search_again": one begins again, because that server has gone or there is none. And
  /// "stranger": a peer came to the node port without the secret.
  [[nodiscard]] prometheus::Counter& relays(std::string_view outcome);
  /// tesela_takeovers_total: streams and calls that waited for an unreachable owner until its table
  /// could be claimed.
  [[nodiscard]] prometheus::Counter& takeovers() { return takeovers_; }
  /// tesela_tables_handed_over_total: tables that were given up so that another server takes them.
  [[nodiscard]] prometheus::Counter& handed_over() { return handed_over_; }
  /// tesela_relays_open: streams that are relayed to other servers now.
  [[nodiscard]] prometheus::Gauge& relays_open() { return relays_open_; }

  /// tesela_lobby_changes_total: tables that other servers have changed, as this one has read.
  [[nodiscard]] prometheus::Counter& lobby_changes() { return lobby_changes_; }
  /// tesela_lobby_gaps_total: how often such changes may have been missed, so that the watches of
  /// tables began anew.
  [[nodiscard]] prometheus::Counter& lobby_gaps() { return lobby_gaps_; }
  /// tesela_lobby_behind_seconds: the age of the oldest change in the last read; while reads fail,
  /// the time since the last one.
  [[nodiscard]] prometheus::Gauge& lobby_behind_seconds() { return lobby_behind_seconds_; }

  /// tesela_searches_waiting: searches for opponents that wait at this server.
  [[nodiscard]] prometheus::Gauge& searches_waiting() { return searches_waiting_; }
  /// tesela_search_wait_seconds: how long a search waited that was matched.
  [[nodiscard]] Histogram& search_wait_seconds() { return search_wait_seconds_; }
  /// tesela_certificate_ends_seconds: when the certificate ends, in seconds of Unix time; 0 without
  /// TLS.
  [[nodiscard]] prometheus::Gauge& certificate_ends_seconds() { return certificate_ends_seconds_; }

  /// tesela_ready: 1 if /readyz reports ready, otherwise 0.
  [[nodiscard]] prometheus::Gauge& ready() { return ready_; }
  /// tesela_frozen: 1 while the server's lease may be over, otherwise 0.
  [[nodiscard]] prometheus::Gauge& frozen() { return frozen_; }
  /// tesela_lease_age_seconds: since the server's lease was renewed; 0 without a lease.
  [[nodiscard]] prometheus::Gauge& lease_age_seconds() { return lease_age_seconds_; }
  /// tesela_store_away: 1 while the store cannot be reached or written, otherwise 0.
  [[nodiscard]] prometheus::Gauge& store_away() { return store_away_; }
  /// tesela_data_free_bytes: free space on the disk of the data folder.
  [[nodiscard]] prometheus::Gauge& data_free_bytes() { return data_free_bytes_; }
  /// tesela_backup_seconds: when `tesela-server backup` last copied the data folder, in seconds of
  /// Unix time; 0: never.
  [[nodiscard]] prometheus::Gauge& backup_seconds() { return backup_seconds_; }
  /// tesela_connections_open: connections of all ports, streams among them.
  [[nodiscard]] prometheus::Gauge& connections_open() { return connections_open_; }
  /// tesela_streams_open: streams, whatever their role.
  [[nodiscard]] prometheus::Gauge& streams_open() { return streams_open_; }
  /// tesela_move_durable_seconds: from receiving a player's move until it is durable.
  [[nodiscard]] Histogram& move_durable_seconds() { return move_durable_seconds_; }
  /// tesela_move_fanout_seconds: from receiving a player's move until its event is in every
  /// outbox.
  [[nodiscard]] Histogram& move_fanout_seconds() { return move_fanout_seconds_; }
  /// tesela_append_seconds: from handing an event to the log until it is durable, queueing
  /// included.
  [[nodiscard]] Histogram& append_seconds() { return append_seconds_; }
  /// tesela_commit_seconds: one transaction of the writer.
  [[nodiscard]] Histogram& commit_seconds() { return commit_seconds_; }
  /// tesela_commit_writes: writes in one transaction.
  [[nodiscard]] Histogram& commit_writes() { return commit_writes_; }

  /// tesela_think_seconds: one search of a strategy, for a bot or a hint.
  [[nodiscard]] Histogram& think_seconds() { return think_seconds_; }

  /// All metrics, with those of the process, in Prometheus' text format 0.0.4.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] prometheus::MetricFamily calls() const;

  prometheus::Registry registry_;
  prometheus::Family<prometheus::Counter>& moves_;
  prometheus::Family<prometheus::Counter>& refusals_;
  prometheus::Family<prometheus::Counter>& http_requests_;
  prometheus::Family<prometheus::Counter>& rpcs_;
  prometheus::Family<prometheus::Counter>& sign_ins_;
  prometheus::Family<prometheus::Counter>& games_ended_;
  prometheus::Family<prometheus::Counter>& remote_requests_;
  prometheus::Family<prometheus::Counter>& outbox_drops_;
  prometheus::Family<prometheus::Counter>& store_errors_;
  prometheus::Family<prometheus::Counter>& limited_;
  prometheus::Family<prometheus::Counter>& deleted_;
  prometheus::Family<prometheus::Counter>& notices_;
  prometheus::Family<prometheus::Counter>& relays_;
  prometheus::Counter& takeovers_;
  prometheus::Counter& handed_over_;
  prometheus::Gauge& relays_open_;
  prometheus::Counter& lobby_changes_;
  prometheus::Counter& lobby_gaps_;
  prometheus::Gauge& lobby_behind_seconds_;
  prometheus::Family<prometheus::Counter>& packed_bytes_;
  prometheus::Counter& packed_games_;
  prometheus::Gauge& archive_backlog_;
  prometheus::Gauge& damaged_tables_;
  prometheus::Gauge& reports_open_;
  prometheus::Gauge& first_open_report_seconds_;
  prometheus::Family<prometheus::Gauge>& tables_;
  prometheus::Family<prometheus::Gauge>& online_;
  prometheus::Gauge& searches_waiting_;
  prometheus::Gauge& certificate_ends_seconds_;
  prometheus::Gauge& ready_;
  prometheus::Gauge& frozen_;
  prometheus::Gauge& lease_age_seconds_;
  prometheus::Gauge& store_away_;
  prometheus::Gauge& data_free_bytes_;
  prometheus::Gauge& backup_seconds_;
  prometheus::Gauge& connections_open_;
  prometheus::Gauge& streams_open_;
  Histogram move_durable_seconds_;
  Histogram move_fanout_seconds_;
  Histogram append_seconds_;
  Histogram commit_seconds_;
  Histogram commit_writes_;
  Histogram think_seconds_;
  Histogram search_wait_seconds_;
  mutable std::mutex mutex_;
  std::map<std::string, Histogram, std::less<>> rpc_seconds_;  // guarded by `mutex_`
};

/// The current process_resident_memory_bytes, process_open_fds, process_max_fds,
/// process_cpu_seconds_total and process_start_time_seconds. A value that the system does not
/// provide is left out.
[[nodiscard]] std::vector<prometheus::MetricFamily> process_metrics();

/// The resident memory of this process in bytes, from /proc; 0 without /proc.
[[nodiscard]] std::uint64_t resident_bytes();

}  // namespace tesela::metrics
