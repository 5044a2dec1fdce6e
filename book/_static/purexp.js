// What pages of the book do besides the theme. Nothing here fetches anything before the reader asks for it.
"use strict";

// Search shows lines of the pages found, which it fetches. A page that was opened from a folder may not fetch; it lists titles.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// Cells with a sentence are prose, whose columns purexp.css keeps wide enough. A table with such cells that is wider than
// its place is folded, and what scrolls is in reach of the keyboard.
const foldable = [];
function prepareTables() {
  // A table that a command printed keeps its columns, and scrolls.
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
        // One child, beside the name of its column.
        if (!cell.textContent.trim() && !cell.querySelector("img, svg")) cell.replaceChildren();
        else if (cell.childNodes.length !== 1 || cell.firstChild.nodeType !== Node.ELEMENT_NODE) {
          const one = document.createElement("span");
          one.append(...cell.childNodes);
          cell.append(one);
        }
      });
    }
    // A table that is folded is one all the same for those who do not see it.
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
    const tall = [...table.tBodies[0].rows].some(row => row.offsetHeight > 260); // a sentence as a ribbon
    table.classList.toggle("purexp-fold", tall || place.scrollWidth > place.clientWidth + 1);
  }
  // Formulas become smaller, up to a point, before they scroll.
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
  // Its text is its name; the theme gives it another one.
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
