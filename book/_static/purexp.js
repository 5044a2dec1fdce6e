// The scripts of the book's pages in addition to the theme. The scripts load further files only if the reader requests it.
"use strict";

// The search fetches the found pages to show extracts. A page opened from disk cannot fetch files, so it shows only titles.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// prepareTables marks cells with sentences as prose, because purexp.css keeps their columns wide. The array foldable
// contains the tables with prose; the function fit folds these tables if they are too wide.
const foldable = [];
function prepareTables() {
  // Tables printed by a command keep their columns and scroll.
  for (const pre of document.querySelectorAll(".bd-article div[class*=highlight-] pre")) {
    if (/^-+( +-+){2,} *$/m.test(pre.textContent)) pre.classList.add("purexp-columns");
  }
  for (const cell of document.querySelectorAll(".bd-article tbody :is(td, th)")) {
    if (cell.textContent.length > 40) cell.classList.add("prose");
  }
  for (const table of document.querySelectorAll(".bd-article table:has(.prose)")) {
    const heads = [...table.querySelectorAll("thead tr:last-child > *")];
    if (heads.length > 6) table.classList.add("purexp-many");
    if (!heads.length || table.querySelector("tbody [colspan], tbody [rowspan]")) continue;
    for (const row of table.tBodies[0].rows) {
      [...row.cells].forEach((cell, i) => {
        if (!heads[i]) return;
        cell.dataset.column = heads[i].textContent.trim();
        // The content becomes a single element, which a folded table shows beside the name of the column.
        if (!cell.textContent.trim() && !cell.querySelector("img, svg")) cell.replaceChildren();
        else if (cell.childNodes.length !== 1 || cell.firstChild.nodeType !== Node.ELEMENT_NODE) {
          const one = document.createElement("span");
          one.append(...cell.childNodes);
          cell.append(one);
        }
      });
    }
    // With these roles, screen readers announce folded tables as tables.
    const roles = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TFOOT: "rowgroup", TR: "row", TD: "cell" };
    for (const e of [table, ...table.querySelectorAll("thead, tbody, tfoot, tr, td, th")]) {
      e.setAttribute("role", e.tagName === "TH" ? (e.closest("thead") ? "columnheader" : "rowheader") : roles[e.tagName]);
    }
    foldable.push(table);
  }
}

function fit() {
  for (const table of document.querySelectorAll(".bd-article .output.text_html table")) {
    table.classList.remove("purexp-fold", "purexp-tight");
    const place = table.closest("[role=region], .output");
    table.classList.toggle("purexp-tight", place.scrollWidth > place.clientWidth + 1);
  }
  for (const table of foldable) {
    table.classList.remove("purexp-fold");
    const place = table.closest("[role=region], .pst-scrollable-table-container, .output") || table.parentElement;
    const tall = [...table.tBodies[0].rows].some(row => row.offsetHeight > 260); // a narrow column makes a sentence tall
    table.classList.toggle("purexp-fold", tall || place.scrollWidth > place.clientWidth + 1);
  }
  // Wide formulas are shrunk down to a limit, and then scroll.
  for (const formula of document.querySelectorAll(".bd-article mjx-container[display=true]")) {
    formula.style.fontSize = "";
    const over = formula.scrollWidth / formula.clientWidth;
    if (over > 1.01) formula.style.fontSize = `${Math.max(60, Math.floor(98 / over))}%`;
  }
  for (const e of document.querySelectorAll(".bd-article :is(pre, mjx-container[display=true], div.math, .output, .pst-scrollable-table-container, [role=region], .live-scroll)")) {
    const scrolls = e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX);
    if (scrolls && !e.hasAttribute("tabindex")) {
      e.tabIndex = 0;
      e.dataset.reached = "";
      if (!e.matches("pre, mjx-container")) {
        e.setAttribute("role", "region");
        if (!e.hasAttribute("aria-label")) e.setAttribute("aria-label", e.matches(".math") ? "formula" : "table or output");
      }
    } else if (!scrolls && "reached" in e.dataset) {
      e.removeAttribute("tabindex");
      delete e.dataset.reached;
    }
  }
}

function prepare() {
  // The accessible name of the search button is its text; the theme sets a different name.
  for (const button of document.querySelectorAll(".search-button-field")) button.removeAttribute("aria-label");
  prepareTables();
  fit();
  let width = innerWidth, timer = 0;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(timer);
    timer = setTimeout(fit, 100);
  });
  addEventListener("load", () => {
    if (window.MathJax && MathJax.startup) MathJax.startup.promise.then(fit);
    else fit();
  });
}
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", prepare);
else prepare();

// Panels: a button loads a script once, and the script fills the panel. See Panel in book/purexp_book.py.
window.purexp = (function () {
  const fillers = new Map(); // name -> function(element)
  const waiting = new Map(); // name -> elements to fill when the script has loaded

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

  // Loads a script of the folder _static once.
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
      button.hidden = false; // pages without JavaScript hide the button
      button.addEventListener("click", () => run(section, button));
    }
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
  return { panel, load };
})();
