// The canonical bytes of a state of Azul (RULES.md).
#pragma once

#include "engine/azul/azul.h"
#include "engine/core/result.h"
#include "server/base/bytes.h"

namespace tesela::games {

/// Sink: base::Fnv or base::ByteWriter.
template <class Sink>
void write_azul_state(const azul::State& state, Sink& out);

/// Error: kCorrupt for bytes that no game of this configuration can have: among others, the table
/// holds each tile of the box once.
[[nodiscard]] Expected<azul::State> read_azul_state(const azul::Config& config,
                                                    base::ByteReader& in);

}  // namespace tesela::games
