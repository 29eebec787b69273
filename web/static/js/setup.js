// Where the board lies in the camera's picture: found by the program, put right by hand, with a loupe.

import { get } from "./api.js";
import { html } from "./dom.js";
import { svg } from "./svg.js";
import { t } from "./words.js";

const WEAK = {
  dark: "The picture is dark. Put a lamp over the board.",
  small: "The board is small in the picture. Bring the camera nearer or let it see more sharply.",
  glare: "Light glares on the board. Move the lamp or the camera a little.",
  blurred: "The picture is blurred. Focus the camera and clean its lens.",
  unsure: "The corners are doubtful. Look at each with care.",
};
const STEP = 2; // px that an arrow key moves a corner
const LOUPE = 60; // px of the picture that the loupe shows from its middle

/** Makes the set-up's controls work. parts: its elements; say: {order, tell} of the desk. */
export function setUp(parts, { order, tell }) {
  let corners = [];
  let size = [1280, 720];
  let address = "";

  async function look() {
    parts.look.disabled = true;
    const found = await get("api/find");
    parts.look.disabled = false;
    parts.weak.replaceChildren(...[...(found.error ? [found.error] : []), ...(found.weak ?? []).map((code) => t(WEAK[code] ?? code))].map((text) => html("li", {}, text)));
    size = found.size ?? size;
    const [width, height] = size;
    corners = found.corners
      ? found.corners.split(" ").map((pair) => pair.split(",").map(Number))
      : [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]].map(([x, y]) => [x * width, y * height]);
    if (found.home) parts.home.value = found.home;
    address = `api/camera.jpg?${Date.now()}`;
    parts.picture.parentElement.hidden = false;
    parts.save.disabled = false;
    draw();
  }

  function draw() {
    const [width, height] = size;
    parts.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    parts.picture.replaceChildren(
      svg("image", { href: address, width, height }),
      svg("polygon", { class: "outline", points: corners.map(String).join(" ") }),
      ...corners.map(([x, y], index) =>
        svg("circle", { class: "handle", cx: x, cy: y, r: width / 45, tabindex: 0, "data-corner": index, "aria-label": t("Corner {number}", { number: index + 1 }) }),
      ),
    );
  }

  function move(index, x, y) {
    corners[index] = [Math.min(Math.max(x, 0), size[0] - 1), Math.min(Math.max(y, 0), size[1] - 1)];
    const handle = parts.picture.querySelector(`[data-corner="${index}"]`);
    handle.setAttribute("cx", corners[index][0]);
    handle.setAttribute("cy", corners[index][1]);
    parts.picture.querySelector(".outline").setAttribute("points", corners.map(String).join(" "));
    showLoupe(index);
  }

  function showLoupe(index) {
    const [x, y] = corners[index];
    parts.loupe.setAttribute("viewBox", `${x - LOUPE} ${y - LOUPE} ${2 * LOUPE} ${2 * LOUPE}`);
    parts.loupe.replaceChildren(
      svg("image", { href: address, width: size[0], height: size[1] }),
      svg("path", { d: `M${x - LOUPE} ${y}h${2 * LOUPE}M${x} ${y - LOUPE}v${2 * LOUPE}`, stroke: "#5ddc7c", "stroke-width": 1 }),
    );
    parts.loupe.classList.add("shown");
    // Never under the finger: on the other side of the picture.
    parts.loupe.classList.toggle("right", x < size[0] / 2);
  }

  function place(event) {
    const frame = parts.picture.getBoundingClientRect();
    return [((event.clientX - frame.left) / frame.width) * size[0], ((event.clientY - frame.top) / frame.height) * size[1]];
  }

  parts.picture.addEventListener("pointerdown", (event) => {
    const index = event.target.dataset?.corner;
    if (index === undefined) return;
    event.target.focus();
    parts.picture.setPointerCapture(event.pointerId);
    const follow = (moved) => move(Number(index), ...place(moved));
    const end = () => {
      parts.picture.removeEventListener("pointermove", follow);
      parts.loupe.classList.remove("shown");
    };
    parts.picture.addEventListener("pointermove", follow);
    parts.picture.addEventListener("pointerup", end, { once: true });
    parts.picture.addEventListener("pointercancel", end, { once: true });
  });

  parts.picture.addEventListener("keydown", (event) => {
    const index = event.target.dataset?.corner;
    const steps = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    if (index === undefined || !steps) return;
    event.preventDefault();
    const [x, y] = corners[Number(index)];
    move(Number(index), x + steps[0], y + steps[1]);
  });

  parts.look.addEventListener("click", look);
  parts.save.addEventListener("click", async () => {
    const text = corners.map(([x, y]) => `${Math.round(x)},${Math.round(y)}`).join(" ");
    if (await order({ type: "table", corners: text, home: parts.home.value })) tell({ ok: true });
  });
}
