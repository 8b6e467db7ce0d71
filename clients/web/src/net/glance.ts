// One look at a table, without a seat: how it stands now. The stream is closed at once, so that
// its players are not disturbed.
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  ClientFrameSchema,
  ServerFrameSchema,
  type Seating,
  type Snapshot,
} from '@tesela/client/gen/play/v1/play_pb.js';
import { streamUrl } from '../base/route.svelte.js';
import { session } from './session.svelte.js';
import { SUB_PROTOCOL } from '@tesela/client';

export interface Glance {
  seating: Seating | undefined;
  /** Undefined while the game has not begun. */
  snapshot: Snapshot | undefined;
}

const TIME_MAX_MS = 8_000;

/** Undefined where one may not look. Rejects without an answer. */
export function glanceAt(tableId: string): Promise<Glance | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(streamUrl(tableId), SUB_PROTOCOL);
    const failed = () => reject(new TypeError('The table cannot be reached.'));
    const clock = setTimeout(() => socket.close(), TIME_MAX_MS);
    let seating: Seating | undefined;
    const answer = (glance: Glance | undefined) => {
      resolve(glance);
      socket.close();
    };
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      const value = { token: session.token, spectate: true };
      const hello = create(ClientFrameSchema, { frame: { case: 'hello', value } });
      socket.send(toBinary(ClientFrameSchema, hello));
    };
    socket.onmessage = ({ data }) => {
      const { frame } = fromBinary(ServerFrameSchema, new Uint8Array(data as ArrayBuffer));
      if (frame.case === 'welcome') {
        seating = frame.value.seating;
        if (seating?.waiting) answer({ seating, snapshot: undefined });
      } else if (frame.case === 'snapshot') answer({ seating, snapshot: frame.value });
      else if (frame.case === 'goodbye') answer(undefined);
    };
    socket.onerror = () => {}; // A close follows.
    socket.onclose = () => {
      clearTimeout(clock);
      failed(); // Without effect after an answer.
    };
  });
}
