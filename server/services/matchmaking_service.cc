#include "server/services/matchmaking_service.h"

#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <memory>
#include <string>
#include <utility>

#include "server/directory/table_proto.h"
#include "server/rpc/client_address.h"
#include "server/rpc/push_stream.h"
#include "server/rpc/unary_call.h"
#include "server/services/find_request.h"

namespace tesela::services {
namespace {

using google::protobuf::util::TimeUtil;

/// A call of Find. Of the news that wait, only the newest is sent.
class FindCall final : public rpc::PushStream<lobby::v1::FindResponse>, public matchmaking::Search {
 public:
  FindCall(boost::asio::io_context& context, matchmaking::Matcher& matcher,
           matchmaking::Seeker seeker)
      : PushStream(context), Search(std::move(seeker)), matcher_(matcher) {}

  void searching(const matchmaking::SearchNews& news) override {
    const auto message = std::make_shared<lobby::v1::FindResponse>();
    lobby::v1::Searching& out = *message->mutable_searching();
    out.set_position(static_cast<std::uint32_t>(news.position));
    out.set_party_present(static_cast<std::uint32_t>(news.present));
    if (news.estimate_ms) {
      *out.mutable_estimate() = TimeUtil::MillisecondsToDuration(*news.estimate_ms);
    }
    send(message, false);
  }

  void matched(const store::TableRow& table) override {
    const auto message = std::make_shared<lobby::v1::FindResponse>();
    lobby::v1::Matched& out = *message->mutable_matched();
    *out.mutable_table() = directory::to_proto(table);
    const auto seat = std::ranges::find(table.seats, seeker().player, &store::SeatRow::player);
    out.set_seat(seat->seat.value);
    send(message, true);
  }

  void failed(const Error& error) override { end(rpc::to_status(error)); }

  [[nodiscard]] std::shared_ptr<matchmaking::Search> as_search() {
    return std::static_pointer_cast<FindCall>(shared_from_this());
  }

 private:
  void send(Message message, bool last) {
    {
      const std::lock_guard lock{mutex_};
      if (ending()) return;
      newest_ = std::move(message);
      if (last) set_last();
    }
    schedule();
  }

  Message take() override { return std::exchange(newest_, nullptr); }

  void done() override { matcher_.remove(as_search()); }

  matchmaking::Matcher& matcher_;
  Message newest_;  // guarded by `mutex_`
};

/// A player of the operator's issuer is stored before the search, whose ticket refers to it.
boost::asio::awaitable<void> add_admitted(accounts::Players& players, matchmaking::Matcher& matcher,
                                          std::string token, quota::QuotaPtr from,
                                          std::shared_ptr<matchmaking::Search> search) {
  const auto admitted = co_await players.admit(std::move(token), std::move(from));
  if (admitted) {
    matcher.add(std::move(search));
  } else {
    search->failed(admitted.error());
  }
}

}  // namespace

grpc::ServerWriteReactor<lobby::v1::FindResponse>* MatchmakingService::Find(
    grpc::CallbackServerContext* context, const lobby::v1::FindRequest* request) {
  std::string token = rpc::token_of(*context);
  auto identity = parts_.tokens.verify(token);
  const bool of_issuer = identity && identity->of_issuer;
  auto slot = rpc::slot_of(parts_.admission, *context);
  auto seeker = slot ? admit(*context, *request, std::move(identity))
                     : Expected<matchmaking::Seeker>(std::unexpected(slot.error()));
  const auto call = std::make_shared<FindCall>(parts_.io.any(), parts_.matcher,
                                               seeker ? std::move(*seeker) : matchmaking::Seeker{});
  if (!seeker) {
    call->refuse(seeker.error());
    return call.get();
  }
  call->hold(std::move(*slot));
  call->start();
  if (of_issuer) {
    boost::asio::co_spawn(
        parts_.io.any(),
        add_admitted(parts_.players, parts_.matcher, std::move(token),
                     rpc::quota_of(parts_.admission, *context), call->as_search()),
        boost::asio::detached);
  } else {
    parts_.matcher.add(call->as_search());
  }
  return call.get();
}

Expected<matchmaking::Seeker> MatchmakingService::admit(
    const grpc::CallbackServerContext& context, const lobby::v1::FindRequest& request,
    Expected<accounts::Identity> identity) const {
  if (!identity) return std::unexpected(std::move(identity.error()));
  auto seeker = read_seeker(request, std::move(*identity));
  if (!seeker) return seeker;
  const auto from = rpc::quota_of(parts_.admission, context);
  if (auto counted = parts_.admission.count_table(from, seeker->player); !counted) {
    return std::unexpected(std::move(counted.error()));
  }
  auto slots = parts_.matcher.live_tables().hold(parts_.admission, from, seeker->player);
  if (!slots) return std::unexpected(std::move(slots.error()));
  seeker->slots = std::move(*slots);
  return seeker;
}

}  // namespace tesela::services
