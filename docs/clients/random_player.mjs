// A complete Parlour client: plays one game of random turns and survives whatever happens to its connection.
import { decode, encode } from "@msgpack/msgpack";
const { PARLOUR_URL, PARLOUR_GAME = "replica" } = process.env;
const MOVED = ["t", "room", "epoch", "seq", "hash", "move", "clock", "change"]; // the one array; its t is 0
const LATER = ["try_again", "too_fast", "too_many_seeks", "computer_busy"]; // the same again, with the same id
const pending = new Map(); // commands by id: they stay here until they are answered
const timers = new Map(); // by id of the command: until the server should have answered, or it is sent again
let addresses = [PARLOUR_URL], failures = 0, token = null, session = null, welcome = false, lastId = 0;
let socket, room, scene, result, epoch = 0, seq = 0;
function connect() {
  let timer, own = (socket = new WebSocket(addresses[0], "parlour.v1+msgpack"));
  const leave = () => { own.onclose({}); own.close(); }; // it is silent, and does not answer a ping either
  const probe = () => { send({ t: "ping" }); timer = setTimeout(leave, 2000); };
  own.leave = leave;
  own.binaryType = "arraybuffer";
  timer = setTimeout(leave, 4000);
  own.onopen = hello;
  own.onmessage = ({ data }) => { clearTimeout(timer); timer = setTimeout(probe, 2000); take(decode(data)); };
  own.onclose = ({ code }) => {
    [timer, ...timers.values()].forEach(clearTimeout);
    [own.onclose, own.onmessage, failures, welcome] = [null, null, welcome ? 0 : failures + 1, false];
    if (result) return;
    if (code === 4003 || code === 4004) process.exit(1); // another program took over, or the player signed out
    addresses.push(addresses.shift());
    setTimeout(connect, Math.min(200 * 2 ** failures, 5000)); // continue on another connection
  };
}
function hello() {
  const rooms = scene ? [[room, epoch, seq]] : [];
  socket.send(encode({ t: "hello", client: "random_player.mjs", token, session, rooms }));
}
const send = (message) => { if (welcome) socket.send(encode(message)); }; // else it goes out after welcome
function command(id) {
  send(pending.get(id));
  if (welcome) timers.set(id, setTimeout(socket.leave, 10_000)); // it answers pings, but not this command
}
const ask = (t, fields) => { pending.set(++lastId, { t, id: lastId, ...fields }); command(lastId); };
const waiting = (fits) => [...pending.values()].some(fits);
const sync = () => { if (!waiting(({ t }) => t === "sync")) ask("sync", { room, epoch, seq }); };

function take(message) {
  if (Array.isArray(message)) message = Object.fromEntries(message.map((part, n) => [MOVED[n], part]));
  const { t, id, code } = message, later = LATER.includes(code);
  addresses = [...new Set([...addresses, ...(message.nodes ?? [])])];
  clearTimeout(timers.get(id));
  if (t === "welcome") { ({ token, session } = message); welcome = true; [...pending.keys()].forEach(command); }
  if (later && id) timers.set(id, setTimeout(command, Math.max(1000, message.retry_after ?? 0), id));
  else if (later) socket.leave(); // hello: try another connection
  else if (room || t !== "ok") pending.delete(id); // queue stays until we are paired
  if (code === "token_unknown") { token = session = room = scene = null; hello(); }
  else if (code === "stale_ply") { epoch = seq = 0; sync(); } // the whole room, which choices will follow
  else if (t === "refused" && !later && code !== "game_over") throw new Error(message.text);
  if (t === "pong" && scene) for (const [, ...newest] of message.rooms ?? []) if (isNews(...newest)) sync();
  if (t === "paired" && !room) { ({ room } = message); pending.clear(); ask("join", { room }); }
  if (t === "room") { ({ epoch, seq, scene } = message); seq -= 1; } // as good as known, if the hash is right
  if (t === 0 || t === "room" || t === "event") update(message);
  if (t === "choices" && !waiting((command) => command.ply === message.ply)) move(message);
  if (message.result) {
    ({ result } = message);
    console.log(room, result);
    timers.forEach(clearTimeout);
    socket.close();
  }
}
const isNews = (newEpoch, newSeq) => newEpoch > epoch || (newEpoch === epoch && newSeq > seq);
function update({ epoch: newEpoch, seq: newSeq, hash, change }) {
  if (newEpoch === epoch && newSeq === seq + 1) { // the next one: apply the change and compare the hash
    if (change) scene = patch(scene, change);
    [epoch, seq] = crc32(encode(scene)) === hash ? [newEpoch, newSeq] : [0, 0]; // wrong: we know nothing
  } else if (newEpoch > epoch) epoch = seq = 0; // the numbering has started over
  if (isNews(newEpoch, newSeq)) sync();
}
function patch([pieces, tallies], [changed, counted, toMove, marks, note]) {
  const stacks = new Map([...pieces, ...changed].map((stack) => [stack[0], stack]));
  for (const [seat, ...numbers] of counted) tallies[seat] = numbers;
  const left = [...stacks.values()].filter((stack) => stack.length > 1);
  return [left.sort((a, b) => a[0] - b[0]), tallies, toMove, marks, note];
}
function move({ ply, step, picks = [] }, more = false) {
  while (step && !more) { // a pick is a place, or [place, label, kind, cell, then, more]
    const pick = [step[1][Math.floor(Math.random() * step[1].length)]].flat(1);
    [step, more, picks] = [pick[4], pick[5], [...picks, pick[0]]];
  }
  ask(more ? "explore" : "play", { room, ply, picks });
}
const shift = (crc) => (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
const crc32 = (bytes) => ~bytes.reduce((crc, byte) => [7, 6, 5, 4, 3, 2, 1, 0].reduce(shift, crc ^ byte), -1) >>> 0;
ask("queue", { terms: { game: PARLOUR_GAME } });
connect();
