// A board of the hub's feed, or all of a tournament, in a frame of another site's page (controller/hub/embedding.py).

import { follow } from "./stream.js";
import { svg } from "./svg.js";
import { readTiles, Tiles } from "./tiles.js";
import { definitions } from "./wood.js";
import { named } from "./words.js";

const { root, one } = document.body.dataset;

/** As a wall has it: the feed says nothing of a board's machine. */
function tileOf({ board, view }) {
  return { board, view, silent: null, troubles: [], messages: [] };
}

function read(news) {
  return one ? { tiles: [{ board: one, view: named(news) }] } : readTiles(news);
}

document.body.append(svg("svg", { class: "definitions", "aria-hidden": "true" }, definitions()));
const tiles = new Tiles(document.getElementById("tiles"), () => "");
follow(
  ({ tiles: changed }) => {
    tiles.show(changed.map(tileOf));
    document.getElementById("none").hidden = tiles.all.length > 0;
  },
  (state) => {
    document.body.dataset.connection = state; // faded while nothing is heard: a picture that stands must not pass for live
  },
  root,
  "",
  read,
  "state",
);
