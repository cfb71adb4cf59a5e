// What every page does: search, and the list of pages, which is closed on phones.
import { startSearch } from "./search.js";

startSearch();

const menu = document.getElementById("menu");
const wide = matchMedia("(min-width: 900px)");
const arrange = () => {
  menu.open = wide.matches;
};
arrange();
wide.addEventListener("change", arrange);
menu.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });

// What is too wide scrolls on its own, and has to be reachable with the keyboard for that.
const reach = () => {
  for (const element of document.querySelectorAll("article :is(pre, table)")) {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  }
};
reach();
addEventListener("resize", reach);

if (document.getElementById("console")) {
  const { startConsole } = await import("./console.js");
  startConsole(document.getElementById("console"));
}
