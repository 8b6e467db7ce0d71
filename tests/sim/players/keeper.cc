#include "tests/sim/players/keeper.h"

#include <optional>
#include <utility>

#include "tesela/account/v1/account.pb.h"
#include "tesela/account/v1/friends.pb.h"
#include "tesela/admin/v1/admin.pb.h"
#include "tesela/game/v1/azul.pb.h"
#include "tests/sim/truth.h"

namespace tesela::sim {
namespace {

using cli::Task;
using std::chrono::milliseconds;

constexpr milliseconds kRetry{300};
constexpr milliseconds kPauseMin{4000};
constexpr std::uint64_t kPauseMore = 8000;  // ms
/// Longer than a call whose answer was lost may be on its way: a later code is the valid one.
constexpr milliseconds kCallLasts{15'000};
/// A second, and what a slow line to the database adds.
constexpr milliseconds kRefusedWithin{5000};

std::uint64_t draw(std::uint64_t bound) {
  return Kernel::active()->draw(bound);
}

}  // namespace

Keeper::Keeper(cli::Executor executor, cli::ServerAddress server, std::string name,
               const std::string& admin_token)
    : Person(executor, std::move(server), std::move(name)),
      own_(server_, "tesela.account.v1"),
      operators_(server_, "tesela.admin.v1") {
  operators_.authorise(admin_token);
}

milliseconds Keeper::thinks() const {
  return 2 * kCallLasts + kPauseMin + milliseconds{kPauseMore};
}

template <class Response, class Request>
Task<std::optional<Response>> Keeper::get(cli::ConnectClient& client, const char* method,
                                          const Request& request, milliseconds rest) {
  while (!stops_) {
    auto answer = co_await client.ask<Response>(method, request.SerializeAsString());
    if (answer) ++done_;
    if (answer) co_return *std::move(answer);
    trouble_ = std::string(method) + ": " + answer.error().message;
    if (!passes(answer.error().code)) co_return std::nullopt;
    co_await pause(kRetry + rest);
  }
  co_return std::nullopt;
}

template <class Response, class Request>
Task<std::optional<Response>> Keeper::need(cli::ConnectClient& client, const char* method,
                                           const Request& request, milliseconds rest) {
  auto answer = co_await get<Response>(client, method, request, rest);
  if (!answer && !stops_) violated("account", name_ + " is refused: " + trouble_);
  co_return answer;
}

Task<void> Keeper::expect_refused(std::string token, const std::string& why) {
  cli::ConnectClient older(server_, "tesela.account.v1");
  older.authorise(std::move(token));
  // A server that was cut off from the database learns of the end only after it is back.
  for (int again = 0; again < 2; ++again) {
    co_await pause(kRefusedWithin);
    const auto account = co_await get<account::v1::GetAccountResponse>(
        older, "AccountService/GetAccount", account::v1::GetAccountRequest{});
    if (!account) co_return;
  }
  violated("revoked", name_ + ": a session lives on that has ended by " + why);
}

/// By a code that is new: the account is the same.
Task<void> Keeper::sign_in_elsewhere() {
  const auto made = co_await need<account::v1::MakeRecoveryCodeResponse>(
      own_, "AccountService/MakeRecoveryCode", account::v1::MakeRecoveryCodeRequest{}, kCallLasts);
  if (!made) co_return;
  account::v1::SignInWithCodeRequest request;
  request.set_code(made->code());
  cli::ConnectClient elsewhere(server_, "tesela.account.v1");
  const auto in = co_await need<account::v1::SignInWithCodeResponse>(
      elsewhere, "AccountService/SignInWithCode", request);
  if (!in) co_return;
  if (in->signed_in().player_id() != player_id_) {
    violated("account", name_ + " has signed in as " + in->signed_in().player_id());
  }
  std::string older = std::exchange(token_, in->signed_in().token());
  own_.authorise(token_);
  lobby_.authorise(token_);
  co_await end_other_sessions(std::move(older));
}

Task<void> Keeper::end_other_sessions(std::string older) {
  account::v1::EndSessionRequest others;
  others.set_all_others(true);
  const auto ended =
      co_await need<account::v1::EndSessionResponse>(own_, "AccountService/EndSession", others);
  if (!ended) co_return;
  const auto account = co_await need<account::v1::GetAccountResponse>(
      own_, "AccountService/GetAccount", account::v1::GetAccountRequest{});
  if (account && account->sessions_size() != 1) {
    violated("revoked", name_ + " has " + std::to_string(account->sessions_size()) + " sessions");
  }
  co_await expect_refused(std::move(older), "another one");
}

/// With a table in play, whose seat is the account's then.
Task<void> Keeper::take_in_guest() {
  cli::LobbyClient guest(server_);
  const auto in = co_await guest.sign_in(name_ + "." + std::to_string(++guests_));
  if (!in) co_return;
  guest.authorise(in->token());
  lobby::v1::CreateTableRequest game;
  game.set_game("2048");
  const auto table = co_await guest.create_table(game);
  if (!table) co_return;
  account::v1::MergeGuestRequest request;
  request.set_guest_token(in->token());
  Truth::get().merged[in->player_id()] = player_id_;
  const auto merged =
      co_await need<account::v1::MergeGuestResponse>(own_, "AccountService/MergeGuest", request);
  if (!merged) co_return;
  co_await expect_refused(in->token(), "a merge");
  while (!stops_) {
    const auto now = co_await lobby_.get_table(table->table_id());
    if (now && now->seats(0).player_id() != player_id_) {
      violated("account", name_ + " does not have the guest's seat at " + table->table_id());
    }
    if (now || !passes(now.error().code)) break;
    co_await pause(kRetry);
  }
  co_await close(table->table_id());
}

/// By two guests, who have a link. One of them gets the game, whoever asks.
Task<void> Keeper::be_challenged() {
  account::v1::ChallengeRequest request;
  request.set_game("azul");
  request.mutable_options()->mutable_clock()->set_move_ms(7'200'000);
  const auto made =
      co_await get<account::v1::ChallengeResponse>(own_, "FriendService/Challenge", request);
  if (!made) co_return;
  account::v1::AcceptChallengeRequest accept;
  accept.set_challenge_id(made->challenge().challenge_id());
  std::string table;
  for (int who = 0; who < 2; ++who) {
    cli::LobbyClient guest(server_);
    const auto in = co_await guest.sign_in(name_ + "." + std::to_string(++guests_));
    if (!in) continue;
    cli::ConnectClient friends(server_, "tesela.account.v1");
    friends.authorise(in->token());
    for (int again = 0; again < 2; ++again) {
      const auto seated = co_await get<account::v1::AcceptChallengeResponse>(
          friends, "FriendService/AcceptChallenge", accept);
      if (!seated) continue;
      if (!table.empty() && table != seated->table().table_id()) {
        violated("twice", name_ + ": a challenge has the tables " + table + " and " +
                              seated->table().table_id());
      }
      table = seated->table().table_id();
    }
  }
  if (!table.empty()) co_await close(table);
}

Task<void> Keeper::close(const std::string& table) {
  admin::v1::CloseTableRequest request;
  request.set_table_id(table);
  request.set_reason("The keeper has gone.");
  const auto closed =
      co_await get<admin::v1::CloseTableResponse>(operators_, "AdminService/CloseTable", request);
  if (closed) Truth::get().of(table).closed = true;
}

Task<void> Keeper::play() {
  const bool signed_in = co_await sign_in();
  own_.authorise(token_);
  // A code is hashed for long on a real processor: seldom, but first, for it keeps the account.
  for (bool kept = false; signed_in && !stops_; kept = true) {
    if (!kept || draw(5) == 0) co_await sign_in_elsewhere();
    if (draw(2) == 0) co_await take_in_guest();
    if (draw(2) == 0) co_await be_challenged();
    co_await pause(kPauseMin + milliseconds{draw(kPauseMore)});
  }
  ended_ = true;
}

}  // namespace tesela::sim
