// What players report of each other, and what operators have done about the player.
import { createClient } from '@connectrpc/connect';
import { ConductService } from '@tesela/client/gen/account/v1/conduct_pb.js';
import { transport } from './lobby.js';

export const conduct = createClient(ConductService, transport);
