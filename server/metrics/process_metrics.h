// What Prometheus' own client libraries say of every process: memory, files, time.
#pragma once

#include <prometheus/metric_family.h>

#include <vector>

namespace tesela::metrics {

/// process_resident_memory_bytes, process_open_fds, process_max_fds, process_cpu_seconds_total and
/// process_start_time_seconds, as they are now. What the system does not tell is left out. Any
/// thread.
[[nodiscard]] std::vector<prometheus::MetricFamily> process_metrics();

}  // namespace tesela::metrics
