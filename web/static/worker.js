// Keeps the viewers' page for when there is no network: what it is made of, as it came last. The position it keeps itself (lastseen.js).

const KEPT = "vrhcab";
const PAGE = new URL("./", self.location).pathname;
const ANY = { ignoreSearch: true, ignoreVary: true }; // whatever was asked of an address, in whatever language

const isKept = ({ origin, pathname }) => origin === self.location.origin && (pathname === PAGE || pathname.startsWith(`${PAGE}static/`));

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// The page says what it was made of when it came without the worker; the browser still has all of it.
self.addEventListener("message", (event) => event.waitUntil(keep(event.data)));

async function keep(addresses) {
  await Promise.all(
    addresses.filter((address) => isKept(new URL(address))).map(async (address) => {
      const answer = await fetch(address, { cache: "force-cache" });
      if (answer.ok) await keepOne(address, answer);
    }),
  );
}

async function newest(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await keepOne(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await caches.match(request, ANY);
    if (kept) return kept;
    throw error;
  }
}

// In the place of what came before it, also by a link with a query: of several the oldest would be shown.
async function keepOne(request, answer) {
  try {
    const kept = await caches.open(KEPT);
    await kept.put(request, answer);
    const older = (await kept.keys(request, ANY)).slice(0, -1);
    await Promise.all(older.map((one) => kept.delete(one)));
  } catch {
    // A phone that is full keeps nothing, and shows what has come all the same.
  }
}

self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && isKept(new URL(event.request.url))) event.respondWith(newest(event.request));
});

// At a hub: a board needs somebody, and this browser has asked to be told.
self.addEventListener("push", (event) => {
  let alert = {};
  try {
    alert = event.data.json();
  } catch {
    // A push service must see something shown, whatever came.
  }
  const { board = "", sentence = "", tag } = alert;
  // What has come again is heard again, though the one before lies there still.
  const shown = { body: sentence, tag: tag || "vrhcab", renotify: true, icon: "static/icon-192.png", data: board };
  event.waitUntil(self.registration.showNotification(board || "Vrhcáb", shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const page = new URL(event.notification.data ? `boards/${encodeURIComponent(event.notification.data)}/` : "alerts", self.registration.scope);
  event.waitUntil(self.clients.openWindow(page.href));
});
