// The client that far_machine.mjs starts: opens what its argument says, prints "open" when the
// server has answered, and reads on.
import { PassThrough } from 'node:stream';
import { BotService } from '../gen/tesela/bot/v1/bot_pb.js';
import { MatchmakingService } from '../gen/tesela/lobby/v1/matchmaking_pb.js';
import { bearer, clientOf, lobbyOf } from './lobby.mjs';
import { Player } from './player.mjs';

const { kind, server, transport, token, count = 1, request } = JSON.parse(process.argv[2]);

function offer() {
  const toServer = new PassThrough({ objectMode: true });
  toServer.write({ message: { case: 'offer', value: { token, ...request } } });
  return clientOf(BotService, server, 'gRPC').play(toServer);
}

const begin = {
  watch: () => lobbyOf(server, transport).watchTables({}, bearer(token)),
  find: () => clientOf(MatchmakingService, server, transport).find(request, bearer(token)),
  bot: offer,
};

/** Reads the first message, and then the others. */
async function read(stream) {
  const messages = stream[Symbol.asyncIterator]();
  await messages.next();
  const rest = async () => {
    while (!(await messages.next()).done);
  };
  // Its line ends in the middle of it.
  rest().catch(() => {});
}

for (let n = 0; n < count; ++n) {
  if (kind === 'table') await Player.join(server, request.tableId, { token });
  else await read(begin[kind]());
}
console.log('open');
