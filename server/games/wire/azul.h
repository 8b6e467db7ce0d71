// Writes a move, a position and a stage of Azul without messages (WireCodec), as AzulCodec writes
// them with messages. Pure: any thread.
#pragma once

#include "engine/azul/azul.h"
#include "server/base/wire_writer.h"

namespace tesela::games {

/// The fields of an AzulMove.
void write_wire(const azul::Move& move, base::WireWriter& out);
/// The fields of an AzulView.
void write_wire(const azul::State& state, base::WireWriter& out);
/// The fields of an AzulStage.
void write_wire(const azul::Stage& stage, base::WireWriter& out);

}  // namespace tesela::games
