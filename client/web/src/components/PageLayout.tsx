// The layout of every page except the table: header, content, dock.
import type { ComponentChildren, VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Dock, Header } from "./Header.tsx";
import { ErrorMessage } from "./ErrorMessage.tsx";

interface Props {
  title: string;
  kind?: string;
  children: ComponentChildren;
}

export function PageLayout({ title, kind = "narrow", children }: Props): VNode {
  useEffect(() => {
    document.title = title === "Parlour" ? title : `${title} · Parlour`;
    return () => {
      document.title = "Parlour";
    };
  }, [title]);
  return (
    <>
      <Header title={title} />
      <main id="content" tabIndex={-1} class={`page ${kind}`}>
        {children}
      </main>
      <Dock />
    </>
  );
}

/** Shown in place of content that is still loading or could not be loaded. */
export function Placeholder({ error, children }: { error?: string; children?: ComponentChildren }): VNode {
  return error ? (
    <ErrorMessage text={error} />
  ) : (
    <p class="muted" role="status">
      {children ?? "Loading…"}
    </p>
  );
}
