// Limits of signing in at a provider of OpenID Connect.
#pragma once

#include <chrono>
#include <cstddef>

namespace tesela::limits {

/// How long a player may take at the provider. Later: PERMISSION_DENIED.
inline constexpr std::chrono::minutes kOidcTime{15};
/// Keys of a provider that are looked at. The others are ignored.
inline constexpr std::size_t kOidcKeysMax = 32;
/// How old the provider's documents become before they are asked for again.
inline constexpr std::chrono::minutes kOidcDocumentsAge{10};
/// The least time between two questions for the provider's documents: a token with an unknown key
/// waits for it, and after a failure calls get UNAVAILABLE until then.
inline constexpr std::chrono::seconds kOidcAgainAfter{3};
/// Calls that ask the provider at once. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kOidcCallsMax = 64;
/// Bytes of the browser's secret. Else: INVALID_ARGUMENT.
inline constexpr std::size_t kOidcSecretBytes = 32;
/// Bytes of what a provider sends to the page (`code`, `state`, `iss`). Above: INVALID_ARGUMENT.
inline constexpr std::size_t kOidcCodeBytesMax = 4096;
/// Bytes of a subject (OpenID Connect Core 1.0, section 2). Above: the token is refused.
inline constexpr std::size_t kOidcSubjectBytesMax = 255;
/// How long ago an ID token may have been issued: it comes straight from the provider. Before: it
/// is refused.
inline constexpr std::chrono::minutes kOidcTokenAge{10};

}  // namespace tesela::limits
