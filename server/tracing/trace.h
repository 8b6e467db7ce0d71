// What a move or a call takes, step by step, for a collector of OpenTelemetry. Off, as it is at
// first, a step costs the read of a flag. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tesela::tracing {

/// The most spans that wait for `take`; and of one second, of calls and of steps inside each:
/// callers name their traces themselves. Above: left out, and counted.
inline constexpr std::size_t kSpansWaitingMax = 4096;
inline constexpr std::size_t kSpansPerSecondMax = 500;

/// Names a span (W3C Trace Context). Without `span`: its trace is not collected.
struct Context {
  std::uint64_t trace_high{};
  std::uint64_t trace_low{};
  std::uint64_t span{};

  explicit operator bool() const { return span != 0; }
};

/// The header by which a trace goes on at another server.
inline constexpr std::string_view kHeader = "traceparent";
/// Its value, version 00.
[[nodiscard]] std::string to_text(const Context& context);
/// The context in the header of a call. None for anything else, and while nothing is collected.
[[nodiscard]] Context sent_along(std::string_view header);

/// A step: nothing is collected without a context.
struct Span {
  using Time = std::chrono::steady_clock::time_point;

  Context context{};
  std::uint64_t parent{};   // 0: none
  std::string_view name{};  // lives as long as the process
  bool is_call{};           // of a client; otherwise a step inside
  bool failed{};
  Time begin{};
  Time end{};
  std::vector<std::pair<std::string_view, std::string>> attributes{};
};

namespace detail {
// Of numbers of traces; 0: off.
inline std::atomic<std::uint64_t> collected_below{0};
}  // namespace detail

/// Whether spans are collected.
[[nodiscard]] inline bool is_on() {
  return detail::collected_below.load(std::memory_order_relaxed) != 0;
}

/// From now on this share of all traces is collected, above 0 and at most 1.
void turn_on(double share);

/// The context of a new span in the trace of `parent`, or in a new one. Whether a trace is
/// collected follows from its number, so that all servers with the same share agree.
[[nodiscard]] Context begin(const Context& parent = {});
/// A span has ended.
void end(Span span);

struct Taken {
  std::vector<Span> spans;
  std::size_t left_out{};
};
/// What has ended, or was left out, since the last time.
[[nodiscard]] Taken take();

}  // namespace tesela::tracing
