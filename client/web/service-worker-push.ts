// Push messages: the service worker shows them, also while the page is closed, and leads to the game when one is clicked.
import type { NotificationKind } from "./sdk/protocol.ts";
import { type Identity, Notes } from "./src/state/notes.ts";

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface PushEvent extends WorkerEvent {
  data: { json(): unknown } | null;
}
interface ClickEvent extends WorkerEvent {
  notification: Notification;
}
interface SubscriptionEvent extends WorkerEvent {
  oldSubscription?: PushSubscription | null;
  newSubscription?: PushSubscription | null;
}
interface WindowClient {
  url: string;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}
interface Worker {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
}
interface Message {
  kind: NotificationKind;
  game: string;
  opponent?: string;
  room?: string;
  seek?: string;
  tournament?: string;
  name?: string; // of the tournament
}

const worker = self as unknown as Worker;
const ROOT = new URL("./", location.href).href;
const notes = new Notes(ROOT);
const ANSWER_WITHIN = 20_000; // milliseconds

interface Notice {
  title: string;
  body: string;
  tag: string; // a later message with the same one replaces an earlier one
  path: string; // of the page to which it leads
}

function noticeOf({ kind, game, opponent, room, seek, tournament, name }: Message): Notice | null {
  switch (kind) {
    case "your_turn":
      return { title: "Your turn", body: `${game} against ${opponent}`, tag: `table/${room}`, path: `/table/${room}` };
    case "challenge":
      return { title: "Invitation", body: `${opponent} invites you to play ${game}`, tag: `seek/${seek}`, path: "/" };
    case "tournament":
      return {
        title: "Your tournament begins",
        body: `${name}: ${game}`,
        tag: `tournament/${tournament}`,
        path: `/tournaments/${tournament}`,
      };
    default:
      return null; // a kind of a newer server
  }
}

/** Show a notification of an event. */
async function show(message: Message): Promise<void> {
  const notice = noticeOf(message);
  if (!notice) return;
  const { title, body, tag, path } = notice;
  const options = { body, tag, renotify: true, icon: `${ROOT}icon-192.png`, data: path };
  await worker.registration.showNotification(title, options as NotificationOptions);
  const { kind, room } = message;
  if (kind !== "your_turn" || !room) return;
  const turns = new Set([...((await notes.load("turns")) ?? []), room]);
  await notes.save("turns", [...turns]);
  await navigator.setAppBadge?.(turns.size);
}

/** Open the game, in a window that is there already if possible. */
async function open(notification: Notification): Promise<void> {
  notification.close();
  const path = String(notification.data ?? "/");
  const url = ROOT + path.slice(1);
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((one) => one.url === url) ?? windows.find((one) => one.url.startsWith(ROOT));
  if (!shown) {
    await worker.clients.openWindow(url);
    return;
  }
  shown.postMessage({ open: path });
  await shown.focus();
}

/** The browser has a new subscription: tell the server, because the page may not be opened for a long time. */
async function renew(event: SubscriptionEvent): Promise<void> {
  const identity = await notes.load("identity");
  const before = event.oldSubscription;
  if (!identity) return;
  const key = before?.options.applicationServerKey ?? null;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const now = event.newSubscription ?? (await worker.registration.pushManager.subscribe(options));
  await report(identity, now, before?.endpoint);
}

function report(identity: Identity, now: PushSubscription, replaces?: string): Promise<void> {
  const { endpoint, keys } = now.toJSON();
  const subscription = { endpoint, p256dh: keys?.p256dh, auth: keys?.auth };
  const command = { t: "set_notifications", id: 1, subscription, kinds: identity.kinds, replaces };
  const socket = new WebSocket(identity.address, "parlour.v1+json");
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.close(), ANSWER_WITHIN);
    socket.onopen = () => socket.send(JSON.stringify({ t: "hello", client: "parlour-push", token: identity.token }));
    socket.onmessage = ({ data }) => {
      const { t } = JSON.parse(String(data)) as { t?: string };
      if (t === "welcome") socket.send(JSON.stringify(command));
      if (t === "ok") resolve();
      if (t === "ok" || t === "refused") socket.close();
    };
    socket.onclose = () => {
      clearTimeout(timer);
      reject(new Error("The server did not take the new subscription."));
    };
  });
}

addEventListener("push", (event) => {
  const { data } = event as PushEvent;
  if (data) (event as PushEvent).waitUntil(show(data.json() as Message));
});
addEventListener("notificationclick", (event) =>
  (event as ClickEvent).waitUntil(open((event as ClickEvent).notification)),
);
addEventListener("pushsubscriptionchange", (event) =>
  (event as SubscriptionEvent).waitUntil(renew(event as SubscriptionEvent)),
);
