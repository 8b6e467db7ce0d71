#include "server/rpc/await_callback.h"

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <utility>

namespace tesela::rpc {
namespace {

namespace asio = boost::asio;

// The coroutine that waits, and what keeps its context running meanwhile.
struct Waiting {
  asio::any_completion_handler<void()> resume;
  asio::executor_work_guard<asio::any_io_executor> work;
  asio::cancellation_slot slot;
};

}  // namespace

asio::awaitable<void> await_callback(std::function<void(std::function<void()> done)> begin,
                                     std::function<void()> cancel) {
  auto initiate = [&begin, &cancel](auto handler) {
    const asio::any_io_executor executor = asio::get_associated_executor(handler);
    const auto slot = asio::get_associated_cancellation_slot(handler);
    auto waiting = std::make_shared<Waiting>(
        Waiting{std::move(handler), asio::make_work_guard(executor), slot});
    if (slot.is_connected()) {
      waiting->slot.assign([&cancel](asio::cancellation_type) { cancel(); });
    }
    begin([waiting, executor] {
      asio::post(executor, [waiting] {
        waiting->slot.clear();
        waiting->work.reset();
        std::move(waiting->resume)();
      });
    });
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(initiate,
                                                                       asio::use_awaitable);
}

}  // namespace tesela::rpc
