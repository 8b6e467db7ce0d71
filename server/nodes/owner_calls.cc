#include "server/nodes/owner_calls.h"

#include <algorithm>
#include <array>
#include <utility>

#include "server/nodes/node_methods.h"

namespace tesela::nodes {
namespace {

using boost::asio::awaitable;

constexpr std::array<std::string_view, 11> kOfOwner{
    "/tesela.lobby.v1.LobbyService/JoinTable",     "/tesela.lobby.v1.LobbyService/Contribute",
    "/tesela.lobby.v1.LobbyService/AddBot",        "/tesela.lobby.v1.LobbyService/StartTable",
    "/tesela.lobby.v1.LobbyService/FreeSeat",      "/tesela.lobby.v1.LobbyService/RemovePlayer",
    "/tesela.lobby.v1.LobbyService/RematchTable",  "/tesela.admin.v1.AdminService/InspectTable",
    "/tesela.admin.v1.AdminService/CloseTable",    "/tesela.account.v1.ConductService/ReportPlayer",
    "/tesela.admin.v1.ModerationService/VoidGame",
};

}  // namespace

std::vector<rpc::Method> methods_of_owner(std::vector<rpc::Method> methods) {
  std::erase_if(methods, [](const rpc::Method& method) {
    return std::ranges::find(kOfOwner, method.path) == kOfOwner.end();
  });
  return methods;
}

OwnerCalls::OwnerCalls(Parts parts)
    : here_(std::move(parts.here)),
      relays_(parts.relays),
      calls_({parts.methods}, parts.admission, parts.metrics) {
  add_routes(gateway_, router_, parts.methods);
}

awaitable<bool> OwnerCalls::owns(TableId table) {
  // It may be over for long: the table may have another owner by then.
  if (!relays_.lease_runs()) co_return false;
  if (!here_.loop_of) co_return co_await relays_.is_ours(table);
  auto looked = owns_here(table);
  co_return co_await here_.loop_of(table).call(std::move(looked));
}

/// On the table's loop.
awaitable<bool> OwnerCalls::owns_here(TableId table) {
  if (here_.left) co_await here_.left(table);
  if (here_.is_live(table)) co_return true;
  co_return co_await relays_.is_ours(table);
}

}  // namespace tesela::nodes
