// The service worker: the page starts without a network, with the rules and lessons.
//
// HTML comes from the network whenever possible, so a new version is taken at once. All other files have a hash in their
// names and are kept together with the HTML of their version. The files of the version before stay for windows that still
// use it, so no window ever mixes two versions.
import "./service-worker-push.ts";

declare const FILES: readonly string[]; // with their hashes; filled in by the build

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends WorkerEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

const ROOT = new URL("./", location.href).href;
const PREFIX = `parlour ${ROOT} `;
const CACHE = PREFIX + FILES.join(" ");
const HASHED = /-[A-Z2-7]{8}\.\w+$/;
const NETWORK_WITHIN = 5000; // milliseconds; then a page comes from the cache, if it is there
const DATA = /(<script type="application\/json" id="page-data">)(.*?)(<\/script>)/s;

async function install(): Promise<void> {
  void (self as unknown as { skipWaiting(): Promise<void> }).skipWaiting();
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((name) => ROOT + name));
  const { games } = await storePage(cache, ROOT);
  await Promise.all(
    games.flatMap(({ key }) =>
      [`rules/${key}`, `learn/${key}`].map((path) => storePage(cache, ROOT + path).catch(() => undefined)),
    ),
  );
}

/** Store a page of this version without what changes from moment to moment. */
async function storePage(cache: Cache, url: string): Promise<{ games: { key: string }[] }> {
  const answer = await fetch(url, { cache: "no-store" });
  const html = await answer.text();
  const data = JSON.parse(DATA.exec(html)?.[2] ?? "{}") as { games?: { key: string }[]; lobby?: unknown };
  if (!answer.ok || !FILES.filter((name) => name.startsWith("app-")).every((name) => html.includes(name)))
    throw new Error(`${url} belongs to another version`);
  delete data.lobby;
  const kept = JSON.stringify(data).replaceAll("<", "\\u003c");
  const body = html.replace(DATA, (_, start: string, __, end: string) => start + kept + end);
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name); // of the body as it was sent
  await cache.put(url, new Response(body, { headers }));
  return { games: data.games ?? [] };
}

/** Keep this version and the one before. */
async function removeOldVersions(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

/** A page from the network; from the cache if the server does not answer. */
async function openPage(request: Request): Promise<Response> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("too late")), NETWORK_WITHIN));
  const answer = await Promise.race([fetch(request), late]).catch(() => null);
  if (answer && answer.status < 500) return answer;
  const { origin, pathname } = new URL(request.url);
  const cache = await caches.open(CACHE);
  const kept = (await cache.match(origin + pathname)) ?? (await cache.match(ROOT));
  return kept ?? answer ?? Response.error();
}

async function openFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

addEventListener("install", (event) => (event as WorkerEvent).waitUntil(install()));
addEventListener("activate", (event) => (event as WorkerEvent).waitUntil(removeOldVersions()));
addEventListener("fetch", (event) => {
  const asked = event as RequestEvent;
  const { mode, url } = asked.request;
  if (mode === "navigate") asked.respondWith(openPage(asked.request));
  else if (url.startsWith(ROOT) && HASHED.test(url)) asked.respondWith(openFile(asked.request));
});
