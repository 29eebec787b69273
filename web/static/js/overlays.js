// The list of overlays: their addresses as they were chosen to look, and one of them to look at.

import { t } from "./words.js";

const $ = (id) => document.getElementById(id);
const { root, key } = document.body.dataset;
let shown = "board";

// One at a time: each holds a connection, of which a browser has six.
function address(part, base) {
  const asked = new URLSearchParams([...new FormData($("look"))].filter(([, value]) => value));
  if (key) asked.set("key", key);
  const query = asked.toString();
  return `${base}overlay/${part}${query ? `?${query}` : ""}`;
}

function draw() {
  for (const item of $("parts").children) {
    const { part } = item.dataset;
    item.querySelector("input").value = address(part, root);
    item.querySelector(".show").setAttribute("aria-pressed", String(part === shown));
  }
  $("preview").dataset.part = shown;
  const here = address(shown, "");
  if ($("preview").getAttribute("src") !== here) $("preview").src = here;
}

$("look").addEventListener("change", draw);
$("parts").addEventListener("click", async ({ target }) => {
  const item = target.closest("li");
  if (target.matches(".show")) {
    shown = item.dataset.part;
    draw();
  }
  if (!target.matches(".copy")) return;
  item.querySelector("input").select();
  try {
    await navigator.clipboard.writeText(item.querySelector("input").value);
    $("copied").textContent = t("The address is copied.");
  } catch {
    // On plain http a page may not copy: the address is chosen, ready to be.
  }
});
draw();
