/* The worker of a page begins before the page is read; and a file of the page that is missing or damaged is said, where
   nothing else may be there to say it. */
"use strict";

const early = { worker: null, failed: "" };
if (typeof WebAssembly === "object" && typeof Worker === "function") {
  early.worker = new Worker("worker.mjs", { type: "module" });
  early.worker.onerror = (error) => { early.failed = error.message || "worker.mjs is missing or damaged"; };
} else early.failed = "This browser has no WebAssembly or no workers";

addEventListener("error", ({ target, error, filename, message }) => {
  const file = (target.src || target.href || filename || "").split("?")[0].split("/").slice(-2).join("/");
  const gone = target.integrity ? "missing or damaged" : "missing";
  const why = target !== window ? `${file} is ${gone}` : error instanceof SyntaxError ? `${file} is damaged: ${message}` : "";
  if (!why) return;
  const say = () => {
    const gone = document.getElementById("gone");
    if (!gone || !gone.hidden) return;
    gone.textContent = `This page is not whole: ${why}. What was played is kept in this browser.`;
    gone.hidden = false;
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", say);
  else say();
}, true);
