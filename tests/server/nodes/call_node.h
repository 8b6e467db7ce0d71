// A server that calls come to and relays, with owners by table.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/io_pool.h"
#include "server/base/text_encoding.h"
#include "server/metrics/metrics.h"
#include "server/nodes/call_relays.h"
#include "server/nodes/relays.h"
#include "tests/server/nodes/lobby_method.h"
#include "tests/server/nodes/owner_node.h"
#include "tests/server/store/switched_life.h"

namespace tesela::nodes {

inline constexpr TableId kTable{7};
inline constexpr TableId kRematch{8};

/// Methods that answer as `where`.
inline std::vector<rpc::Method> answering(const std::string& where) {
  return {join_table([where](const auto&, const auto&) { return joined(where); }),
          lobby_method<lobby::v1::RematchTableRequest, lobby::v1::RematchTableResponse>(
              "RematchTable", [where](const auto&, const auto&) {
                lobby::v1::RematchTableResponse response;
                response.mutable_table()->set_table_id(where);
                return response;
              })};
}

/// Says of each table who has it.
class OwnersByTable final : public store::DutiesAlone {
 public:
  boost::asio::awaitable<Expected<std::optional<store::Owner>>> owner(TableId table) override {
    std::optional<store::Owner> owner;
    if (const auto found = owners.find(table.value); found != owners.end()) owner = found->second;
    co_return owner;
  }

  std::map<std::uint64_t, store::Owner> owners;
};

/// A server that calls come to. What it answers itself is "here".
class CallNode {
 public:
  explicit CallNode(store::Ownership& owners, std::string proof = kProof)
      : relays(
            {.ownership = owners, .life = life_, .metrics = metrics, .proof = std::move(proof)}) {
    auto methods = calls_.relayed(
        answering("here"), [](const rpc::Caller& caller) { return caller.token != "forged"; });
    join_ = methods.at(0);
    rematch_ = methods.at(1);
    io_.run();
  }
  ~CallNode() {
    relays.stop();
    io_.stop();
    io_.join();
  }
  CallNode(const CallNode&) = delete;
  CallNode& operator=(const CallNode&) = delete;

  /// JoinTable for kTable, under way.
  std::future<Expected<rpc::MessagePtr>> begin(rpc::Caller caller = {.token = "token"}) {
    auto request = std::make_unique<lobby::v1::JoinTableRequest>();
    request->set_table_id(base::to_text(kTable));
    request->set_invite("the invite");
    return boost::asio::co_spawn(io_.at(0), join_.answer(std::move(request), std::move(caller)),
                                 boost::asio::use_future);
  }
  /// The name of who has answered, or the sentence of the refusal.
  std::string join(rpc::Caller caller = {.token = "token"}) {
    return name_in<lobby::v1::JoinTableResponse>(begin(std::move(caller)).get());
  }
  /// The same of RematchTable.
  std::string rematch() {
    auto request = std::make_unique<lobby::v1::RematchTableRequest>();
    request->set_table_id(base::to_text(kTable));
    return name_in<lobby::v1::RematchTableResponse>(
        boost::asio::co_spawn(io_.at(0), rematch_.answer(std::move(request), {.token = "token"}),
                              boost::asio::use_future)
            .get());
  }
  [[nodiscard]] double count(std::string_view outcome) { return metrics.relays(outcome).Value(); }

  metrics::Metrics metrics;
  std::atomic<std::uint64_t> live{0};  // the table that is live here

 private:
  template <class Response>
  static std::string name_in(const Expected<rpc::MessagePtr>& answer) {
    if (!answer) return answer.error().message;
    return dynamic_cast<const Response&>(**answer).table().table_id();
  }

  base::IoPool io_{2};
  store::SwitchedLife life_;
  rpc::Method join_{};
  rpc::Method rematch_{};

 public:
  Relays relays;

 private:
  CallRelays calls_{{.relays = relays,
                     .here = {.loop_of = [this](auto) -> base::Loop& { return io_.at(1); },
                              .is_live = [this](TableId id) { return id.value == live; }},
                     .rematch_of = [](TableId /*over*/) { return kRematch; }}};
};

}  // namespace tesela::nodes
