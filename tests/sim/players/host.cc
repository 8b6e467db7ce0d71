#include "tests/sim/players/host.h"

#include <utility>

#include "tesela/admin/v1/admin.pb.h"
#include "tesela/game/v1/azul.pb.h"
#include "tests/sim/truth.h"

namespace tesela::sim {
namespace {

using cli::Task;
using std::chrono::milliseconds;

constexpr milliseconds kPauseMin{300};
constexpr std::uint64_t kPauseMore = 900;  // ms
constexpr std::uint32_t kSeats = 4;

std::uint64_t draw(std::uint64_t bound) {
  return Kernel::active()->draw(bound);
}

template <class Request>
Request about(const std::string& table) {
  Request request;
  request.set_table_id(table);
  return request;
}

}  // namespace

Host::Host(cli::Executor executor, cli::ServerAddress server, std::string name,
           const std::string& admin_token)
    : Person(executor, std::move(server), std::move(name)),
      own_(server_, "tesela.lobby.v1"),
      of_guest_(server_, "tesela.lobby.v1"),
      operators_(server_, "tesela.admin.v1") {
  operators_.authorise(admin_token);
}

template <class Response, class Request>
Task<bool> Host::ask(cli::ConnectClient& client, const char* method, const Request& request) {
  const auto answer = co_await client.ask<Response>(method, request.SerializeAsString());
  if (!answer) trouble_ = std::string(method) + ": " + answer.error().message;
  if (answer || !passes(answer.error().code)) ++done_;
  co_return answer.has_value();
}

template <class Response, class Request>
Task<bool> Host::until_done(cli::ConnectClient& client, const char* method,
                            const Request& request) {
  while (!stops_) {
    const std::uint64_t before = done_;
    const bool done = co_await ask<Response>(client, method, request);
    if (done || done_ > before) co_return done;
    co_await pause(kPauseMin);
  }
  co_return false;
}

/// With a guest of its own, who does not sit there yet.
Task<bool> Host::make_table() {
  lobby::v1::SignInRequest guest;
  guest.set_display_name(name_ + "." + std::to_string(++tables_));
  const auto signed_in = co_await of_guest_.ask<lobby::v1::SignInResponse>(
      "LobbyService/SignIn", guest.SerializeAsString());
  if (!signed_in) co_return false;
  guest_id_ = signed_in->player_id();
  guest_token_ = signed_in->token();
  of_guest_.authorise(guest_token_);
  lobby::v1::CreateTableRequest request;
  request.set_game("azul");
  game::v1::AzulConfig config;
  config.set_players(kSeats);
  request.mutable_config()->PackFrom(config);
  request.set_contribute_later(draw(2) == 0);
  request.mutable_options()->set_invite_only(draw(2) == 0);
  request.mutable_options()->set_spectators_off(draw(4) == 0);
  if (draw(4) == 0) request.mutable_options()->set_bots_after_ms(5000);
  if (draw(4) == 0) request.mutable_options()->mutable_clock()->set_move_ms(7'200'000);
  const auto table = co_await lobby_.create_table(request);
  if (!table) co_return false;
  table_ = table->table_id();
  invite_ = table->invite();
  ++done_;
  co_return true;
}

Task<void> Host::seat() {
  const auto seat = static_cast<std::uint32_t>(draw(kSeats));
  switch (draw(6)) {
    case 0: {
      auto request = about<lobby::v1::AddBotRequest>(table_);
      request.mutable_bot()->set_strategy("random");
      request.mutable_bot()->set_seat(seat);
      co_await ask<lobby::v1::AddBotResponse>(own_, "LobbyService/AddBot", request);
      break;
    }
    case 1: {
      auto request = about<lobby::v1::FreeSeatRequest>(table_);
      request.set_seat(1 + seat % (kSeats - 1));
      co_await ask<lobby::v1::FreeSeatResponse>(own_, "LobbyService/FreeSeat", request);
      break;
    }
    case 2: {
      auto request = about<lobby::v1::RemovePlayerRequest>(table_);
      request.set_player_id(guest_id_);
      co_await ask<lobby::v1::RemovePlayerResponse>(own_, "LobbyService/RemovePlayer", request);
      break;
    }
    case 3: {
      SeatedPlayer visitor(executor_, server_, table_, guest_token_, guest_id_, {});
      co_await visitor.visit(/*knows=*/false, {}, milliseconds{700});
      break;
    }
    default: {
      auto request = about<lobby::v1::JoinTableRequest>(table_);
      request.set_invite(invite_);
      request.set_contribution("dice of a guest");
      co_await ask<lobby::v1::JoinTableResponse>(of_guest_, "LobbyService/JoinTable", request);
    }
  }
}

Task<void> Host::look() {
  const std::vector<std::string> tables = Truth::get().in_play();
  switch (draw(5)) {
    case 0:
      co_await ask<lobby::v1::GetTableResponse>(own_, "LobbyService/GetTable",
                                                about<lobby::v1::GetTableRequest>(table_));
      break;
    case 1: {
      lobby::v1::ListTablesRequest request;
      request.mutable_filter()->set_state(static_cast<lobby::v1::TableState>(draw(5)));
      request.mutable_filter()->set_player_id(draw(2) == 0 ? player_id_ : "");
      co_await ask<lobby::v1::ListTablesResponse>(own_, "LobbyService/ListTables", request);
      break;
    }
    case 2: {
      const std::string table = tables.empty() ? table_ : tables[draw(tables.size())];
      co_await ask<admin::v1::InspectTableResponse>(operators_, "AdminService/InspectTable",
                                                    about<admin::v1::InspectTableRequest>(table));
      break;
    }
    case 3: {
      admin::v1::InspectPlayerRequest request;
      request.set_player_id(guest_id_);
      co_await ask<admin::v1::InspectPlayerResponse>(operators_, "AdminService/InspectPlayer",
                                                     request);
      break;
    }
    default:
      co_await ask<admin::v1::ListNodesResponse>(operators_, "AdminService/ListNodes",
                                                 admin::v1::ListNodesRequest{});
  }
}

Task<void> Host::end() {
  if (draw(3) == 0) {
    const auto request = about<lobby::v1::StartTableRequest>(table_);
    co_await ask<lobby::v1::StartTableResponse>(own_, "LobbyService/StartTable", request);
    SeatedPlayer player(executor_, server_, table_, token_, name_ + "@" + table_, {});
    co_await player.visit(/*knows=*/false, {}, milliseconds{3000});
  }
  if (draw(3) == 0) {
    admin::v1::ErasePlayerRequest request;
    request.set_player_id(guest_id_);
    const bool erased = co_await until_done<admin::v1::ErasePlayerResponse>(
        operators_, "AdminService/ErasePlayer", request);
    if (erased) Truth::get().erased.insert(guest_id_);
  }
  if (draw(3) == 0) {  // the last one who leaves closes it
    auto request = about<lobby::v1::FreeSeatRequest>(table_);
    request.set_seat(0);
    co_await ask<lobby::v1::FreeSeatResponse>(own_, "LobbyService/FreeSeat", request);
  }
  auto request = about<admin::v1::CloseTableRequest>(table_);
  request.set_reason("The host has gone.");
  const bool closed = co_await until_done<admin::v1::CloseTableResponse>(
      operators_, "AdminService/CloseTable", request);
  if (closed) Truth::get().of(table_).closed = true;
}

Task<void> Host::play() {
  const bool signed_in = co_await sign_in();
  own_.authorise(token_);
  while (signed_in && !stops_) {
    const bool made = co_await make_table();
    for (std::uint64_t left = 4 + draw(8); made && left > 0 && !stops_; --left) {
      co_await pause(kPauseMin + milliseconds{draw(kPauseMore)});
      if (draw(3) == 0) {
        co_await look();
      } else {
        co_await seat();
      }
    }
    if (made) co_await end();
    co_await pause(kPauseMin);
  }
  ended_ = true;
}

}  // namespace tesela::sim
