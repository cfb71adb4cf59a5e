// A page that is fetched when it is wanted, so that the first visit is short.
import type { FunctionComponent, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Absent, Frame } from "../parts/Frame.tsx";

type Study = typeof import("./study.ts");

let fetched: Study | null = null;

/** One of study.ts: a page, or what comes over one. */
export function later<K extends keyof Study>(name: K, page = true): Study[K] {
  const Later = (props: object): VNode => {
    const [study, setStudy] = useState(fetched);
    const [refused, setRefused] = useState("");
    useEffect(() => {
      if (study) return;
      import("./study.ts").then(
        (found) => setStudy((fetched = found)),
        () => setRefused("This page could not be fetched. Load it again: the server may have a newer one."),
      );
    }, []);
    if (!study) {
      const words = refused ? <Absent refused={refused} /> : null;
      return page ? <Frame title="Parlour">{words}</Frame> : <>{words}</>;
    }
    const Page = study[name] as FunctionComponent<object>;
    return <Page {...props} />;
  };
  return Later as unknown as Study[K];
}
