// A value that tells when it changes, and the hook that draws a component again then.
import { useEffect, useReducer } from "preact/hooks";

export class Signal<T> {
  #value: T;
  #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Gives what ends it. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The value of a signal, now and whenever it changes. */
export function useSignal<T>(signal: Signal<T>): T {
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    again(undefined as never); // it may have changed before this was watched
    return signal.watch(() => again(undefined as never));
  }, [signal]);
  return signal.value;
}
