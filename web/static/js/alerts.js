// The director's page at a hub: has this browser called by Web Push when a board needs somebody, and no longer.

import { send } from "./api.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);
const key = $("phone").dataset.key;

function plainBytes(text) {
  const padded = text.replaceAll("-", "+").replaceAll("_", "/").padEnd(Math.ceil(text.length / 4) * 4, "=");
  return Uint8Array.from(atob(padded), (letter) => letter.charCodeAt(0));
}

function show(subscription, sentence) {
  $("phone").textContent = sentence ?? (subscription ? t("This phone is called when a board needs somebody.") : t("This phone is not called."));
  $("phone-call").hidden = Boolean(subscription);
  $("phone-leave").hidden = !subscription;
}

async function call(registration) {
  if ((await Notification.requestPermission()) !== "granted") {
    show(null, t("The browser does not allow notifications from this page; its settings do."));
    return;
  }
  let subscription = null;
  try {
    // One that the hub does not know any more may be bound to a key that it has no more.
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: plainBytes(key) });
  } catch {
    show(null, t("The browser's push service does not answer. Try again later."));
    return;
  }
  const answer = await send("alerts/phone", JSON.stringify(subscription));
  if (!answer.ok) {
    await subscription.unsubscribe();
    show(null, t("The hub did not take it. Load the page again, and try once more."));
    return;
  }
  show(subscription);
}

async function leave(subscription) {
  await send("alerts/phone/leave", JSON.stringify(subscription));
  await subscription.unsubscribe();
  show(null);
}

/** What shows a call; null where the browser has no such thing, or takes none from a page whose certificate it does not trust. */
async function worker() {
  if (!navigator.serviceWorker || !window.PushManager || !window.Notification) return null;
  try {
    await navigator.serviceWorker.register("worker.js");
    return await navigator.serviceWorker.ready;
  } catch {
    return null;
  }
}

async function begin() {
  const registration = await worker();
  if (!registration) {
    $("phone").textContent = t("This browser can't be called: it wants https, and a browser that has notifications.");
    return;
  }
  const held = await registration.pushManager.getSubscription();
  // The hub drops whom it could not call for days, and whoever was removed: the browser hears nothing of that.
  const known = held && (await send("alerts/phone/known", JSON.stringify(held)));
  const away = known?.status === 0 || known?.status >= 500; // the hub or its database: nobody knows of anything else
  show(known?.ok || away ? held : null);
  $("phone-call").addEventListener("click", () => call(registration));
  $("phone-leave").addEventListener("click", async () => {
    const subscription = await registration.pushManager.getSubscription();
    if (subscription) await leave(subscription);
    else show(null);
  });
}

begin();
