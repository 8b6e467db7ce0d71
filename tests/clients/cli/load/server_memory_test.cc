#include "clients/cli/load/server_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <vector>

namespace tesela::cli {
namespace {

using boost::asio::ip::tcp;

TEST(ServerMemory, TheListenerOfAPortIsFoundAndNobodyWhenItIsClosed) {
  boost::asio::io_context io;
  tcp::acceptor acceptor(io, {boost::asio::ip::address_v4::loopback(), 0});
  const std::uint16_t port = acceptor.local_endpoint().port();
  EXPECT_EQ(find_listener(port), ::getpid());
  acceptor.close();
  EXPECT_EQ(find_listener(port), std::nullopt);
}

TEST(ServerMemory, MemoryThatIsTouchedShows) {
  constexpr std::size_t kBytes = std::size_t{64} << 20U;
  const auto before = resident_bytes(::getpid());
  const std::vector<char> memory(kBytes, 'x');
  const auto after = resident_bytes(::getpid());
  ASSERT_TRUE(before && after);
  EXPECT_GE(*after, *before + kBytes / 2);
}

TEST(ServerMemory, AProcessThatDoesNotExistHasNone) {
  EXPECT_EQ(resident_bytes(-1), std::nullopt);
}

}  // namespace
}  // namespace tesela::cli
