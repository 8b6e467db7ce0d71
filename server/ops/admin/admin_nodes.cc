#include "server/ops/admin/admin_nodes.h"

#include <spdlog/fmt/fmt.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <cstddef>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>

#include "server/base/loop.h"
#include "server/base/relay_limits.h"
#include "server/base/text_encoding.h"
#include "server/nodes/node_address.h"
#include "server/ops/admin/admin_proto.h"
#include "tesela/node/v1/node.pb.h"

namespace tesela::ops {
namespace {

namespace asio = boost::asio;
namespace pb = admin::v1;
using asio::awaitable;
using std::chrono::steady_clock;
using store::NodeRow;

constexpr const char* kNoAnswer = "It did not answer.";
/// Of a name in a sentence; no server's is longer.
constexpr std::size_t kNameShownMax = 100;
/// Servers in a sentence.
constexpr std::size_t kListedMax = 20;

/// Does all of it at the same time, on the executor of the caller. A work that throws has ended.
awaitable<void> do_all(std::vector<awaitable<void>> works) {
  const auto executor = co_await asio::this_coro::executor;
  const auto left = std::make_shared<std::size_t>(works.size());
  const auto done = std::make_shared<asio::steady_timer>(executor, steady_clock::time_point::max());
  for (awaitable<void>& work : works) {
    asio::co_spawn(executor, std::move(work), [left, done](const std::exception_ptr& /*thrown*/) {
      if (--*left == 0) done->cancel();
    });
  }
  while (*left > 0) co_await done->async_wait(base::use_tuple);
}

/// "HOST:PORT".
std::string_view place_of(const NodeRow& row) {
  constexpr std::string_view kScheme = "node://";
  std::string_view place = row.address;
  if (place.starts_with(kScheme)) place.remove_prefix(kScheme.size());
  return place;
}

bool is_named(const NodeRow& row, std::string_view name) {
  const auto life = base::parse_id<store::LifeId>(name);
  return name == row.address || name == place_of(row) || life == row.life;
}

bool is_on(const NodeRow& row, std::string_view host) {
  const std::string_view place = place_of(row);
  return host == place.substr(0, place.rfind(':'));
}

template <class Is>
std::vector<NodeRow> those(const std::vector<NodeRow>& rows, std::string_view name, Is is) {
  std::vector<NodeRow> found;
  for (const NodeRow& row : rows) {
    if (is(row, name)) found.push_back(row);
  }
  return found;
}

/// "a:7500 (0123456789abc), b:7500 (…)".
std::string list_of(const std::vector<NodeRow>& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size() && i < kListedMax; ++i) {
    const std::string_view place = place_of(rows[i]);
    const std::string life = base::to_text(rows[i].life);
    text += (i == 0 ? "" : ", ") + (place.empty() ? life : std::string(place) + " (" + life + ")");
  }
  if (rows.size() > kListedMax) text += fmt::format(" and {} more", rows.size() - kListedMax);
  return text.empty() ? "none" : text;
}

}  // namespace

awaitable<Expected<pb::ListNodesResponse>> AdminNodes::list() {
  auto rows = co_await parts_.nodes.nodes(limits::kNodesShownMax + 1);
  if (!rows) co_return std::unexpected(std::move(rows.error()));
  pb::ListNodesResponse response;
  if (rows->size() > limits::kNodesShownMax) {
    response.set_more(true);
    rows->resize(limits::kNodesShownMax);
  }
  std::vector<awaitable<void>> looks;
  for (const NodeRow& row : *rows) {
    pb::NodeReport& shown = *response.add_nodes();  // stays where it is
    *shown.mutable_node() = to_proto(row);
    shown.set_here(is_here(row));
    shown.set_status_missing(kNoAnswer);
    looks.push_back(add_status(row, shown));
  }
  co_await do_all(std::move(looks));
  co_return response;
}

awaitable<void> AdminNodes::add_status(NodeRow row, pb::NodeReport& shown) {
  auto status = co_await status_of(std::move(row));
  if (status) {
    shown.clear_status_missing();
    *shown.mutable_status() = std::move(*status);
  } else {
    shown.set_status_missing(std::move(status.error().message));
  }
}

Expected<void> AdminNodes::can_ask(const NodeRow& row) const {
  if (!row.alive) return refuse(ErrorCode::kUnavailable, "It is dead.");
  if (!nodes::parse_node_address(row.address)) {
    return refuse(ErrorCode::kUnavailable, "It has no node port, by which it could be asked.");
  }
  if (!parts_.ask) {
    return refuse(ErrorCode::kUnavailable,
                  "The server that answers has no node port, by which it could ask others.");
  }
  return {};
}

awaitable<Expected<pb::GetStatusResponse>> AdminNodes::status_of(NodeRow row) {
  if (is_here(row)) co_return co_await parts_.here.status();
  if (auto can = can_ask(row); !can) co_return std::unexpected(std::move(can.error()));
  const node::v1::GetNodeRequest request;
  const auto answer = co_await parts_.ask(row.address, "GetNode", request,
                                          steady_clock::now() + limits::kNodeAnswerTimeMax);
  if (!answer) co_return std::unexpected(answer.error());
  const auto& status = static_cast<const node::v1::GetNodeResponse&>(**answer);
  if (status.life() != row.life.value) {
    co_return refuse(ErrorCode::kUnavailable, "Another run of a server is at its address now.");
  }
  co_return to_status(status);
}

awaitable<Expected<NodeRow>> AdminNodes::find(std::string name) {
  const auto rows = co_await parts_.nodes.nodes(limits::kNodesShownMax);
  if (!rows) co_return std::unexpected(rows.error());
  Rows living;
  for (const NodeRow& row : *rows) {
    if (row.alive) living.push_back(row);
  }
  Rows meant = those(living, name, is_named);
  if (meant.empty()) meant = those(living, name, is_on);
  if (meant.size() == 1) co_return std::move(meant.front());
  const std::string shown = "\"" + std::string(base::cut_text(name, kNameShownMax)) + "\"";
  if (!meant.empty()) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     shown + " is more than one server: " + list_of(meant) +
                         "; name one by its address or its life.");
  }
  if (!those(*rows, name, is_named).empty()) {
    co_return refuse(ErrorCode::kUnavailable,
                     "The server " + shown + " is dead; there are: " + list_of(living) + ".");
  }
  co_return refuse(ErrorCode::kNotFound,
                   "There is no server " + shown + "; there are: " + list_of(living) + ".");
}

awaitable<Expected<pb::DrainResponse>> AdminNodes::drain(pb::DrainRequest request) {
  if (request.node().empty()) co_return co_await parts_.here.drain(request.exit());
  const auto row = co_await find(request.node());
  if (!row) co_return std::unexpected(row.error());
  if (is_here(*row)) co_return co_await parts_.here.drain(request.exit());
  // Whether it is still that run of it.
  const auto status = co_await status_of(*row);
  if (!status) co_return std::unexpected(status.error());
  node::v1::DrainRequest theirs;
  theirs.set_exit(request.exit());
  const auto answer = co_await parts_.ask(row->address, "Drain", theirs,
                                          steady_clock::now() + limits::kNodeDrainTimeMax);
  if (!answer) co_return std::unexpected(answer.error());
  const auto& drained = static_cast<const node::v1::DrainResponse&>(**answer);
  pb::DrainResponse response;
  response.set_tables(drained.tables());
  response.set_streams(drained.streams());
  co_return response;
}

awaitable<Expected<pb::UndrainResponse>> AdminNodes::undrain(std::string name) {
  if (!name.empty()) {
    const auto row = co_await find(std::move(name));
    if (!row) co_return std::unexpected(row.error());
    if (!is_here(*row)) co_return co_await undrain_there(*row);
  }
  const auto undone = parts_.here.undrain();
  if (!undone) co_return std::unexpected(undone.error());
  co_return pb::UndrainResponse{};
}

awaitable<Expected<pb::UndrainResponse>> AdminNodes::undrain_there(NodeRow row) {
  // Whether it is still that run of it.
  const auto status = co_await status_of(row);
  if (!status) co_return std::unexpected(status.error());
  const node::v1::UndrainRequest theirs;
  const auto answer = co_await parts_.ask(row.address, "Undrain", theirs,
                                          steady_clock::now() + limits::kNodeAnswerTimeMax);
  if (!answer) co_return std::unexpected(answer.error());
  co_return pb::UndrainResponse{};
}

awaitable<Expected<pb::SetLogLevelResponse>> AdminNodes::set_log_level(
    pb::SetLogLevelRequest request) {
  if (const auto level = from_proto(request.level()); !level) {
    co_return std::unexpected(level.error());
  }
  if (request.all() && !request.node().empty()) {
    co_return refuse(ErrorCode::kInvalidArgument, "Name one server, or all, not both.");
  }
  if (request.all()) co_return co_await set_all_levels(request.level());
  Expected<pb::LogLevel> previous = pb::LOG_LEVEL_UNSPECIFIED;
  if (request.node().empty()) {
    previous = parts_.here.set_log_level(request.level());
  } else {
    auto row = co_await find(request.node());
    if (!row) co_return std::unexpected(std::move(row.error()));
    previous = co_await set_level_of(std::move(*row), request.level());
  }
  if (!previous) co_return std::unexpected(std::move(previous.error()));
  pb::SetLogLevelResponse response;
  response.set_previous(*previous);
  co_return response;
}

awaitable<Expected<pb::LogLevel>> AdminNodes::set_level_of(NodeRow row, pb::LogLevel level) {
  if (is_here(row)) co_return parts_.here.set_log_level(level);
  const auto status = co_await status_of(row);
  if (!status) co_return std::unexpected(status.error());
  node::v1::SetLogLevelRequest request;
  request.set_level(level);
  const auto answer = co_await parts_.ask(row.address, "SetLogLevel", request,
                                          steady_clock::now() + limits::kNodeAnswerTimeMax);
  if (!answer) co_return std::unexpected(answer.error());
  co_return static_cast<const node::v1::SetLogLevelResponse&>(**answer).previous();
}

awaitable<Expected<pb::SetLogLevelResponse>> AdminNodes::set_all_levels(pb::LogLevel level) {
  const auto rows = co_await parts_.nodes.nodes(limits::kNodesShownMax);
  if (!rows) co_return std::unexpected(rows.error());
  pb::SetLogLevelResponse response;
  std::vector<awaitable<void>> changes;
  for (const NodeRow& row : *rows) {
    if (!row.alive) continue;
    pb::NodeLogLevel& shown = *response.add_nodes();
    *shown.mutable_node() = to_proto(row);
    shown.set_failure(kNoAnswer);
    changes.push_back(add_level(row, level, shown));
  }
  co_await do_all(std::move(changes));
  for (const pb::NodeLogLevel& each : response.nodes()) {
    if (each.node().life() == base::to_text(parts_.life.id()))
      response.set_previous(each.previous());
  }
  co_return response;
}

awaitable<void> AdminNodes::add_level(NodeRow row, pb::LogLevel level, pb::NodeLogLevel& shown) {
  auto previous = co_await set_level_of(std::move(row), level);
  if (previous) {
    shown.clear_failure();
    shown.set_previous(*previous);
  } else {
    shown.set_failure(std::move(previous.error().message));
  }
}

}  // namespace tesela::ops
