#include "tests/server/lobby/lobby_fixture.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>

#include "server/codec/id_text.h"
#include "server/ops/random.h"

namespace tesela::lobby {
namespace {

std::filesystem::path fresh_folder() {
  const auto folder = std::filesystem::path{testing::TempDir()} /
                      ("tesela_lobby_" + codec::to_text(ops::random_table_id()));
  std::filesystem::create_directories(folder);
  return folder;
}

}  // namespace

LobbyFixture::LobbyFixture()
    : data_(fresh_folder()), store_(*store::SqliteStore::open({.folder = data_})) {
  io_.run();
}

LobbyFixture::~LobbyFixture() {
  service_.drain();
  directory_.drain();
  boost::asio::co_spawn(io_.any(), directory_.close_all(), boost::asio::use_future).get();
  grpc_.stop(std::chrono::milliseconds{0});
  store_->close();
  io_.stop();
  io_.join();
  store_.reset();
  std::filesystem::remove_all(data_);
}

v1::SignInResponse LobbyFixture::sign_in(const std::string& name) {
  grpc::ClientContext context;
  v1::SignInRequest request;
  request.set_display_name(name);
  v1::SignInResponse response;
  const grpc::Status status = stub_->SignIn(&context, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response;
}

grpc::Status LobbyFixture::create(const std::string& token, const v1::CreateTableRequest& request,
                                  v1::CreateTableResponse& response) {
  grpc::ClientContext context;
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
  return stub_->CreateTable(&context, request, &response);
}

v1::Table LobbyFixture::create(const std::string& token) {
  v1::CreateTableRequest request;
  request.set_game("2048");
  v1::CreateTableResponse response;
  const grpc::Status status = create(token, request, response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.table();
}

}  // namespace tesela::lobby
