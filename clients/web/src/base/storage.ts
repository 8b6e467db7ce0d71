// Values that the browser keeps between visits. Where storage is forbidden it is forgotten,
// quietly.

export function remember(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`tesela.${key}`);
    else localStorage.setItem(`tesela.${key}`, value);
  } catch {
    // Private windows may refuse.
  }
}

/** As remember, until the tab is closed. */
export function rememberInTab(key: string, value: string): void {
  try {
    sessionStorage.setItem(`tesela.${key}`, value);
  } catch {
    // Private windows may refuse.
  }
}

export function recallInTab(key: string): string | undefined {
  try {
    return sessionStorage.getItem(`tesela.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(`tesela.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}
