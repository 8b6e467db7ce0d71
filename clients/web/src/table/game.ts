// The interface of a game for the page: its messages, its look, and the name of its configuration.
// It never asks for rules: what is legal, what happened and who moves comes from the server.
import { isMessage, type DescMessage, type Message, type MessageShape } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import { anyUnpack, type Any } from '@bufbuild/protobuf/wkt';
import type { Component, Snippet } from 'svelte';
import type { Later } from '../gen/messages/index.js';
import type { PictureOf } from './picture.js';
import type { ProposalOf } from './proposal.js';
import type { Table } from './table.svelte.js';

/** What the form of a game's options tells the page: the configuration to ask CreateTable for. */
export interface OptionsFormExports extends Record<string, unknown> {
  config(): Any;
}

export interface PlayProps {
  table: Table;
  /** Makes a new table with the same configuration and goes there. */
  onAgain: () => void;
  /** What the page adds beside every game. */
  beside: Snippet;
}

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
  /** Fetches the renderer: it shows `table`, and plays on it when that has a seat. */
  load(): Promise<{ default: Component<PlayProps> }>;
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

/** A game that the page offers to begin. */
export interface OfferedGame extends Game {
  /** The form in which a player chooses the options of a new game. */
  readonly OptionsForm: Component<Record<string, never>, OptionsFormExports>;
  /** What one does in it, in a sentence. */
  tagline(): string;
  /** How many play by a configuration, as a form gives it. */
  seatsOf(config: Any): number;
}

/** The games that a page knows. */
export interface Games {
  named(name: string): Game;
  /** The message inside an Any; undefined for one that no game and no table knows. */
  unpack(any: Any | undefined): Message | undefined;
}

type HasView = Message & { view?: Message | undefined };

/** A game as its folder describes it. */
export interface GameDescription<Config extends DescMessage, Event extends HasView> extends Omit<
  OfferedGame,
  'messages' | 'summary' | 'seatsOf' | 'viewAfter'
> {
  readonly config: Config;
  readonly event: GenMessage<Event>;
  readonly move: DescMessage;
  readonly view: DescMessage;
  readonly gain: DescMessage;
  summary(config: MessageShape<Config>): string;
  /** How many play, in a game for several. */
  seats?(config: MessageShape<Config>): number;
}

export function gameOf<Config extends DescMessage, Event extends HasView>({
  config,
  event,
  move,
  view,
  gain,
  ...described
}: GameDescription<Config, Event>): OfferedGame {
  return {
    ...described,
    messages: [config, event, move, view, gain],
    seatsOf: (any) => {
      const message = anyUnpack(any, config);
      return (message && described.seats?.(message)) ?? described.seatsMin;
    },
    summary: (message) => (isMessage(message, config) ? described.summary(message) : ''),
    viewAfter: (body) => (isMessage(body, event) ? body.view : undefined),
  };
}
