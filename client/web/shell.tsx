// The shell of every page before its script has run: the header and the dock, rendered when the page is built.
import { renderToString } from "preact-render-to-string";
import { HeaderBar, PageDock } from "./src/components/Navigation.tsx";

export const header = renderToString(<HeaderBar title="Parlour" here="" />);
export const dock = renderToString(<PageDock here="" />);
