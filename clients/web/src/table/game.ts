// A game as a table knows it: its messages, its look, and the name of its configuration. It never
// asks for rules: what is legal, what happened and who moves comes from the server.
import type { DescMessage, Message } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { Component } from 'svelte';
import type { Later } from '../gen/messages/index.js';
import type { PictureOf } from './picture.js';
import type { ProposalOf } from './proposal.js';

export interface RulesProps {
  words: Later['learn'];
}

export interface Game {
  /** The name in the protocol. */
  readonly name: string;
  /** The name on the page. */
  readonly title: string;
  /** How many can play. */
  readonly seatsMin: number;
  readonly seatsMax: number;
  /** Every message of the game that travels as an Any. */
  readonly messages: DescMessage[];
  /** A small drawing, square, for cards and lists. */
  readonly Preview: Component<Record<string, never>>;
  /** Fetches its rules with pictures. */
  rules(): Promise<{ default: Component<RulesProps> }>;
  /** Fetches what draws its positions in small. */
  picture(): Promise<{ pictureOf: PictureOf }>;
  /** Fetches what puts its moves into words before they are played; none for an unknown game. */
  proposals?(): Promise<{ proposalOf: ProposalOf }>;
  /** The configuration in a few words: "4 × 4 · 2048". */
  summary(config: Message): string;
  /** The position after an event, out of the event's body; undefined for another game's body. */
  viewAfter(body: Message): Message | undefined;
  /** What each seat has in a position, in the order of seats. */
  pointsOf(view: Message): number[];
  /** The round of a position, from 1, in a game that has rounds. */
  roundOf?(view: Message): number | undefined;
}

/** The games that a page knows. */
export interface Games {
  named(name: string): Game;
  /** The message inside an Any; undefined for one that no game and no table knows. */
  unpack(any: Any | undefined): Message | undefined;
}
