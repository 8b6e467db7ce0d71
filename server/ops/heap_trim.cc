#include "server/ops/heap_trim.h"

#include <malloc.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "server/base/limits.h"
#include "server/metrics/resident_memory.h"

namespace tesela::ops {
namespace {

void trim_heaps() {
  const auto began = std::chrono::steady_clock::now();
  const auto before = metrics::resident_bytes();
  malloc_trim(0);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - began;
  constexpr std::uint64_t kKiB = 1024;
  spdlog::debug("memory given back: {} KiB in use before, {} KiB after, in {:.1f} ms",
                before / kKiB, metrics::resident_bytes() / kKiB, time.count());
}

}  // namespace

HeapTrim::HeapTrim(Options options)
    : options_(std::move(options)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

HeapTrim::HeapTrim(metrics::Metrics& metrics)
    : HeapTrim({.load =
                    [&metrics] {
                      const double connections = metrics.connections_open().Value();
                      return metrics.tables_in_memory() +
                             static_cast<std::size_t>(std::max(connections, 0.0));
                    },
                .fall = limits::kHeapTrimFall,
                .interval = limits::kHeapTrimInterval,
                .trim = {}}) {}

void HeapTrim::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    stopped_.wait_for(lock, stop, options_.interval, [] { return false; });
    if (!stop.stop_requested()) look();
  }
}

void HeapTrim::look() {
  const std::size_t load = options_.load();
  highest_ = std::max(highest_, load);
  if (highest_ - load < options_.fall) return;
  highest_ = load;
  if (options_.trim) {
    options_.trim();
  } else {
    trim_heaps();
  }
}

}  // namespace tesela::ops
