// Who calls. The page's own player is read and never changed: it is the page that renews its token.
import { recallInTab, rememberInTab } from '../base/storage.js';
import { session } from '../net/session.svelte.js';

interface Who {
  token: string;
  /** Where the token comes from. */
  from: 'guest' | 'page' | 'pasted';
}

export interface Account {
  playerId: string;
  displayName: string;
  member?: boolean;
}

const KEY = 'explorer';

function recallWho(): Who | undefined {
  try {
    const who = JSON.parse(recallInTab(KEY) ?? 'null') as Who | null;
    return who?.from === 'page' ? session.player && { ...who, token: session.token } : who!;
  } catch {
    return undefined;
  }
}

async function asked<Answer>(method: string, body: object, token?: string): Promise<Answer> {
  const headers: HeadersInit = { 'content-type': 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  const response = await fetch(`/${method}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer & { message?: string };
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

class Identity {
  /** The player of the page in this browser. */
  readonly ofPage = session.player;
  account = $state.raw<Account>();
  /** Why the server does not know the caller. */
  trouble = $state('');
  /** The table that an answer was about last, for examples. */
  tableId = $state('');
  #who = $state.raw<Who | undefined>(recallWho() ?? undefined);

  constructor() {
    if (this.#who) void this.#ask(this.#who);
  }

  get token(): string {
    return this.#who?.token ?? '';
  }

  get from(): Who['from'] | undefined {
    return this.#who?.from;
  }

  async signIn(displayName: string): Promise<void> {
    this.trouble = '';
    try {
      const { token } = await asked<{ token: string }>('tesela.lobby.v1.LobbyService/SignIn', {
        displayName,
        device: 'API explorer',
      });
      await this.become({ token, from: 'guest' });
    } catch (error) {
      this.trouble = String((error as Error).message);
    }
  }

  async become(who: Who | undefined): Promise<void> {
    this.#who = who;
    this.account = undefined;
    this.trouble = '';
    rememberInTab(KEY, JSON.stringify(who?.from === 'page' ? { from: 'page' } : (who ?? null)));
    if (who) await this.#ask(who);
  }

  async #ask(who: Who): Promise<void> {
    try {
      const method = 'tesela.account.v1.AccountService/GetAccount';
      const account = await asked<Account>(method, {}, who.token);
      if (this.#who === who) this.account = account;
    } catch (error) {
      if (this.#who === who) this.trouble = String((error as Error).message);
    }
  }
}

export const identity = new Identity();
