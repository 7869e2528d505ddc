/* The worker of a page begins before the page is read. */
"use strict";

const early = { worker: null, failed: "" };
if (typeof WebAssembly === "object" && typeof Worker === "function") {
  early.worker = new Worker("worker.mjs", { type: "module" });
  early.worker.onerror = (error) => { early.failed = error.message || "worker.mjs cannot be started"; };
} else early.failed = "This browser has no WebAssembly or no workers";
