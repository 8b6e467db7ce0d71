#include "server/ops/admin/this_node.h"

#include <google/protobuf/util/time_util.h>
#include <spdlog/spdlog.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "server/base/printing/version.h"
#include "server/base/text_encoding.h"
#include "server/ops/admin/admin_proto.h"
#include "server/ops/config.h"

namespace tesela::ops {
namespace {

namespace pb = admin::v1;
using boost::asio::awaitable;
using google::protobuf::util::TimeUtil;

std::uint32_t count_of(const prometheus::Gauge& gauge) {
  return static_cast<std::uint32_t>(gauge.Value());
}

}  // namespace

ThisNode::ThisNode(Parts parts)
    : parts_(std::move(parts)),
      started_at_(std::chrono::system_clock::now()),
      started_(std::chrono::steady_clock::now()) {}

awaitable<pb::GetStatusResponse> ThisNode::status() {
  const auto uptime = std::chrono::steady_clock::now() - started_;
  pb::GetStatusResponse status;
  status.set_version(std::string(base::kVersion));
  *status.mutable_started_at() =
      TimeUtil::TimeTToTimestamp(std::chrono::system_clock::to_time_t(started_at_));
  *status.mutable_uptime() = TimeUtil::MillisecondsToDuration(
      std::chrono::duration_cast<std::chrono::milliseconds>(uptime).count());
  const auto ready = parts_.health.ready();
  status.set_ready(ready.has_value());
  if (!ready) status.set_reason(ready.error().message);
  status.set_draining(parts_.health.draining());
  status.set_frozen(parts_.health.frozen());
  const std::size_t tables = co_await tables_.tables_in_memory();
  status.set_tables_in_memory(static_cast<std::uint32_t>(tables));
  status.set_connections(count_of(parts_.metrics.connections_open()));
  status.set_streams(count_of(parts_.metrics.streams_open()));
  status.set_memory_bytes(metrics::resident_bytes());
  status.set_log_level(to_proto(spdlog::get_level()));
  const replay::DamagedTables& damaged = parts_.directory.damaged();
  auto& told = *status.mutable_damaged_tables();
  told.set_count(static_cast<std::uint32_t>(damaged.count()));
  for (const TableId table : damaged.last()) told.add_last_ids(base::to_text(table));
  co_return status;
}

awaitable<pb::DrainResponse> ThisNode::drain(bool exit) {
  pb::DrainResponse response;
  const std::size_t tables = co_await tables_.tables_in_memory();
  response.set_tables(static_cast<std::uint32_t>(tables));
  response.set_streams(count_of(parts_.metrics.streams_open()));
  co_await parts_.drain();
  if (exit) parts_.exit();
  co_return response;
}

Expected<pb::LogLevel> ThisNode::set_log_level(pb::LogLevel level) {
  const auto wanted = from_proto(level);
  if (!wanted) return std::unexpected(wanted.error());
  const auto previous = spdlog::get_level();
  const auto name = [](auto each) { return spdlog::level::to_string_view(each); };
  const auto tell = [&] {
    spdlog::info("admin: the log level was {} and is now {}", name(previous), name(*wanted));
  };
  // Logged while the more verbose of both levels is set.
  if (*wanted >= previous) tell();
  spdlog::set_level(*wanted);
  if (*wanted < previous) tell();
  return to_proto(previous);
}

}  // namespace tesela::ops
