// Why a text is not a message in JSON, in words of the server's own.
#pragma once

#include <google/protobuf/descriptor.h>

#include <functional>
#include <string>
#include <string_view>

namespace tesela::codec {

/// Whether the library reads a text as a message of the type.
using ReadsJson =
    std::function<bool(const google::protobuf::Descriptor& type, std::string_view json)>;

/// A clause about `json`, which the library has refused as a `type`: "the field filter.game is not
/// a text", or that it is no JSON, and from which byte on. It quotes nothing but names of fields.
/// The library is asked about parts of it, so that there is one opinion of what fits.
[[nodiscard]] std::string json_fault(std::string_view json,
                                     const google::protobuf::Descriptor& type,
                                     const ReadsJson& reads);

}  // namespace tesela::codec
