// Values that this browser keeps between visits. A browser that stores nothing still works.

/** Return the stored value, or null if there is none. */
export function loadStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value; null deletes it. */
export function saveStored(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or blocked.
  }
}
