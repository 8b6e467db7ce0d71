#include "server/tracing/trace.h"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <charconv>
#include <mutex>

#include "server/base/crypto.h"

namespace tesela::tracing {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kHeaderBytes = 55;
constexpr std::size_t kDigits = 16;
constexpr double kTraces = 18446744073709551616.0;  // 2^64

struct Waiting {
  std::mutex mutex;  // guards all below
  Taken taken;
  steady_clock::time_point second{};
  std::array<std::size_t, 2> in_second{};  // of steps inside, and of calls
};

Waiting& waiting() {
  static Waiting all;
  return all;
}

bool is_collected(std::uint64_t trace_low) {
  return trace_low < detail::collected_below.load(std::memory_order_relaxed);
}

// SplitMix64: nobody has to be kept from guessing it.
std::uint64_t draw() {
  thread_local std::uint64_t state = base::random_number();
  std::uint64_t z = state += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

std::uint64_t digits(std::string_view text) {
  std::uint64_t number = 0;
  text = text.substr(0, kDigits);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return error == std::errc{} && end == text.data() + text.size() ? number : 0;
}

}  // namespace

std::string to_text(const Context& context) {
  return fmt::format("00-{:016x}{:016x}-{:016x}-01", context.trace_high, context.trace_low,
                     context.span);
}

Context sent_along(std::string_view header) {
  // A later version may say more behind these fields.
  if (!is_on() || header.size() < kHeaderBytes || header[2] != '-' || header[35] != '-') return {};
  return {.trace_high = digits(header.substr(3)),
          .trace_low = digits(header.substr(3 + kDigits)),
          .span = digits(header.substr(36))};
}

void turn_on(double share) {
  const double below = share * kTraces;
  detail::collected_below = below >= kTraces ? UINT64_MAX : static_cast<std::uint64_t>(below);
}

Context begin(const Context& parent) {
  if (!is_on() || (parent && !is_collected(parent.trace_low))) return {};
  if (parent) return {parent.trace_high, parent.trace_low, draw()};
  const std::uint64_t trace_low = draw();
  if (!is_collected(trace_low)) return {};
  const std::uint64_t trace_high = draw();
  return {trace_high, trace_low, draw()};
}

void end(Span span) {
  if (!span.context) return;
  Waiting& all = waiting();
  const std::lock_guard lock(all.mutex);
  if (span.end - all.second >= std::chrono::seconds{1}) {
    all.second = span.end;
    all.in_second = {};
  }
  std::size_t& in_second = all.in_second[span.is_call ? 1 : 0];
  if (all.taken.spans.size() >= kSpansWaitingMax || in_second >= kSpansPerSecondMax) {
    ++all.taken.left_out;
    return;
  }
  ++in_second;
  all.taken.spans.push_back(std::move(span));
}

Taken take() {
  Waiting& all = waiting();
  const std::lock_guard lock(all.mutex);
  return std::exchange(all.taken, {});
}

}  // namespace tesela::tracing
