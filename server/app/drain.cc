#include "server/app/drain.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <ranges>

#include "server/base/ownership_limits.h"
#include "server/directory/hand_over.h"

namespace tesela {

namespace asio = boost::asio;
using asio::awaitable;

void Drain::begin() {
  const std::scoped_lock lock(mutex_);
  stops_ = true;
  take_nothing();
}

void Drain::take_nothing() {
  parts_.health.drain();
  parts_.grpc.drain();
  parts_.directory.stop_resuming();
  // Where other servers go on, a proxy sends calls here until it has noticed.
  if (!parts_.hands_over) take_nothing_new();
}

void Drain::take_nothing_new() {
  parts_.directory.drain();
  parts_.lobby.drain();
  parts_.history.drain();
}

/// Remote bots end last, because they play until their tables close.
std::vector<RunningPart> Drain::parts() {
  std::vector<RunningPart> parts{
      {.what = "bots from outside", .stop = [this] { return dismiss_bots(); }},
      part_of(parts_.revocations),
      {.what = "tables", .stop = [this] { return parts_.directory.close_all(); }},
      {.what = "hand-over of tables",
       .stop = [this] { return hand_over(); },
       .time = RunningPart::Time::kLeavesSome}};
  for (base::Worker* worker : parts_.workers) parts.push_back(part_of(*worker));
  return parts;
}

/// Counted in `runs_` until its end, also by an exception.
struct Drain::Run {
  explicit Run(Drain& of) : drain(of) {}
  ~Run() {
    const std::scoped_lock lock(drain.mutex_);
    --drain.runs_;
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Drain& drain;
};

awaitable<void> Drain::run() {
  {
    const std::scoped_lock lock(mutex_);
    drained_ = true;
    ++runs_;
    take_nothing();
  }
  const Run counted(*this);
  co_await run_all();
}

awaitable<void> Drain::run_all() {
  if (parts_.hands_over) co_return co_await leave_tables();
  const auto all = parts();
  for (const RunningPart& part : all | std::views::reverse) co_await part.stop();
}

/// What ends with the process goes on: sessions that end elsewhere are refused here too.
awaitable<void> Drain::leave_tables() {
  for (base::Worker* worker : parts_.workers | std::views::reverse) co_await worker->stop();
  co_await hand_over();
  co_await dismiss_bots();
}

Expected<void> Drain::undo() {
  const std::scoped_lock lock(mutex_);
  if (stops_) return refuse(ErrorCode::kUnavailable, "The server is stopping.");
  if (!drained_) return {};
  if (!parts_.hands_over) {
    return refuse(ErrorCode::kPermissionDenied,
                  "Without a node port a drain ends what a start begins: restart the server.");
  }
  if (runs_ > 0) {
    return refuse(ErrorCode::kUnavailable,
                  "The server is still giving up its tables: try again in a moment.");
  }
  drained_ = false;
  noticed_ = false;
  parts_.directory.hand_over().undo();
  parts_.directory.undrain();
  parts_.bots.undrain();
  parts_.lobby.undrain();
  parts_.history.undrain();
  for (base::Worker* worker : parts_.workers) worker->start();
  parts_.grpc.undrain();
  parts_.health.undrain();
  return {};
}

awaitable<void> Drain::hand_over() {
  if (!parts_.hands_over) co_return;
  if (!noticed_.exchange(true)) {
    asio::steady_timer notice(co_await asio::this_coro::executor,
                              std::min(limits::kLeaveNoticeTime, parts_.notice_max));
    co_await notice.async_wait(asio::use_awaitable);
  }
  take_nothing_new();
  co_await parts_.directory.hand_over().all();
}

awaitable<void> Drain::dismiss_bots() {
  parts_.bots.drain();
  co_return;
}

}  // namespace tesela
