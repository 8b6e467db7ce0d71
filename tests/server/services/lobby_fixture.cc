#include "tests/server/services/lobby_fixture.h"

#include <grpcpp/create_channel_posix.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <thread>

#include "server/base/crypto.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"
#include "tesela/game/v1/azul.pb.h"
#include "tesela/game/v1/g2048.pb.h"

namespace tesela::services {
namespace {

std::filesystem::path fresh_folder() {
  const auto folder = std::filesystem::path{testing::TempDir()} /
                      ("tesela_lobby_" + base::to_text(base::random_id<TableId>()));
  std::filesystem::create_directories(folder);
  return folder;
}

}  // namespace

LobbyFixture::LobbyFixture(std::chrono::milliseconds table_idle)
    : data_(fresh_folder()),
      table_idle_(table_idle),
      backend_(*store::open_backend({.folder = data_, .on_life_state = [this](auto, auto) {
                                       if (auto* live = live_.load()) live->thaw();
                                     }})) {
  live_ = &directory_;  // after a pause of the machine its tables go on
  directory_.thaw();
  io_.run();
  auto accounts =
      boost::asio::co_spawn(io_.any(), bots::add_bot_accounts(*store_), boost::asio::use_future);
  EXPECT_TRUE(accounts.get());
}

LobbyFixture::~LobbyFixture() {
  service_.drain();
  history_.drain();
  bot_service_.drain();
  boost::asio::co_spawn(io_.any(), matcher_.stop(), boost::asio::use_future).get();
  directory_.drain();
  boost::asio::co_spawn(io_.any(), directory_.close_all(), boost::asio::use_future).get();
  grpc_.stop(std::chrono::milliseconds{0});
  backend_->close();
  io_.stop();
  io_.join();
  backend_.reset();
  std::filesystem::remove_all(data_);
}

std::shared_ptr<grpc::Channel> LobbyFixture::connect(const std::string& from) {
  std::array<int, 2> pair{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()), 0);
  if (!from.empty()) admission_.introduce(pair[0], boost::asio::ip::make_address(from));
  EXPECT_TRUE(grpc_.adopt(base::Descriptor{pair[0]}));
  return grpc::CreateInsecureChannelFromFd("tesela", pair[1]);
}

lobby::v1::SignInResponse LobbyFixture::sign_in(const std::string& name) {
  grpc::ClientContext context;
  lobby::v1::SignInRequest request;
  request.set_display_name(name);
  lobby::v1::SignInResponse response;
  const grpc::Status status = stub_->SignIn(&context, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response;
}

grpc::Status LobbyFixture::create(const std::string& token,
                                  const lobby::v1::CreateTableRequest& request,
                                  lobby::v1::CreateTableResponse& response) {
  grpc::ClientContext context;
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
  return stub_->CreateTable(&context, request, &response);
}

lobby::v1::CreateTableRequest LobbyFixture::azul_of(std::uint32_t players) {
  lobby::v1::CreateTableRequest request;
  request.set_game("azul");
  game::v1::AzulConfig config;
  config.set_players(players);
  request.mutable_config()->PackFrom(config);
  request.mutable_options()->set_bot_pace_ms(60'000);
  return request;
}

lobby::v1::Table LobbyFixture::create(const std::string& token) {
  lobby::v1::CreateTableRequest request;
  request.set_game("2048");
  lobby::v1::CreateTableResponse response;
  const grpc::Status status = create(token, request, response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.table();
}

lobby::v1::Table LobbyFixture::over_at_once() {
  lobby::v1::CreateTableRequest request;
  request.set_game("2048");
  game::v1::Game2048Config config;
  config.set_start_value(4);
  config.set_objective(4);
  config.set_stop_at_objective(true);
  request.mutable_config()->PackFrom(config);
  lobby::v1::CreateTableResponse response;
  EXPECT_TRUE(create(sign_in().token(), request, response).ok());
  return response.table();
}

lobby::v1::Table LobbyFixture::look_at(const std::string& table_id, const std::string& token) {
  lobby::v1::GetTableRequest request;
  request.set_table_id(table_id);
  lobby::v1::GetTableResponse response;
  EXPECT_TRUE(call(&lobby::v1::LobbyService::Stub::GetTable, token, request, response).ok());
  return response.table();
}

lobby::v1::Table LobbyFixture::wait_for(const std::string& table_id, lobby::v1::TableState state) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes{1};
  lobby::v1::Table table = look_at(table_id);
  while (table.state() != state && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
    table = look_at(table_id);
  }
  EXPECT_EQ(table.state(), state);
  return table;
}

}  // namespace tesela::services
