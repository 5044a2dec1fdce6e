// What pages of the book do besides the theme. Nothing here fetches anything before the reader asks for it.
"use strict";

// Search shows lines of the pages found, which it fetches. A page that was opened from a folder may not fetch; it lists titles.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// Cells with a sentence are prose, whose columns purexp.css keeps wide enough.
function markProse() {
  for (const cell of document.querySelectorAll(".bd-article tbody :is(td, th)")) {
    if (cell.textContent.length > 60) cell.classList.add("prose");
  }
}
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", markProse);
else markProse();

// Panels: a button loads a script, once, and the script fills the panel. See Panel in book/purexp_book.py.
window.purexp = (function () {
  const fillers = new Map(); // name -> function(element)
  const waiting = new Map(); // name -> elements that wait for it

  function panel(name, fill) {
    fillers.set(name, fill);
    for (const element of waiting.get(name) || []) fill(element);
    waiting.delete(name);
  }

  function run(section, button) {
    const name = section.dataset.panel;
    const body = section.querySelector(".purexp-panel-body");
    button.hidden = true;
    if (fillers.has(name)) {
      fillers.get(name)(body);
      return;
    }
    const first = !waiting.has(name);
    waiting.set(name, [...(waiting.get(name) || []), body]);
    if (!first) return;
    const script = document.createElement("script");
    script.src = section.dataset.script;
    script.onerror = function () {
      waiting.delete(name);
      script.remove();
      body.textContent = "This panel's program could not be loaded: " + script.src;
      button.hidden = false;
    };
    document.head.append(script);
  }

  // Loads a script of _static, once.
  const base = document.currentScript.src.replace(/[^/]*$/, "");
  const loaded = new Map();
  function load(path) {
    if (!loaded.has(path)) {
      loaded.set(path, new Promise(function (done, failed) {
        const script = document.createElement("script");
        script.src = base + path;
        script.onload = () => done();
        script.onerror = function () {
          loaded.delete(path);
          script.remove();
          failed(new Error("This panel's program could not be loaded: " + script.src));
        };
        document.head.append(script);
      }));
    }
    return loaded.get(path);
  }

  function start() {
    for (const section of document.querySelectorAll("section.purexp-panel")) {
      const button = section.querySelector("button.purexp-run");
      button.hidden = false; // without JavaScript there is none
      button.addEventListener("click", () => run(section, button));
    }
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
  return { panel, load };
})();
