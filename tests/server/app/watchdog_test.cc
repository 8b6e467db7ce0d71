// The watchdog's word to the service manager, which is a socket here.
#include "server/app/watchdog.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <latch>
#include <string>

#include "server/base/io_pool.h"

namespace tesela {
namespace {

constexpr int kPatientSeconds = 30;

class WatchdogTest : public testing::Test {
 protected:
  WatchdogTest() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(static_cast<char*>(address.sun_path), sizeof(address.sun_path) - 1);
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    setenv("NOTIFY_SOCKET", path_.c_str(), 1);
    setenv("WATCHDOG_USEC", "40000", 1);
  }
  ~WatchdogTest() override {
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) unsetenv(name);
    close(socket_);
    std::filesystem::remove(path_);
  }

  /// The next word; empty when none comes within the time.
  std::string hear(int seconds, int milliseconds = 0) {
    const timeval time{.tv_sec = seconds, .tv_usec = milliseconds * 1000};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time));
    std::array<char, 64> word{};
    const auto size = recv(socket_, word.data(), word.size(), 0);
    return size > 0 ? std::string(word.data(), static_cast<std::size_t>(size)) : std::string();
  }

  const std::string path_ =
      (std::filesystem::temp_directory_path() / ("tesela-watchdog-" + std::to_string(getpid())))
          .string();
  const int socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  base::IoPool front_{1};
  base::IoPool io_{3};
};

TEST_F(WatchdogTest, NothingIsToldWhileOneLoopStandsStill) {
  io_.run();
  front_.run();
  start_watchdog({&io_, &front_});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(hear(kPatientSeconds), "WATCHDOG=1");
  std::latch stands{1};
  std::latch goes_on{1};
  io_.at(1).hand_over([&] {
    stands.count_down();
    goes_on.wait();
  });
  stands.wait();
  // At most the round that had passed it.
  hear(0, 500);
  EXPECT_EQ(hear(0, 500), "");
  goes_on.count_down();
  EXPECT_EQ(hear(kPatientSeconds), "WATCHDOG=1");
}

TEST_F(WatchdogTest, VariablesOfAnotherProcessAreNotMeant) {
  setenv("WATCHDOG_PID", "1", 1);
  io_.run();
  front_.run();
  start_watchdog({&io_, &front_});
  EXPECT_EQ(hear(0, 200), "");
}

}  // namespace
}  // namespace tesela
