// Methods of the lobby as a test wants them to answer.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>
#include <utility>

#include "engine/core/result.h"
#include "server/rpc/method.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::nodes {

template <class Request, class Response>
using Work = std::function<Expected<Response>(const Request&, const rpc::Caller&)>;

template <class Request, class Response>
boost::asio::awaitable<Expected<Response>> answer_by(Work<Request, Response> work, Request request,
                                                     rpc::Caller caller) {
  co_return work(request, caller);
}

/// The method of this name.
template <class Request, class Response>
rpc::Method lobby_method(const std::string& name, Work<Request, Response> work) {
  rpc::Method method = rpc::method_by<Request, Response>(
      [work = std::move(work)](Request request, rpc::Caller caller) {
        return answer_by<Request, Response>(work, std::move(request), std::move(caller));
      });
  method.path = "/tesela.lobby.v1.LobbyService/" + name;
  method.descriptor = rpc::declared_method(method.path);
  return method;
}

inline rpc::Method join_table(
    Work<lobby::v1::JoinTableRequest, lobby::v1::JoinTableResponse> work) {
  return lobby_method<lobby::v1::JoinTableRequest, lobby::v1::JoinTableResponse>("JoinTable",
                                                                                 std::move(work));
}

/// Says that a table has this name, so that one can tell who has answered.
inline lobby::v1::JoinTableResponse joined(const std::string& where) {
  lobby::v1::JoinTableResponse response;
  response.mutable_table()->set_table_id(where);
  return response;
}

}  // namespace tesela::nodes
