// The wall: every board of the hall at once, as large as they fit. A tile leads to its board's own page.

import { keepConnection } from "./connection.js";
import { follow } from "./stream.js";
import { svg } from "./svg.js";
import { readTiles, stateOf, Tiles } from "./tiles.js";
import { tn } from "./words.js";
import { definitions } from "./wood.js";

const $ = (id) => document.getElementById(id);

function tell() {
  const all = tiles.all.map(stateOf);
  const count = (state) => all.filter((one) => one === state).length;
  const parts = [tn("{n} board", "{n} boards", all.length)];
  if (count("flagged")) parts.push(tn("{n} with a flag", "{n} with a flag", count("flagged")));
  if (count("silent")) parts.push(tn("{n} silent", "{n} silent", count("silent")));
  $("summary").textContent = parts.join(" · ");
  $("none").hidden = all.length > 0;
}

function onTiles({ sequence, tiles: changed, whole }) {
  tiles.show(changed);
  if (whole) tiles.keep(changed); // a board that was removed is not there any more when the hub has started anew
  document.body.dataset.sequence = sequence;
  tell();
}

document.body.append(svg("svg", { class: "definitions", "aria-hidden": "true" }, definitions()));
const tiles = new Tiles($("tiles"), (name) => `boards/${name}/`);
follow(onTiles, keepConnection($("connection")), "", "", readTiles);
