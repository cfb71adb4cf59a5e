// The console: opens a WebSocket to this server, as JSON, and shows every frame of it.
const BASE = new URL(`${document.documentElement.dataset.base}/`, location.href);
const KEPT = 300; // frames
const FIRST_ID = 1;
const HIDDEN = /("token":\s*")[^"]+/g;

/** Make an element with attributes and children. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The identity of the player in this browser; null if it has none. */
function storedToken() {
  try {
    return JSON.parse(localStorage.getItem("parlour.token"));
  } catch {
    return null;
  }
}

export async function startConsole(place) {
  const token = storedToken();
  const who = make("select", { id: "console-who" }, new Option("a new guest", "guest"));
  if (token) who.append(new Option("the player of this browser", "player"));
  const connect = make("button", { type: "button", class: "primary" }, "Connect");
  const state = make("span", { role: "status", class: "state" }, "Not connected");
  const examples = make("select", { id: "console-example", disabled: "" });
  const text = make("textarea", { id: "console-text", rows: "5", spellcheck: "false", "aria-describedby": "console-hint" });
  const send = make("button", { type: "submit", class: "primary", disabled: "" }, "Send");
  const fault = make("p", { role: "alert", class: "fault" });
  const pings = make("input", { type: "checkbox", id: "console-pings" });
  const clear = make("button", { type: "button" }, "Clear");
  const frames = make("div", { class: "frames", role: "log", "aria-label": "Frames", tabindex: "0" });
  const form = make(
    "form",
    {},
    make("label", { for: examples.id }, "Example"),
    examples,
    make("label", { for: text.id }, "Message"),
    text,
    make("p", { id: "console-hint" }, "Ctrl+Enter sends it. A command without an id gets the next one."),
    send,
    fault,
  );
  place.replaceChildren(
    make("div", { class: "row" }, make("label", { for: who.id }, "Connect as"), who, connect, state),
    form,
    make("div", { class: "row" }, make("label", {}, pings, " Show pings"), clear),
    frames,
  );

  let socket = null;
  let nextId = FIRST_ID;
  let room = null;

  const show = (direction, raw, kind = "") => {
    const names = { sent: "→ sent", received: "← received", note: "· note" };
    const time = new Date().toISOString().slice(11, 23);
    const line = make("div", { class: `frame ${direction} ${kind}` });
    const head = [make("b", {}, names[direction]), " ", make("time", {}, time), " "];
    if (direction === "note") line.append(...head, raw);
    else {
      const safe = raw.replace(HIDDEN, "$1(hidden)");
      const pretty = JSON.stringify(JSON.parse(safe), null, 2);
      const summary = make("summary", {}, ...head, make("code", {}, safe.length > 400 ? `${safe.slice(0, 400)}…` : safe));
      line.append(make("details", {}, summary, make("pre", { tabindex: "0" }, pretty)));
    }
    const atEnd = frames.scrollHeight - frames.scrollTop - frames.clientHeight < 40;
    frames.append(line);
    while (frames.children.length > KEPT) frames.firstChild.remove();
    if (atEnd) frames.scrollTop = frames.scrollHeight;
  };

  const isPing = (message) => message.t === "ping" || message.t === "pong";

  const transmit = (message) => {
    const raw = JSON.stringify(message);
    socket.send(raw);
    show("sent", raw, isPing(message) ? "ping" : "");
  };

  const receive = (raw) => {
    const message = JSON.parse(raw);
    show("received", raw, isPing(message) ? "ping" : "");
    if (message.t === "welcome") {
      state.textContent = `Connected as ${message.you.name}`;
      send.disabled = false;
    }
    if ((message.t === "ok" || message.t === "paired" || message.t === "room") && message.room) room = message.room;
  };

  const open = () => {
    const url = new URL("../ws", BASE);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(url, ["parlour.v1+json"]);
    state.textContent = "Connecting…";
    connect.textContent = "Disconnect";
    nextId = FIRST_ID;
    room = null;
    const mine = who.value === "player" ? { token } : {};
    let timer = 0;
    socket.addEventListener("open", () => {
      show("note", `Open: ${url.href}, ${socket.protocol}`);
      transmit({ t: "hello", client: "console", ...mine });
      timer = setInterval(() => transmit({ t: "ping", n: Date.now() }), 10_000);
    });
    socket.addEventListener("message", ({ data }) => receive(data));
    socket.addEventListener("close", ({ code, reason }) => {
      clearInterval(timer);
      show("note", `Closed with code ${code}${reason ? `: ${reason}` : ""}`);
      state.textContent = "Not connected";
      connect.textContent = "Connect";
      send.disabled = true;
      socket = null;
    });
  };

  connect.addEventListener("click", () => (socket ? socket.close() : open()));
  clear.addEventListener("click", () => frames.replaceChildren());
  pings.addEventListener("change", () => frames.classList.toggle("with-pings", pings.checked));
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    fault.textContent = "";
    if (send.disabled) return;
    try {
      const message = JSON.parse(text.value);
      const wantsId = !Array.isArray(message) && message.t !== "hello" && message.t !== "ping";
      if (wantsId && message.id === undefined) message.id = nextId;
      if (Number.isInteger(message.id)) nextId = Math.max(nextId, message.id + 1);
      transmit(message);
    } catch (error) {
      fault.textContent = `This is not JSON: ${error.message}`;
    }
  });

  // The examples are those of the test vectors, without ids, and with the reader's own room.
  const answer = await fetch(new URL("protocol/vectors/messages.json", BASE));
  const vectors = answer.ok ? await answer.json() : { messages: [] };
  const found = new Map();
  for (const { direction, t, json } of vectors.messages ?? vectors)
    if (direction === "client" && t !== "hello" && !found.has(t)) found.set(t, json);
  examples.append(...[...found.keys()].map((name) => new Option(name, name)));
  examples.disabled = false;
  const choose = () => {
    const { id: _, ...message } = found.get(examples.value) ?? { t: "ping" };
    if ("room" in message && room) message.room = room;
    text.value = JSON.stringify(message, null, 2);
  };
  examples.addEventListener("change", choose);
  choose();
}
