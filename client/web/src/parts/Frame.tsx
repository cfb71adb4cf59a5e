// A page other than the table: head, what it is about, dock.
import type { ComponentChildren, VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Dock, Header } from "./Header.tsx";
import { Refused } from "./Refused.tsx";

interface Props {
  title: string;
  kind?: string;
  children: ComponentChildren;
}

export function Frame({ title, kind = "narrow", children }: Props): VNode {
  useEffect(() => {
    document.title = title === "Parlour" ? title : `${title} · Parlour`;
    return () => {
      document.title = "Parlour";
    };
  }, [title]);
  return (
    <>
      <Header title={title} />
      <main class={`page ${kind}`}>{children}</main>
      <Dock />
    </>
  );
}

/** A sentence in the place of what is not there yet, or will not come. */
export function Absent({ refused, children }: { refused?: string; children?: ComponentChildren }): VNode {
  return refused ? (
    <Refused why={refused} />
  ) : (
    <p class="muted" role="status">
      {children ?? "One moment."}
    </p>
  );
}
