#include "server/metrics/process_metrics.h"

#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "server/metrics/resident_memory.h"

namespace tesela::metrics {
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

// Noted before main, as near to the start as the program itself comes.
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
        open - 1);  // without the one that looked
  }
  return families;
}

}  // namespace tesela::metrics
