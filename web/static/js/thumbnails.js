// The pictures that are kept of a turn or a flag: the last one small, all of them behind a tap.

import { html } from "./dom.js";
import { hasFrames, t } from "./words.js";

const WRITTEN_MS = 1500; // writing the pictures takes about that long, then half of it again on a small machine
const TRIES = 6;
const thumbnails = new Map();

// query: what tells it from whatever has its number in another game or match.
export function thumbnail(address, query = "") {
  const key = address + query;
  if (!thumbnails.has(key)) thumbnails.set(key, newThumbnail(address, query));
  return thumbnails.get(key);
}

function newThumbnail(address, query) {
  if (!hasFrames) return ""; // no camera saw it
  const small = html("img", { src: `${address}/after.jpg${query}`, alt: "" });
  const look = html("button", { type: "button", class: "thumbnail", "aria-label": t("What the camera saw"), hidden: "" }, small);
  let tries = 0;
  small.addEventListener("load", () => {
    look.hidden = false;
  });
  small.addEventListener("error", () => {
    tries += 1;
    if (tries < TRIES) setTimeout(() => { small.src = small.src; }, tries * WRITTEN_MS);
  });
  look.addEventListener("click", () => {
    const shot = (name, element) => {
      const figure = html("figure", {}, element, html("figcaption", {}, name));
      element.addEventListener("error", () => figure.remove());
      return figure;
    };
    const picture = (name, which) => shot(name, html("img", { src: `${address}/${which}.jpg${query}`, alt: name }));
    const clip = html("video", { src: `${address}/clip.webm${query}`, controls: "", preload: "metadata" });
    document.getElementById("shots").replaceChildren(picture(t("Before"), "before"), picture(t("After"), "after"), shot(t("The seconds before"), clip));
    document.getElementById("picture").showModal();
  });
  return look;
}
