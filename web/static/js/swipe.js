// A finger drawn across: one step on to the left, one back to the right, as pages are turned.

const FAR = 40; // px; less is a tap with an unsteady finger

/** swiped(1) or swiped(-1) after each swipe over the element. */
export function keepSwipes(element, swiped) {
  let from = null;
  element.style.touchAction = "pan-y"; // up and down still scrolls
  element.addEventListener("pointerdown", ({ clientX, clientY }) => {
    from = [clientX, clientY];
  });
  element.addEventListener("pointercancel", () => {
    from = null;
  });
  element.addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!from) return;
    const [x, y] = [clientX - from[0], clientY - from[1]];
    from = null;
    if (Math.abs(x) > FAR && Math.abs(x) > 2 * Math.abs(y)) swiped(x < 0 ? 1 : -1);
  });
}
