// What the page asks of a game: its messages, how it looks, and what its configuration is called.
// It never asks for rules: what is legal, what happened and who moves comes from the server.
import type { DescMessage, Message } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { Component, Snippet } from 'svelte';
import type { Table } from '../table.svelte.js';

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

export interface Game {
  /** The name in the protocol. */
  readonly name: string;
  /** The name on the page. */
  readonly title: string;
  /** Every message of the game that travels as an Any. */
  readonly messages: DescMessage[];
  /** The form in which a player chooses the options of a new game. */
  readonly OptionsForm: Component<Record<string, never>, OptionsFormExports>;
  /** The renderer: shows `table`, and plays on it when it has a seat. */
  readonly Play: Component<PlayProps>;
  /** The configuration in a few words: "4 × 4 · 2048". */
  summary(config: Message): string;
  /** The position after an event, out of the event's body; undefined for another game's body. */
  viewAfter(body: Message): Message | undefined;
}
