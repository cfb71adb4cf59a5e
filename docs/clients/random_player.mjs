// A complete Parlour client: plays one game of random turns and survives whatever happens to its connection.
import { decode, encode } from "@msgpack/msgpack";
const { PARLOUR_URL, PARLOUR_GAME = "replica" } = process.env;
const MOVED = ["t", "room", "epoch", "seq", "hash", "move", "clock", "change"]; // the one array; its t is 0
const pending = new Map(); // commands by id: they stay here until they are answered
let socket, room, scene, result, token = null, session = null, welcome = false, lastId = 0, epoch = 0, seq = 0;
function connect() {
  let timer, own = (socket = new WebSocket(PARLOUR_URL, "parlour.v1+msgpack"));
  const hello = { t: "hello", client: "random_player.mjs", token, session, rooms: scene ? [[room, epoch, seq]] : [] };
  const leave = () => { own.onclose(); own.close(); }; // it is silent, and does not answer a ping either
  const probe = () => { own.send(encode({ t: "ping" })); timer = setTimeout(leave, 2000); };
  own.binaryType = "arraybuffer";
  own.onopen = () => own.send(encode(hello));
  own.onmessage = ({ data }) => { clearTimeout(timer); timer = setTimeout(probe, 2000); take(decode(data)); };
  own.onclose = () => { clearTimeout(timer); [own.onclose, own.onmessage, welcome] = [null, null, false];
    if (!result) setTimeout(connect, 200); }; // continue on another connection
}
const send = (command) => { if (welcome) socket.send(encode(command)); }; // else it goes out after welcome
const ask = (t, fields) => { pending.set(++lastId, { t, id: lastId, ...fields }); send(pending.get(lastId)); };
const waiting = (fits) => [...pending.values()].some(fits);

function take(message) {
  if (Array.isArray(message)) message = Object.fromEntries(message.map((part, n) => [MOVED[n], part]));
  const { t, id, code } = message, later = code === "try_again" || code === "too_fast";
  if (t === "welcome") { ({ token, session } = message); welcome = true; pending.forEach((command) => send(command)); }
  if (later) setTimeout(() => send(pending.get(id)), 1000); // the same again, with the same id
  else if (room || t !== "ok") pending.delete(id); // queue stays until we are paired
  if (code === "stale_ply") ask("sync", { room, epoch: 0, seq: 0 }); // the whole room, which choices will follow
  else if (t === "refused" && !later) throw new Error(message.text);
  if (t === "paired" && !room) { ({ room } = message); pending.clear(); ask("join", { room }); }
  if (t === "room") { ({ epoch, seq, scene } = message); seq -= 1; } // as good as known, if the hash is right
  if (t === 0 || t === "room" || t === "event") update(message);
  if (t === "choices" && !waiting((command) => command.ply === message.ply)) move(message);
  if (message.result) { ({ result } = message); socket.close(); }
}
function update({ epoch: newEpoch, seq: newSeq, hash, change }) {
  if (newEpoch === epoch && newSeq === seq + 1) { // the next one: apply the change and compare the hash
    if (change) scene = patch(scene, change);
    [epoch, seq] = crc32(encode(scene)) === hash ? [newEpoch, newSeq] : [0, 0]; // wrong: we know nothing
  }
  const missed = newEpoch > epoch || (newEpoch === epoch && newSeq > seq);
  if (missed && !waiting((command) => command.t === "sync")) ask("sync", { room, epoch, seq });
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
