// The clock: seconds as people read them, counted on between two views.

/** Seconds that a side has left, so many seconds after its view arrived. */
function secondsLeft(clock, side, since) {
  if (clock.running !== side) return clock[side];
  return clock[side] - Math.max(0, since - clock.delay);
}

/** "12:05", with a minus when the time is over. */
function clockText(seconds) {
  const whole = Math.ceil(Math.abs(seconds));
  const over = seconds < 0 ? "−" : "";
  return `${over}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Keeps every element with data-clock="light" or "dark" true; returns what takes each new view, and the seconds for which it has been
 * shown already, or nothing where the elements are new. */
export function keepClocks(root = document) {
  let clock = null;
  let arrived = 0;
  const show = () => {
    for (const element of root.querySelectorAll("[data-clock]")) {
      element.hidden = !clock;
      if (!clock) continue;
      const left = secondsLeft(clock, element.dataset.clock, (performance.now() - arrived) / 1000);
      element.textContent = clockText(left);
      element.classList.toggle("over", left < 0);
      element.classList.toggle("runs", clock.running === element.dataset.clock);
    }
  };
  setInterval(show, 250);
  return (view = null, age = 0) => {
    if (view) [clock, arrived] = [view.clock ?? null, performance.now() - 1000 * age];
    show();
  };
}
