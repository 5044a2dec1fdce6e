// purexp.desk contains the functions shared by the pages with forms (planner.js and designs.js). The functions run calls
// with progress and cancellation, open and save files, show tables, and create links with the reader's data in the
// fragment. All data stay in the page. User texts are inserted as text and figures as images, which cannot run scripts.
"use strict";
purexp.desk = (function () {
  const LARGEST = 1 << 20; // the maximal size of a decompressed link, in bytes

  function el(tag, attributes = {}, ...children) {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
      else if (value !== false && value !== null && value !== undefined) e.setAttribute(name, value === true ? "" : value);
    }
    e.append(...children);
    return e;
  }
  const labelled = (text, control, hint) => el("label", {}, text, control, ...(hint ? [el("small", {}, hint)] : []));
  function select(options, value, onchange) {
    const s = el("select", { onchange }, ...options.map(o => el("option", { value: Array.isArray(o) ? o[0] : o }, Array.isArray(o) ? o[1] : o)));
    s.value = value;
    return s;
  }

  function save(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
    const a = el("a", { href: url, download: name });
    document.body.append(a);
    a.click();
    a.remove();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  }

  // Returns a button that opens files from disk and calls take({name: text}).
  function opener(text, accept, take, failed) {
    const input = el("input", { type: "file", multiple: true, accept, hidden: true, onchange: async () => {
      const files = {};
      try {
        for (const file of input.files) {
          if (file.size > 16 * LARGEST) throw new Error(`${file.name} has ${file.size} bytes; this page opens at most 16 MB. Use the command purexp instead.`);
          try {
            files[file.name] = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
          } catch {
            throw new Error(`${file.name} is not valid UTF-8 text; save it as CSV in UTF-8.`);
          }
        }
        input.value = "";
        await take(files);
      } catch (err) {
        failed(err);
      }
    } });
    const button = el("button", { type: "button", onclick: () => input.click() }, text);
    return el("span", {}, button, input);
  }

  // --- links
  async function pack(work) {
    const text = new TextEncoder().encode(JSON.stringify(work));
    if (text.length > LARGEST) throw new Error(`The problem has ${text.length} bytes; a link contains at most ${LARGEST} (1 MB). Save the files and send them instead.`);
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let s = "";
    for (const b of bytes) s += String.fromCharCode(b);
    return btoa(s).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }
  async function unpack(code) {
    let bytes;
    try {
      bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
    } catch {
      throw new Error("The link is damaged: parts are missing or changed. Ask the sender for a new link.");
    }
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const parts = [];
    let size = 0;
    for (;;) {
      let part;
      try {
        part = await reader.read();
      } catch {
        throw new Error("The link is damaged: its contents cannot be unpacked. Ask the sender for a new link.");
      }
      if (part.done) break;
      size += part.value.length;
      if (size > LARGEST) { // a short link may decompress to gigabytes
        reader.cancel().catch(() => 0);
        throw new Error(`The link contains more than ${LARGEST} bytes (1 MB) and was not opened. Ask the sender for the files.`);
      }
      parts.push(part.value);
    }
    try {
      return JSON.parse(await new Blob(parts).text());
    } catch {
      throw new Error("The link is damaged: its contents do not belong to this page. Ask the sender for a new link.");
    }
  }
  const link = async (key, work) => location.href.replace(/#.*/, "") + `#${key}=` + await pack(work);
  async function linked(key) {
    const at = location.hash.startsWith(`#${key}=`) ? location.hash.slice(key.length + 2) : "";
    return at ? unpack(at) : null;
  }

  // --- tables of texts, in a box that scrolls
  function table(columns, rows, caption) {
    return el("div", { class: "live-scroll", tabindex: 0, role: "region", "aria-label": caption }, el("table", {},
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, ...columns.map(c => el("th", { scope: "col" }, c)))),
      el("tbody", {}, ...rows.map(r => el("tr", {}, ...r.map((c, j) => j ? el("td", {}, c) : el("th", { scope: "row" }, c)))))));
  }
  // Returns a figure as an img element, which runs no scripts even if names in the figure contain any.
  function picture({ svg, alt }) {
    const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    return el("img", { src: url, alt, class: "live-picture", onload: () => URL.revokeObjectURL(url) });
  }

  // --- calls; body.dataset.state is ready, running, done, failed or cancelled
  function runner(body) {
    const says = el("p", { class: "live-says", role: "status", "aria-live": "polite" });
    const bar = el("progress", { max: 1, value: 0, hidden: true, "aria-label": "Progress" });
    let stop = null;
    const cancel = el("button", { type: "button", hidden: true, onclick: () => stop && stop.abort() }, "Cancel");
    body.live = {};
    function say(state, text) {
      body.dataset.state = state;
      says.textContent = text;
      says.classList.toggle("live-error", state === "failed");
    }
    async function run(name, request, text, show) {
      if (stop) stop.abort();
      const mine = stop = new AbortController();
      say("running", text);
      body.live.request = request;
      body.live.call = name;
      cancel.hidden = bar.hidden = false;
      bar.removeAttribute("value");
      const began = performance.now();
      try {
        const answer = await purexp.live.call(name, request, { signal: mine.signal, progress: (done, of) => {
          if (of > 0) bar.value = done / of;
        } });
        if (stop !== mine) return;
        body.live.answer = answer;
        body.live.seconds = (performance.now() - began) / 1000;
        say("done", show(answer));
      } catch (err) {
        if (stop !== mine) return;
        if (err.name === "AbortError") say("cancelled", "Cancelled.");
        else say("failed", err.message);
      } finally {
        if (stop === mine) {
          stop = null;
          cancel.hidden = bar.hidden = true;
        }
      }
    }
    return { says, bar, cancel, run, say, failed: err => say("failed", err.message) };
  }

  return { el, labelled, select, save, opener, link, linked, unpack, pack, table, picture, runner };
})();
