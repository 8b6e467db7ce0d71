/** What a failed call means to a player. */
export type Failure = 'unreachable' | 'not_found' | 'signed_out' | { sentence: string };
