#include "server/app/drain.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "server/base/ownership_limits.h"
#include "server/directory/hand_over.h"

namespace tesela {

namespace asio = boost::asio;
using asio::awaitable;

void Drain::begin() {
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

/// Remote bots last, because they play until their tables close.
std::array<Drain::Step, 8> Drain::steps() {
  return {{{"searches", parts_.matcher.stop()},
           {"packing of logs", parts_.archiver.stop()},
           {"search for abandoned tables", parts_.sweeper.stop()},
           {"search for data to delete", parts_.retention.stop()},
           {"hand-over of tables", hand_over(), true},
           {"tables", parts_.directory.close_all()},
           {"search for erased players", parts_.erasures.stop()},
           {"bots from outside", dismiss_bots()}}};
}

awaitable<void> Drain::run() {
  begin();
  auto all = steps();
  for (Step& step : all) co_await std::move(step.work);
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
