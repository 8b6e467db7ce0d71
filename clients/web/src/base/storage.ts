// What the browser remembers between visits. Where storage is forbidden it is forgotten, quietly.

export function remember(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`tesela.${key}`);
    else localStorage.setItem(`tesela.${key}`, value);
  } catch {
    // Private windows may refuse.
  }
}

export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(`tesela.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}
