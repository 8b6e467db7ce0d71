// The guest who played in this browser before somebody signed in: kept until the player has said
// what becomes of the games.
import { recall, remember } from '../base/storage.js';

export interface Guest {
  token: string;
  displayName: string;
}

function recallGuest(): Guest | undefined {
  try {
    return (JSON.parse(recall('guest') ?? 'null') as Guest | null) ?? undefined;
  } catch {
    return undefined;
  }
}

class FormerGuest {
  guest = $state.raw<Guest | undefined>(recallGuest());

  keep({ token, displayName }: Guest): void {
    this.guest = { token, displayName };
    remember('guest', JSON.stringify(this.guest));
  }

  drop(): void {
    this.guest = undefined;
    remember('guest', undefined);
  }
}

export const formerGuest = new FormerGuest();
