// Components that are loaded on demand, which keeps the first visit small.
import type { FunctionComponent, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Placeholder, PageLayout } from "../components/PageLayout.tsx";

type LazyPages = typeof import("./lazyPages.ts");

let loaded: LazyPages | null = null;

/** Load what a page needs, so that its first rendering is complete. */
export async function preload(page: string): Promise<void> {
  loaded = await import("./lazyPages.ts");
  if (page === "rules") await loaded.loadMarkdown();
}

/** A component of lazyPages.ts: a page, or with `page` false a part of one. */
export function lazy<K extends keyof LazyPages>(name: K, page = true): LazyPages[K] {
  const Lazy = (props: object): VNode => {
    const [pages, setPages] = useState(loaded);
    const [error, setError] = useState("");
    useEffect(() => {
      if (loaded) return;
      import("./lazyPages.ts").then(
        (found) => setPages((loaded = found)),
        () => setError("This page could not be loaded. Reload it: the server may have a newer version."),
      );
    }, []);
    if (!pages) {
      const content = error ? <Placeholder error={error} /> : null;
      return page ? <PageLayout title="Parlour">{content}</PageLayout> : <>{content}</>;
    }
    const Page = pages[name] as FunctionComponent<object>;
    return <Page {...props} />;
  };
  return Lazy as unknown as LazyPages[K];
}
