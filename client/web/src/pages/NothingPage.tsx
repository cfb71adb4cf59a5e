// There is no such page.
import type { VNode } from "preact";
import { Dock, Header } from "../parts/Header.tsx";

export function NothingPage(): VNode {
  return (
    <>
      <Header title="Parlour" />
      <main class="page narrow">
        <h1>Nothing here</h1>
        <p>There is no page at this address.</p>
        <a class="button primary" href="/">
          To the start
        </a>
      </main>
      <Dock />
    </>
  );
}
