// What is counted for operators, in Prometheus' words. GET /metrics shows it.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::metrics {

/// Any thread. A reference that a function returns stays valid as long as the Metrics: whoever
/// counts often asks for it once and keeps it. Labels come from small fixed sets, never from what a
/// client sent.
class Metrics {
 public:
  /// `version` goes into tesela_build_info.
  explicit Metrics(std::string_view version);
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
  /// tesela_outside_questions_total{outcome}: questions to remote bots: "answered", "late",
  /// "illegal", "left" (its stream ended), "busy" (not asked: it has too many) or "stopped" (the
  /// table closed).
  [[nodiscard]] prometheus::Counter& remote_requests(std::string_view outcome);

  /// tesela_tables{game,state}: tables in memory; `state` is "waiting", "playing" or "finished".
  [[nodiscard]] prometheus::Gauge& tables(std::string_view game, std::string_view state);
  /// All of them together.
  [[nodiscard]] std::size_t tables_in_memory() const;
  /// tesela_outbox_drops_total{who}: connections that read too slowly: a "player" is told to come
  /// back, a "spectator" gets a Snapshot in the place of what waited.
  [[nodiscard]] prometheus::Counter& outbox_drops(std::string_view who);
  /// tesela_store_errors_total{operation}: what the store could not do; "read" or "write".
  [[nodiscard]] prometheus::Counter& store_errors(std::string_view operation);
  /// tesela_limited_total{limit}: what was refused, or had to wait ("address_grpc_frames"), because
  /// one address or one player took too much:
  /// "address_sign_ins", "player_tables", …
  [[nodiscard]] prometheus::Counter& limited(std::string_view limit);

  /// tesela_ready: what /readyz says, 1 or 0.
  [[nodiscard]] prometheus::Gauge& ready() { return ready_; }
  /// tesela_data_free_bytes: room on the disk of the data folder.
  [[nodiscard]] prometheus::Gauge& data_free_bytes() { return data_free_bytes_; }
  /// tesela_connections_open: connections of all ports, streams among them.
  [[nodiscard]] prometheus::Gauge& connections_open() { return connections_open_; }
  /// tesela_streams_open: streams, whatever their role.
  [[nodiscard]] prometheus::Gauge& streams_open() { return streams_open_; }
  /// tesela_move_durable_seconds: from a player's frame to the log's word that its move is durable.
  [[nodiscard]] prometheus::Histogram& move_durable_seconds() { return move_durable_seconds_; }
  /// tesela_move_fanout_seconds: from a player's frame until its event is in every outbox.
  [[nodiscard]] prometheus::Histogram& move_fanout_seconds() { return move_fanout_seconds_; }
  /// tesela_append_seconds: from handing an event to the log until it is durable, queueing
  /// included.
  [[nodiscard]] prometheus::Histogram& append_seconds() { return append_seconds_; }
  /// tesela_commit_seconds: one transaction of the writer.
  [[nodiscard]] prometheus::Histogram& commit_seconds() { return commit_seconds_; }
  /// tesela_commit_writes: writes in one transaction.
  [[nodiscard]] prometheus::Histogram& commit_writes() { return commit_writes_; }

  /// tesela_think_seconds: one question to a strategy, of a bot or for a hint.
  [[nodiscard]] prometheus::Histogram& think_seconds() { return think_seconds_; }

  /// Everything and what is to be said of the process, in Prometheus' text format 0.0.4.
  [[nodiscard]] std::string text() const;

 private:
  prometheus::Registry registry_;
  prometheus::Family<prometheus::Counter>& moves_;
  prometheus::Family<prometheus::Counter>& refusals_;
  prometheus::Family<prometheus::Counter>& http_requests_;
  prometheus::Family<prometheus::Counter>& rpcs_;
  prometheus::Family<prometheus::Counter>& remote_requests_;
  prometheus::Family<prometheus::Counter>& outbox_drops_;
  prometheus::Family<prometheus::Counter>& store_errors_;
  prometheus::Family<prometheus::Counter>& limited_;
  prometheus::Family<prometheus::Gauge>& tables_;
  prometheus::Gauge& ready_;
  prometheus::Gauge& data_free_bytes_;
  prometheus::Gauge& connections_open_;
  prometheus::Gauge& streams_open_;
  prometheus::Histogram& move_durable_seconds_;
  prometheus::Histogram& move_fanout_seconds_;
  prometheus::Histogram& append_seconds_;
  prometheus::Histogram& commit_seconds_;
  prometheus::Histogram& commit_writes_;
  prometheus::Histogram& think_seconds_;
};

/// process_resident_memory_bytes, process_open_fds, process_max_fds, process_cpu_seconds_total and
/// process_start_time_seconds, as they are now. What the system does not tell is left out. Any
/// thread.
[[nodiscard]] std::vector<prometheus::MetricFamily> process_metrics();

/// In bytes, as Linux tells in /proc; 0 where there is no /proc. Any thread.
[[nodiscard]] std::uint64_t resident_bytes();

}  // namespace tesela::metrics
