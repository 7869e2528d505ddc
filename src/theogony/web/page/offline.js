/* The service worker of these pages: what a page has loaded is kept in the browser, and answers where there is no
   network. With a network nothing comes from here, so pages are never old.
   A page sends {keep}: addresses, and hears {kept}: how many of them are here. */
"use strict";

const KEPT = "theogony pages 1";
/** A page is one whatever its address asks for. */
const name = (address) => address.replace(/[?#].*$/, "");
const marks = ({ headers }) => ["etag", "last-modified", "content-length"].map((mark) => headers.get(mark)).join();

/** Keep an answer, unless it is here already. */
async function keep(address, answer) {
  if (!answer.ok || answer.type === "opaque") return;
  const cache = await caches.open(KEPT), old = await cache.match(name(address));
  if (old && marks(old) === marks(answer) && marks(old) !== ",,") return;
  await cache.put(name(address), answer);
}

async function answered(event) {
  const { request } = event;
  try {
    const answer = await fetch(request);
    event.waitUntil(keep(request.url, answer.clone()).catch(() => {})); // there may be no room
    return answer;
  } catch (error) {
    const found = await (await caches.open(KEPT)).match(name(request.url));
    if (found) return found;
    throw error;
  }
}

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => { if (event.request.method === "GET" && /^https?:/.test(event.request.url)) event.respondWith(answered(event)); });
addEventListener("message", (event) => event.waitUntil((async () => {
  const cache = await caches.open(KEPT);
  const one = async (address) => (await cache.match(name(address))) || keep(address, await fetch(address, { cache: "force-cache" }));
  const done = await Promise.allSettled(event.data.keep.map(one));
  event.source.postMessage({ kept: done.filter(({ status }) => status === "fulfilled").length });
})()));
