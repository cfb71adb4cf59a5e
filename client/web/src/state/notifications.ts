// Notifications by Web Push: the player's choice in this browser, and its subscription.
import type { NotificationKind } from "../../sdk/index.ts";
import { turns } from "./badge.ts";
import { onMessage } from "./messages.ts";
import { Notes } from "./notes.ts";
import { withPrefix } from "./prefix.ts";
import { address, call, me } from "./server.ts";
import { Signal } from "./signal.ts";
import { loadStored, saveStored } from "./storage.ts";

const KEY = "parlour.notifications";
const TOKEN = "parlour.token";

const notes = new Notes(location.origin + withPrefix("/"));

/** The notifications that this browser shows. Stored, so that the page can renew the subscription at its next start. */
export const wantedKinds = new Signal<readonly NotificationKind[]>(
  (loadStored(KEY) as readonly NotificationKind[] | null) ?? [],
);

/** Why this browser cannot show notifications, or an empty string. */
export function obstacle(): string {
  if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) return "";
  return /iPhone|iPad/.test(navigator.userAgent)
    ? "Add this page to your home screen first, then open it from there."
    : "This browser cannot show notifications from this page.";
}

/** Choose what this browser shows. Call this from a click: the browser may ask for permission. */
export async function chooseNotifications(kinds: readonly NotificationKind[]): Promise<void> {
  if (kinds.length && (await Notification.requestPermission()) !== "granted")
    throw new Error("Your browser blocks notifications from this page. Allow them in its settings for this page.");
  const found = await findRegistration();
  const before = await found.pushManager.getSubscription();
  const subscription = kinds.length ? await subscribe(found, before) : before;
  if (subscription) await call({ t: "set_notifications", subscription: describe(subscription), kinds: [...kinds] });
  if (!kinds.length) {
    await forgetNotifications();
    return;
  }
  remember(kinds);
}

/** Stop notifications in this browser: the player signs out, or wants none. */
export async function forgetNotifications(): Promise<void> {
  wantedKinds.value = [];
  saveStored(KEY, null);
  await notes.forget();
  const found = await navigator.serviceWorker?.getRegistration(withPrefix("/"));
  await (await found?.pushManager?.getSubscription())?.unsubscribe();
}

async function findRegistration(): Promise<ServiceWorkerRegistration> {
  const found = await navigator.serviceWorker.getRegistration(withPrefix("/"));
  if (!found) throw new Error("This browser does not let this page store anything, so it cannot show notifications.");
  return navigator.serviceWorker.ready;
}

/** The subscription with the key of this server, made now if there is none. */
async function subscribe(found: ServiceWorkerRegistration, before: PushSubscription | null): Promise<PushSubscription> {
  const { key = "" } = await call({ t: "get_notifications" });
  if (!key) throw new Error("This server sends no notifications.");
  const wanted = fromBase64(key);
  const known = new Uint8Array(before?.options.applicationServerKey ?? new ArrayBuffer(0));
  if (before && known.length === wanted.length && known.every((byte, index) => byte === wanted[index])) return before;
  await before?.unsubscribe();
  return found.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wanted });
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function describe(subscription: PushSubscription): { endpoint: string; p256dh: string; auth: string } {
  const { endpoint = "", keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" };
}

function remember(kinds: readonly NotificationKind[]): void {
  wantedKinds.value = kinds;
  saveStored(KEY, kinds);
  void notes.save("identity", { address: address(), token: (loadStored(TOKEN) as string | null) ?? "", kinds });
  void notes.save("turns", [...turns.value]);
}

/** Tell the server which notifications this browser shows, for the current player. */
async function renew(): Promise<void> {
  if (!wantedKinds.value.length || obstacle() || Notification.permission !== "granted") return;
  const found = await navigator.serviceWorker.ready;
  const subscription = await subscribe(found, await found.pushManager.getSubscription());
  await call({ t: "set_notifications", subscription: describe(subscription), kinds: [...wantedKinds.value] });
  remember(wantedKinds.value);
}

/** Renew the subscription now and for each new identity, and close notifications that are out of date. */
function start(): void {
  const tryRenewing = (): void => void renew().catch(() => undefined); // the next start tries again
  if (me.value) tryRenewing();
  onMessage((message) => {
    if (message.t === "welcome") tryRenewing();
  });
  turns.watch(() => {
    if (!wantedKinds.value.length) return;
    void notes.save("turns", [...turns.value]);
    void closeOld();
  });
}

async function closeOld(): Promise<void> {
  const found = await navigator.serviceWorker.getRegistration(withPrefix("/"));
  for (const shown of (await found?.getNotifications()) ?? []) {
    const room = /^table\/(.*)/.exec(shown.tag)?.[1];
    if (room && !turns.value.has(room)) shown.close();
  }
}

start();
