// The heavy headers, parsed once. Sources still include the headers they use.
#pragma once

#include <fmt/format.h>
#include <google/protobuf/any.pb.h>
#include <google/protobuf/util/json_util.h>
#include <grpcpp/grpcpp.h>
#include <spdlog/spdlog.h>

#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <expected>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

FMT_BEGIN_NAMESPACE
namespace detail {

// libfmt has all of formatting. Without this each object with a line of the log would have it too.
extern template void vformat_to<char>(buffer<char>&, basic_string_view<char>,
                                      basic_format_args<buffer_context<char>>, locale_ref);

}  // namespace detail
FMT_END_NAMESPACE
