// The page for unknown addresses.
import type { VNode } from "preact";
import { PageLayout } from "../components/PageLayout.tsx";

export function NotFoundPage(): VNode {
  return (
    <PageLayout title="Parlour">
      <h1>Page not found</h1>
      <p>There is no page at this address.</p>
      <a class="button primary" href="/">
        Back to the lobby
      </a>
    </PageLayout>
  );
}
