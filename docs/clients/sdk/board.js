// A live board: board.html?server=https://play.example.org shows the game most worth watching there, move by move.
import { Connection, placeName, seatToMove, stacksOf, tallyText } from "./node_modules/parlour-client/dist/parlour-client.min.js";

const server = new URLSearchParams(location.search).get("server") ?? "http://127.0.0.1:8765";
const element = (id) => document.getElementById(id);
let watched = null; // the room

const connection = new Connection(server, { client: "live board 1.0" });
connection.listen((message) => {
  const game = message.featured || message.live?.[0]?.room;
  if (game && !watched) {
    watched = game;
    connection.call({ t: "join", room: game });
  }
  const replica = connection.rooms.get(watched);
  if (replica?.inSync) show(replica);
});
connection.call({ t: "watch_lobby" });

/** Show a room: who plays, the board, and whose turn it is or how the game ended. */
function show({ room, scene, players, moves, result }) {
  const { board } = room;
  element("players").textContent = players.map(({ player }) => player.name).join(" against ");
  draw(board, scene);
  const seat = seatToMove(scene);
  const tallies = board.seats.map(({ name }, seat) => `${name}: ${tallyText(board, scene, seat)}`).join(" · ");
  const news = result ? `over: ${result.reason}` : seat === null ? "" : `${board.seats[seat].name} to move`;
  element("status").textContent = `${tallies} · after ${moves.length} moves · ${news}`;
}

/** Draw what is on a board. Every game looks the same here: cells, and pieces on them in the colours of their seats. */
function draw(board, scene) {
  const { columns, rows, glyphs, seats, rim = [] } = board;
  const svg = element("board");
  svg.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
  svg.replaceChildren();
  const at = (cell) => [cell % columns, rows - 1 - Math.floor(cell / columns)]; // cells are numbered from the bottom left
  for (let cell = 0; cell < columns * rows; cell++) {
    const [x, y] = at(cell);
    const fill = rim.includes(cell) ? "none" : "burlywood";
    add("rect", { x, y, width: 1, height: 1, fill, stroke: "peru", "stroke-width": 0.03 });
  }
  for (const [place, ...stack] of stacksOf(scene)) {
    if (place >= columns * rows) continue; // beside the board
    const [x, y] = at(place);
    stack.forEach((index, height) => {
      const { name, seat, columns: width = 1, rows: reach = 1, label, text, shape } = glyphs[index];
      const tone = seat == null ? "grey" : seats[seat].tone === "dark" ? "black" : "white";
      const across = 0.8 - 0.2 * Math.min(height, 3); // the pieces below stay visible
      const size = { width: width - 1 + across, height: reach - 1 + across };
      const corner = { x: x + (1 - across) / 2, y: y + 1 - reach + (1 - across) / 2, rx: shape === "block" ? 0 : 0.4 };
      const piece = add("rect", { ...corner, ...size, fill: tone, stroke: "dimgrey", "stroke-width": 0.05 });
      piece.append(Object.assign(create("title"), { textContent: `${name} on ${placeName(board, place)}` }));
      const sign = add("text", { x: x + 0.5, y: y + 0.62, "font-size": 0.35, "text-anchor": "middle", fill: "crimson" });
      sign.textContent = label || (seat == null || shape === "king" ? text : "");
    });
  }
}

function add(name, attributes) {
  const made = create(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  element("board").append(made);
  return made;
}

function create(name) {
  return document.createElementNS("http://www.w3.org/2000/svg", name);
}
