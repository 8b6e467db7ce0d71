// Plays on quietly while others misbehave: whatever happens to them must not touch this player.
import { newTable } from './lobby.mjs';
import { Player } from './player.mjs';

export class Bystander {
  static async at(server) {
    const bystander = new Bystander();
    const { tableId, token } = await newTable(server, {
      size: 8,
      weights: [{ value: 2, perMille: 1000 }],
    });
    bystander.player = await Player.join(server, tableId, { token });
    return bystander;
  }

  /** One more move, on the stream that has been open all the time. */
  async assertServed() {
    await this.player.play();
  }

  async close() {
    await this.player.stream.close();
  }
}
