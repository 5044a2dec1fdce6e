// purexp.live.call(name, request, {progress, signal}) calls the Go package live in a Web Worker, so that the page stays
// responsive. The promise resolves to the answer, or rejects with an Error.
//
// A page opened from disk can neither fetch files nor start a worker from a file. Therefore docker/book.py stores the
// program as text in a script (live/module.js), and the worker is a Blob. The program is compiled once. Aborting a call
// (AbortSignal) terminates its worker; the next call starts a new worker within milliseconds.
"use strict";
purexp.live = (function () {
  let program = null; // a promise of {exec, module}
  let worker = null; // a promise of a worker that is ready
  let turn = Promise.resolve(); // resolves when the previous call has ended, because calls run one after another

  async function load() {
    await purexp.load("live/module.js");
    const { exec, wasm } = purexp.module;
    delete purexp.module; // frees megabytes of memory
    const packed = Uint8Array.from(atob(wasm), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return { exec, module: await WebAssembly.compile(await new Response(stream).arrayBuffer()) };
  }

  // The script of the worker, which follows Go's wasm_exec.js.
  const glue = `
    self.purexpReady = () => postMessage({ ready: true });
    self.onmessage = ({ data }) => {
      if (data.module) {
        const go = new Go();
        WebAssembly.instantiate(data.module, go.importObject).then(instance => go.run(instance));
        return;
      }
      const tell = (done, of) => postMessage({ id: data.id, done, of });
      postMessage({ id: data.id, answer: purexpCall(data.name, data.request, tell) });
    };`;

  async function start() {
    program = program || load();
    let parts;
    try {
      parts = await program;
    } catch (err) {
      program = null;
      throw err;
    }
    const url = URL.createObjectURL(new Blob([parts.exec, glue], { type: "text/javascript" }));
    const w = new Worker(url);
    await new Promise(function (ready, failed) {
      w.onmessage = () => ready();
      w.onerror = event => failed(new Error("The program did not start: " + event.message));
      w.postMessage({ module: parts.module });
    });
    URL.revokeObjectURL(url);
    return w;
  }

  const aborted = () => new DOMException("Cancelled", "AbortError");

  async function one(name, request, { progress, signal } = {}) {
    if (signal && signal.aborted) throw aborted();
    worker = worker || start();
    let w;
    try {
      w = await worker;
    } catch (err) {
      worker = null;
      throw err;
    }
    return new Promise(function (done, failed) {
      const stop = function () {
        w.terminate();
        worker = null;
        failed(aborted());
      };
      if (signal) {
        if (signal.aborted) return stop();
        signal.addEventListener("abort", stop, { once: true });
      }
      w.onerror = function (event) {
        worker = null;
        w.terminate();
        failed(new Error("The program stopped: " + event.message));
      };
      w.onmessage = function ({ data }) {
        if (data.done !== undefined) {
          if (progress) progress(data.done, data.of);
          return;
        }
        if (signal) signal.removeEventListener("abort", stop);
        const { answer, error } = JSON.parse(data.answer);
        if (error) failed(new Error(error));
        else done(answer);
      };
      w.postMessage({ name, request: JSON.stringify(request) });
    });
  }

  function call(name, request, options) {
    const result = turn.then(() => one(name, request, options));
    turn = result.catch(() => 0);
    return result;
  }

  return { call };
})();
