// The search in the header. MkDocs makes the index, and its worker looks up the words.
const BASE = new URL(`${document.documentElement.dataset.base}/`, location.href);
const SHORTEST = 2; // letters
const SHOWN = 12; // results

export function startSearch() {
  const input = document.getElementById("search");
  const found = document.getElementById("found");
  const count = document.getElementById("count");
  const results = document.getElementById("results");
  let worker = null;
  let ready = false;

  const start = () => {
    if (worker) return;
    worker = new Worker(new URL("search/worker.js", BASE));
    worker.onmessage = ({ data }) => {
      if (data.allowSearch) {
        ready = true;
        ask();
      } else if (data.results) show(data.results);
    };
    worker.onerror = () => {
      count.textContent = "The search is not available.";
    };
    worker.postMessage({ init: true });
  };

  // The titles of pages, for the sections on them.
  const titles = new Map([...document.querySelectorAll(".pages a")].map((link) => [link.href, link.textContent]));

  const ask = () => {
    // The signs of the query language are no part of a word.
    const query = input.value.replace(/[+\-:*^~]/g, " ").trim();
    found.hidden = query.length < SHORTEST;
    if (found.hidden || !ready) return;
    const words = query.split(/\s+/);
    worker.postMessage({ query: [...words.map((word) => `${word}^4`), `${words.at(-1)}*`].join(" ") });
  };

  const show = (list) => {
    if (found.hidden) return;
    count.textContent = list.length === 0 ? "Nothing found." : list.length === 1 ? "1 result" : `${list.length} results`;
    results.replaceChildren(
      ...list.slice(0, SHOWN).map(({ location, title, summary }) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = new URL(location, BASE).href;
        const name = document.createElement("b");
        const page = titles.get(new URL(location.split("#")[0], BASE).href) ?? "";
        name.textContent = page === "" || page === title ? title : `${page}: ${title}`;
        const text = document.createElement("span");
        text.textContent = summary;
        link.append(name, text);
        item.append(link);
        return item;
      }),
    );
  };

  const close = () => {
    found.hidden = true;
  };

  input.addEventListener("focus", start);
  input.addEventListener("input", () => {
    start();
    ask();
  });
  input.form?.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("keydown", (event) => {
    const links = [...results.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      input.focus();
    } else if (event.key === "Escape" && !found.hidden) {
      close();
      input.focus();
    } else if (!found.hidden && (at >= 0 || document.activeElement === input)) {
      if (event.key === "ArrowDown") (links[at + 1] ?? links.at(-1))?.focus();
      else if (event.key === "ArrowUp") (links[at - 1] ?? input).focus();
      else if (event.key === "Enter" && at < 0 && links[0]) links[0].click();
      else return;
      event.preventDefault();
    }
  });
  addEventListener("pointerdown", ({ target }) => {
    if (!target.closest?.("search")) close();
  });
  results.addEventListener("click", close);
}
