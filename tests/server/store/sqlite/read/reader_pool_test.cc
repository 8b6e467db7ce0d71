// What strangers list does not hold up what tables need to be loaded.
#include <gtest/gtest.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <cstddef>
#include <exception>
#include <future>
#include <latch>
#include <optional>
#include <thread>
#include <utility>

#include "server/base/limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

namespace execution = boost::asio::execution;
using namespace std::chrono_literals;

constexpr TableId kReadTable{7};

/// Where a caller goes on that holds the reader which has its answer, until `release`.
class HoldingExecutor {
 public:
  struct Hold {
    boost::asio::io_context io;
    std::thread::id owner{std::this_thread::get_id()};
    std::latch held{static_cast<std::ptrdiff_t>(limits::kStoreListReaders)};
    std::latch release{1};
  };

  explicit HoldingExecutor(Hold& hold) : hold_(&hold) {}

  template <class Task>
  void execute(Task&& task) const {
    if (std::this_thread::get_id() != hold_->owner) {
      hold_->held.count_down();
      hold_->release.wait();
    }
    boost::asio::post(hold_->io, std::forward<Task>(task));
  }

  boost::asio::execution_context& query(execution::context_t /*asked*/) const noexcept {
    return hold_->io;
  }
  static constexpr execution::blocking_t query(execution::blocking_t /*asked*/) noexcept {
    return execution::blocking.never;
  }
  friend bool operator==(const HoldingExecutor&, const HoldingExecutor&) noexcept = default;

 private:
  Hold* hold_;
};

TEST(ReaderPools, TablesAreReadWhileListsHoldTheReadersOfLists) {
  HoldingExecutor::Hold hold;
  const auto work = boost::asio::make_work_guard(hold.io);
  const ScratchFolder folder;
  const auto store = open_sqlite(folder.path());
  Caller caller{*store, *store};
  ASSERT_TRUE(caller.sign_in(kOwner, "Ana"));
  ASSERT_TRUE(caller.open_table(kReadTable));
  std::size_t listed = 0;
  const auto list = [&] {
    boost::asio::co_spawn(boost::asio::any_io_executor(HoldingExecutor{hold}),
                          store->tables({}, std::nullopt, 10),
                          [&](const std::exception_ptr&, const auto& page) {
                            if (page) listed += page->size();
                          });
  };
  for (std::size_t i = 0; i < limits::kStoreListReaders; ++i) list();
  hold.io.poll();  // the calls are with the readers
  hold.held.wait();

  auto read = std::async(std::launch::async, [&] {
    return caller.read(kReadTable).has_value() && caller.look_at(kReadTable).has_value();
  });
  EXPECT_EQ(read.wait_for(30s), std::future_status::ready);
  EXPECT_EQ(listed, 0U);
  hold.release.count_down();
  EXPECT_TRUE(read.get());
  while (listed < limits::kStoreListReaders && hold.io.run_one_for(30s) > 0) {
  }
  EXPECT_EQ(listed, limits::kStoreListReaders);
}

}  // namespace
}  // namespace tesela::store
