// Notes that the page and its service worker share. A service worker cannot read the page's storage, so the notes are
// in a separate cache. They exist only while this browser gets notifications.
import type { NotificationKind } from "../../sdk/protocol.ts";

interface Contents {
  /** Who gets the notifications, and how the service worker reaches the server. */
  identity: { address: string; token: string; kinds: readonly NotificationKind[] };
  /** The rooms in which it is the player's turn. */
  turns: readonly string[];
}
export type Identity = Contents["identity"];

export class Notes {
  #root: string;

  /** The notes of the page at this address, which ends with a slash. */
  constructor(root: string) {
    this.#root = root;
  }

  async load<K extends keyof Contents>(name: K): Promise<Contents[K] | null> {
    const found = await (await this.#open()).match(this.#root + name);
    return found ? ((await found.json()) as Contents[K]) : null;
  }

  async save<K extends keyof Contents>(name: K, value: Contents[K]): Promise<void> {
    await (await this.#open()).put(this.#root + name, new Response(JSON.stringify(value)));
  }

  async forget(): Promise<void> {
    await caches.delete(this.#name);
  }

  get #name(): string {
    return `notes of ${this.#root}`;
  }

  #open(): Promise<Cache> {
    return caches.open(this.#name);
  }
}
