#include "server/metrics/metrics.h"

#include <prometheus/text_serializer.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "server/base/printing/version.h"

namespace tesela::metrics {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;

// From a disk with a battery-backed cache to a failing disk.
constexpr std::array<double, 14> kSeconds{50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3,
                                          10e-3, 25e-3,  50e-3,  100e-3, 0.25, 1,      5};
constexpr std::array<double, 9> kCallSeconds{1e-3, 5e-3, 10e-3, 25e-3, 50e-3, 0.1, 0.25, 1, 5};
constexpr std::array<double, 10> kWaitSeconds{1, 2, 5, 10, 20, 30, 60, 120, 300, 1800};
constexpr std::array<double, 11> kWrites{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

prometheus::Gauge& gauge(prometheus::Registry& registry, const char* name, const char* help) {
  return BuildGauge().Name(name).Help(help).Register(registry).Add({});
}

prometheus::Family<prometheus::Counter>& counters(prometheus::Registry& registry, const char* name,
                                                  const char* help) {
  return BuildCounter().Name(name).Help(help).Register(registry);
}

}  // namespace

Metrics::Metrics()
    : moves_(counters(registry_, "tesela_moves_total", "Moves that became durable.")),
      refusals_(counters(registry_, "tesela_refusals_total",
                         "Frames that were refused and streams that were ended, by reason.")),
      http_requests_(counters(registry_, "tesela_http_requests_total",
                              "HTTP requests that were answered, by route and status.")),
      rpcs_(counters(registry_, "tesela_rpcs_total",
                     "Calls of gRPC methods that ended, by method and code.")),
      sign_ins_(counters(registry_, "tesela_sign_ins_total",
                         "Players that have signed in, and tokens that were renewed, by kind.")),
      games_ended_(counters(registry_, "tesela_games_ended_total",
                            "Tables that were brought to their end, by game and end.")),
      remote_requests_(counters(registry_, "tesela_outside_questions_total",
                                "Questions to remote bots, by outcome.")),
      outbox_drops_(counters(registry_, "tesela_outbox_drops_total",
                             "Connections that read too slowly, by role.")),
      store_errors_(counters(registry_, "tesela_store_errors_total",
                             "Failed operations of the store, by operation.")),
      limited_(counters(registry_, "tesela_limited_total",
                        "Refusals and delays by limits of addresses and players, by limit.")),
      deleted_(counters(registry_, "tesela_deleted_total",
                        "Old data that was deleted, and unused pages of the database that were "
                        "given back, by kind.")),
      notices_(counters(registry_, "tesela_notices_total",
                        "Notices to devices of players and to the webhook, by outcome.")),
      relays_(counters(registry_, "tesela_relays_total",
                       "Streams and calls for the owners of tables on other servers, by outcome.")),
      takeovers_(counters(registry_, "tesela_takeovers_total",
                          "Streams and calls that waited until a table had no owner any more.")
                     .Add({})),
      handed_over_(counters(registry_, "tesela_tables_handed_over_total",
                            "Tables that were given up so that another server takes them.")
                       .Add({})),
      relays_open_(gauge(registry_, "tesela_relays_open",
                         "Streams that are relayed to the owners of their tables.")),
      lobby_changes_(counters(registry_, "tesela_lobby_changes_total",
                              "Tables that other servers have changed, as this one has read.")
                         .Add({})),
      lobby_gaps_(counters(registry_, "tesela_lobby_gaps_total",
                           "How often the watches of tables began anew, because changes by other "
                           "servers may have been missed.")
                      .Add({})),
      lobby_behind_seconds_(gauge(registry_, "tesela_lobby_behind_seconds",
                                  "The age of the oldest change by another server when it was "
                                  "read, or the time since the last read.")),
      packed_bytes_(counters(registry_, "tesela_packed_bytes_total",
                             "Bytes of logs that were packed, before and after.")),
      packed_games_(
          counters(registry_, "tesela_packed_games_total", "Finished games whose logs were packed.")
              .Add({})),
      archive_backlog_(gauge(registry_, "tesela_archive_backlog",
                             "Finished games whose logs are to be packed.")),
      damaged_tables_(gauge(registry_, "tesela_damaged_tables",
                            "Tables whose data were found damaged since the start.")),
      reports_open_(
          gauge(registry_, "tesela_reports_open", "Reports of players that nobody has closed.")),
      first_open_report_seconds_(gauge(registry_, "tesela_first_open_report_seconds",
                                       "When the first of them was made, in seconds of Unix time; "
                                       "0 without one.")),
      tables_(BuildGauge()
                  .Name("tesela_tables")
                  .Help("Tables in memory, by game and state.")
                  .Register(registry_)),
      online_(BuildGauge()
                  .Name("tesela_online")
                  .Help("Streams of players and spectators at tables, and seats of bots.")
                  .Register(registry_)),
      searches_waiting_(
          gauge(registry_, "tesela_searches_waiting", "Searches for opponents that wait.")),
      certificate_ends_seconds_(gauge(registry_, "tesela_certificate_ends_seconds",
                                      "When the certificate ends, in seconds of Unix time; 0 "
                                      "without one.")),
      ready_(gauge(registry_, "tesela_ready", "Whether /readyz says that it is ready: 1 or 0.")),
      frozen_(gauge(registry_, "tesela_frozen", "Whether the server's lease may be over: 1 or 0.")),
      lease_age_seconds_(gauge(registry_, "tesela_lease_age_seconds",
                               "Time since the server's lease was renewed; 0 without a lease.")),
      store_away_(gauge(registry_, "tesela_store_away",
                        "Whether the store cannot be reached or written: 1 or 0.")),
      data_free_bytes_(
          gauge(registry_, "tesela_data_free_bytes", "Room on the disk of the data folder.")),
      backup_seconds_(gauge(registry_, "tesela_backup_seconds",
                            "When the data folder was last backed up, in seconds of Unix time; 0: "
                            "never.")),
      connections_open_(gauge(registry_, "tesela_connections_open",
                              "Connections of both ports, streams included, and of --ops-port.")),
      streams_open_(gauge(registry_, "tesela_streams_open", "Open streams of tables.")),
      move_durable_seconds_(kSeconds),
      move_fanout_seconds_(kSeconds),
      append_seconds_(kSeconds),
      commit_seconds_(kSeconds),
      commit_writes_(kWrites),
      think_seconds_(kSeconds),
      search_wait_seconds_(kWaitSeconds) {
  BuildGauge()
      .Name("tesela_build_info")
      .Help("Always 1; the label is the version.")
      .Register(registry_)
      .Add({{"version", std::string{base::kVersion}}})
      .Set(1);
  // Created with the value 0: an alert on increase() ignores the first sample of a counter.
  for (const char* who : {"player", "spectator"}) static_cast<void>(outbox_drops(who));
  for (const char* operation : {"read", "write"}) static_cast<void>(store_errors(operation));
  for (const char* what : {"table", "guest", "event", "report", "challenge", "page"}) {
    static_cast<void>(deleted(what));
  }
  for (const char* outcome : {"sent", "failed"}) static_cast<void>(notices(outcome));
  for (const char* outcome : {"begun", "call", "unanswered", "wrong_owner", "unreachable",
                              "given_up", "refused", "search", "search_again", "stranger"}) {
    static_cast<void>(relays(outcome));
  }
  for (const char* side : {"before", "after"}) static_cast<void>(packed_bytes(side));
  for (const char* kind : {"guest", "member", "renewed", "issuer"}) {
    static_cast<void>(sign_ins(kind));
  }
  for (const char* who : {"player", "spectator", "bot"}) static_cast<void>(online(who));
  for (const char* outcome : {"answered", "late", "illegal", "left", "busy", "stopped"}) {
    static_cast<void>(remote_requests(outcome));
  }
}

prometheus::Counter& Metrics::moves(std::string_view game) {
  return moves_.Add({{"game", std::string{game}}});
}

prometheus::Counter& Metrics::refusals(std::string_view reason) {
  return refusals_.Add({{"reason", std::string{reason}}});
}

prometheus::Counter& Metrics::http_requests(std::string_view route, unsigned status) {
  return http_requests_.Add({{"route", std::string{route}}, {"status", std::to_string(status)}});
}

prometheus::Counter& Metrics::rpcs(std::string_view method, std::string_view code) {
  return rpcs_.Add({{"method", std::string{method}}, {"code", std::string{code}}});
}

Histogram& Metrics::rpc_seconds(std::string_view method) {
  const std::lock_guard lock(mutex_);
  return rpc_seconds_.try_emplace(std::string{method}, kCallSeconds).first->second;
}

prometheus::Counter& Metrics::sign_ins(std::string_view kind) {
  return sign_ins_.Add({{"kind", std::string{kind}}});
}

prometheus::Gauge& Metrics::online(std::string_view who) {
  return online_.Add({{"who", std::string{who}}});
}

prometheus::Counter& Metrics::games_ended(std::string_view game, std::string_view end) {
  return games_ended_.Add({{"game", std::string{game}}, {"end", std::string{end}}});
}

prometheus::Counter& Metrics::remote_requests(std::string_view outcome) {
  return remote_requests_.Add({{"outcome", std::string{outcome}}});
}

prometheus::Counter& Metrics::relays(std::string_view outcome) {
  return relays_.Add({{"outcome", std::string{outcome}}});
}

prometheus::Gauge& Metrics::tables(std::string_view game, std::string_view state) {
  return tables_.Add({{"game", std::string{game}}, {"state", std::string{state}}});
}

std::size_t Metrics::tables_in_memory() const {
  double count = 0;
  for (const auto& family : tables_.Collect()) {
    for (const auto& metric : family.metric) count += metric.gauge.value;
  }
  // The gauges are not read at the same instant, so the sum may be off by a table in transition.
  return static_cast<std::size_t>(std::max(count, 0.0));
}

prometheus::Counter& Metrics::outbox_drops(std::string_view who) {
  return outbox_drops_.Add({{"who", std::string{who}}});
}

prometheus::Counter& Metrics::store_errors(std::string_view operation) {
  return store_errors_.Add({{"operation", std::string{operation}}});
}

prometheus::Counter& Metrics::limited(std::string_view limit) {
  return limited_.Add({{"limit", std::string{limit}}});
}

prometheus::Counter& Metrics::notices(std::string_view outcome) {
  return notices_.Add({{"outcome", std::string{outcome}}});
}

prometheus::Counter& Metrics::deleted(std::string_view what) {
  return deleted_.Add({{"what", std::string{what}}});
}

prometheus::Counter& Metrics::packed_bytes(std::string_view side) {
  return packed_bytes_.Add({{"side", std::string{side}}});
}

prometheus::MetricFamily Metrics::calls() const {
  prometheus::MetricFamily family{.name = "tesela_rpc_seconds",
                                  .help = "Calls of unary methods, by method.",
                                  .type = prometheus::MetricType::Histogram,
                                  .metric = {}};
  const std::lock_guard lock(mutex_);
  for (const auto& [method, histogram] : rpc_seconds_) {
    auto metric = histogram.collect();
    if (metric.histogram.sample_count == 0) continue;
    metric.label.push_back({.name = "method", .value = method});
    family.metric.push_back(std::move(metric));
  }
  return family;
}

std::string Metrics::text() const {
  std::vector<prometheus::MetricFamily> families = registry_.Collect();
  const auto add = [&families](const char* name, const char* help, const Histogram& histogram) {
    families.push_back({.name = name,
                        .help = help,
                        .type = prometheus::MetricType::Histogram,
                        .metric = {histogram.collect()}});
  };
  add("tesela_move_durable_seconds", "From a player's frame until its move is durable.",
      move_durable_seconds_);
  add("tesela_move_fanout_seconds", "From a player's frame until its event is in every outbox.",
      move_fanout_seconds_);
  add("tesela_append_seconds", "From handing an event to the log until it is durable.",
      append_seconds_);
  add("tesela_commit_seconds", "One transaction of the store's writer.", commit_seconds_);
  add("tesela_commit_writes", "Writes in one transaction of the store's writer.", commit_writes_);
  add("tesela_think_seconds", "One question to a strategy, of a bot or for a hint.",
      think_seconds_);
  add("tesela_search_wait_seconds", "How long a search for opponents waited that was matched.",
      search_wait_seconds_);
  families.push_back(calls());
  std::ranges::move(process_metrics(), std::back_inserter(families));
  return prometheus::TextSerializer{}.Serialize(families);
}

namespace {

using prometheus::MetricType;

prometheus::MetricFamily family(const char* name, const char* help, MetricType type, double value) {
  prometheus::ClientMetric metric;
  if (type == MetricType::Counter) {
    metric.counter.value = value;
  } else {
    metric.gauge.value = value;
  }
  return {.name = name, .help = help, .type = type, .metric = {metric}};
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double started_at() {
  static const double at =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return at;
}

// Before main, as close to the start of the process as possible.
[[maybe_unused]] const double kStarted = started_at();

}  // namespace

std::vector<prometheus::MetricFamily> process_metrics() {
  std::vector<prometheus::MetricFamily> families;
  const auto add = [&](const char* name, const char* help, MetricType type, double value) {
    families.push_back(family(name, help, type, value));
  };
  add("process_start_time_seconds", "When the process started, in seconds of Unix time.",
      MetricType::Gauge, started_at());
  if (const std::uint64_t bytes = resident_bytes(); bytes > 0) {
    add("process_resident_memory_bytes", "Memory of the process that is in RAM.", MetricType::Gauge,
        static_cast<double>(bytes));
  }
  if (rusage used{}; getrusage(RUSAGE_SELF, &used) == 0) {
    add("process_cpu_seconds_total", "Time of processors that the process has used.",
        MetricType::Counter, seconds(used.ru_utime) + seconds(used.ru_stime));
  }
  if (rlimit files{}; getrlimit(RLIMIT_NOFILE, &files) == 0) {
    add("process_max_fds", "File descriptors that the process may have open.", MetricType::Gauge,
        static_cast<double>(files.rlim_cur));
  }
  std::error_code error;
  double open = 0;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", error), end;
       !error && entry != end; entry.increment(error)) {
    ++open;
  }
  if (open > 0) {
    add("process_open_fds", "File descriptors that the process has open.", MetricType::Gauge,
        open - 1);  // without the directory that is being read
  }
  return families;
}

std::uint64_t resident_bytes() {
  std::ifstream pages("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  pages >> size >> resident;
  return pages ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace tesela::metrics
