// A value that notifies listeners when it changes, and the hook that renders a component again.
import { useEffect, useReducer, useRef } from "preact/hooks";

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

  /** Call the listener after every change. Returns an unsubscribe function. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The value of a signal; the component renders again when it changes. */
export function useSignal<T>(signal: Signal<T>): T {
  const rerender = useRerender();
  const { value } = signal;
  const rendered = useRef(value);
  rendered.current = value;
  useEffect(() => {
    if (!Object.is(signal.value, rendered.current)) rerender(); // it has changed before this effect ran
    return signal.watch(rerender);
  }, [signal, rerender]);
  return value;
}

/** A stable function that renders the component again. */
export function useRerender(): () => void {
  const [, dispatch] = useReducer<number, void>((count) => count + 1, 0);
  return dispatch;
}
