// What a phone does for the page: keeps its screen on during a match, keeps the page for when there is no network, hands it on to others.

/** check() keeps the screen on while wanted() says so, where the browser lets a page: over https, and on this machine itself. */
export function keepAwake(wanted) {
  let lock = null;
  let asking = false;

  async function check() {
    const may = navigator.wakeLock && document.visibilityState === "visible";
    if (lock?.released) lock = null;
    if (may && wanted() && !lock && !asking) {
      asking = true;
      lock = await navigator.wakeLock.request("screen").catch(() => null); // a battery that is low refuses
      asking = false;
    } else if (lock && !wanted()) {
      lock.release();
      lock = null;
    }
  }

  document.addEventListener("visibilitychange", check);
  return check;
}

/** Has the page kept by its worker. */
export async function keepPage() {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register("worker.js");
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage([location.href.split(/[?#]/)[0], ...performance.getEntriesByType("resource").map(({ name }) => name)]);
  } catch {
    // A browser that keeps nothing shows the page all the same.
  }
}
