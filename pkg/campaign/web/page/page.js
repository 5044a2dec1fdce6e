// The page of a campaign shows the state received from the server, and sends the user's actions to the server.
// Text from the campaign is always inserted as text, never as HTML.
"use strict";

const byId = (id) => document.getElementById(id);

/** Creates an element: el("td", {class: "number"}, "12", child...). */
function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) e.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) e.setAttribute(name, value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

/** Formats a number with four significant digits, or "–" if the value is missing. */
function show(x) {
  if (x === null || x === undefined) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) return x.toExponential(2);
  return String(Number(x.toPrecision(4)));
}

const count = (n, one, many = one + "s") => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

// ---- Requests ----------------------------------------------------------------------------------

/** Sends a request to the server. Throws an Error with the server's message and the invalid field. */
async function call(method, path, body, type = "application/json") {
  const init = { method, headers: { Accept: "application/json" } };
  if (body !== undefined) {
    init.headers["Content-Type"] = type;
    init.body = type === "application/json" ? JSON.stringify(body) : body;
  }
  let response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Error("The server does not respond. Nothing is lost; try again later.");
  }
  const text = await response.text();
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    data = { detail: text };
  }
  if (response.ok) return data;
  if (response.status === 401) {
    throw new Error("Your access has ended. Ask for a new link, and open it.");
  }
  const details = (data && data.errors || []).map((e) => (e.location ? `${e.location}: ` : "") + e.message);
  const error = new Error([data && data.detail || `error ${response.status}`, ...details].join("\n"));
  error.fields = (data && data.errors || []).map((e) => e.location).filter(Boolean);
  throw error;
}

function say(text, bad = false) {
  const m = byId("message");
  m.textContent = text;
  m.className = bad ? "message bad" : "message";
  m.hidden = !text;
  if (text && bad) m.scrollIntoView({ block: "nearest" });
}

/** Runs the action of a button, which is disabled until the action ends, and shows errors. */
async function act(button, what) {
  button.disabled = true;
  try {
    const text = await what();
    if (text) say(text);
  } catch (e) {
    say(e.message, true);
  } finally {
    button.disabled = false;
  }
}

function who() {
  const name = byId("as").value.trim();
  if (!name) {
    byId("as").focus();
    throw new Error("Enter your name first, for the record (“Your name or machine”).");
  }
  try { localStorage.setItem("purexp-as", name); } catch { /* private windows have no storage */ }
  return name;
}

/** Shows a confirmation dialog with fields [{name, label, value, required}]. Returns null if cancelled. */
function confirmed(title, text, yes, fields = []) {
  const dialog = byId("dialog");
  byId("dialog-h").textContent = title;
  byId("dialog-text").textContent = text;
  byId("dialog-yes").textContent = yes;
  byId("dialog-fields").replaceChildren(...fields.map((f) => el("label", {}, f.label,
    f.options
      ? el("select", { name: f.name }, ...f.options.map((o) => el("option", {}, o)))
      : el("input", { name: f.name, value: f.value, required: f.required, readonly: f.readonly,
        maxlength: 500, inputmode: f.number ? "decimal" : undefined }))));
  dialog.returnValue = "cancel";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "ok"
        ? Object.fromEntries(new FormData(byId("dialog-form"))) : null);
    }, { once: true });
  });
}

// ---- State -------------------------------------------------------------------------------------

let state = null;

function render(next) {
  const first = state === null;
  const changed = first || next.event !== state.event;
  if (!first && next.event < state.event) return;
  state = next;
  const done = state.status === "finished";
  document.title = `${done ? "✓ " : ""}${state.title} · purexp`;
  byId("title").textContent = state.title;
  byId("question").textContent = state.question;
  const headline = byId("headline");
  if (headline.textContent !== state.headline) headline.textContent = state.headline;
  headline.classList.toggle("done", done);
  byId("numbers").replaceChildren(...[
    ["used", state.used], ["pending", state.pending], ["failed", state.failed], ["not used", state.unused],
    ["plates", state.plates],
  ].filter(([name, n]) => n > 0 || name === "used" || name === "pending")
    .map(([name, n]) => el("div", {}, el("dt", {}, name), el("dd", {}, n.toLocaleString("en")))));
  byId("warnings").replaceChildren(...(state.warnings ?? []).map((w) => el("p", { class: "warning" }, w)));
  byId("guarantee").replaceChildren(...state.guarantee.map((g) => el("li", {}, g)));
  byId("version").textContent = state.code;
  byId("invite-part").hidden = !state.token;
  if (first) {
    byId("count").value = state.plate;
    renderAxes();
  }
  byId("ask").querySelector("button").disabled = done;
  renderArms(done);
  renderPending();
  renderSignatures();
  if (changed) {
    byId("seen").checked = false; // the confirmation was for the previous state
    soon(drawFigures);
    soon(loadHistory);
    if (!first && byId("forecast").dataset.event) {
      byId("forecast").textContent = done ? "Nothing is left to measure: the campaign has its answer."
        : "The campaign has changed since the last forecast; forecast again.";
      delete byId("forecast").dataset.event;
    }
    if (done) byId("forecast").textContent = "Nothing is left to measure: the campaign has its answer.";
    byId("forecast-button").disabled = done;
  }
}

/** Shows the signatures, the changes after the end, and the state that a new signature would confirm. */
function renderSignatures() {
  const signed = state.signatures ?? [], amended = state.amendments ?? [];
  byId("unsigned").hidden = signed.length > 0;
  byId("signed").replaceChildren(...signed.map((s) => el("li", {},
    `${s.role ? `${s.name}, ${s.role}` : s.name}, ${when(s.at)} (event ${s.event}): ${s.saw} `,
    s.stale ? el("strong", { class: "warning" }, "Stale, because results or changes followed.") : null)));
  byId("amended").hidden = amended.length === 0;
  byId("amendments").replaceChildren(...amended.map((a) => el("li", {},
    `Event ${a.event}, ${when(a.at)}, by ${a.who}: ${a.text}`)));
  byId("sign-saw").textContent = `“${state.headline}”, and the record up to event ${state.event} (hash ${state.hash.slice(0, 12)}…).`;
}

/** Formats a time. */
function when(at) {
  return new Date(at).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" });
}

// Functions that are deferred until a burst of updates is over.
const waiting = new Set();
const lastTime = new Map();
function soon(what) {
  if (waiting.has(what)) return;
  waiting.add(what);
  const pause = Math.max(20, 700 - (performance.now() - (lastTime.get(what) ?? -1e9)));
  setTimeout(() => { waiting.delete(what); lastTime.set(what, performance.now()); what(); }, pause);
}

function renderArms(done) {
  const head = el("tr", {}, el("th", {}, "candidate"), el("th", {}, "verdict"),
    ...state.objectives.map((name) => el("th", { class: "number" }, name)),
    el("th", { class: "number" }, "used"), el("th", { class: "number" }, "pending"),
    el("th", {}, "why"), el("th", {}, ""));
  const rows = state.arms.map((a) => el("tr", { class: !a.available ? "dropped" : undefined },
    el("td", { class: "name" }, a.arm),
    el("td", {}, el("span", { class: `verdict ${a.class}` }, a.verdict)),
    ...state.objectives.map((name, c) => el("td", { class: "number", "data-label": name }, show(a.estimate[c]),
      a.low[c] === null || a.low[c] === a.high[c] ? null
        : el("span", { class: "interval" }, `${show(a.low[c])} to ${show(a.high[c])}`))),
    el("td", { class: "number", "data-label": "used" }, a.used.toLocaleString("en")),
    el("td", { class: "number", "data-label": "pending" }, a.pending.toLocaleString("en")),
    el("td", { class: "why" }, a.available ? a.why ?? "" : a.dropped ?? ""),
    el("td", { class: "acts" }, !a.available || done && !needsConsent() ? null
      : el("button", { type: "button", "data-drop": a.arm, "aria-label": `Drop ${a.arm}` }, "Drop"))));
  byId("members").textContent = state.members ?? "";
  fillTable("arms", head, rows);
}

/** Replaces the header and the rows of a table. */
function fillTable(id, head, rows) {
  const table = byId(id);
  table.tHead.replaceChildren(head);
  table.tBodies[0].replaceChildren(...rows);
}

/** Returns the columns of results with their labels: the measured objectives, and the evaluable trials. */
const measuredColumns = () => state.columns
  .map((o, c) => ({ ...o, label: o.trials ? `${o.name} [of ${o.trials}]` : state.objectives[c] }))
  .filter((o) => o.measured)
  .concat(state.evaluable ? [{ name: state.evaluable, label: state.evaluable, optional: true }] : []);

/** Returns the settings for the measurement of a ticket: the features and categories of its arm. */
function settings(ticket) {
  const list = Object.entries(ticket.settings ?? {}).map(([column, cell]) => `${column} ${cell}`);
  return list.length === 0 ? null : el("span", { class: "interval" }, list.join(", "));
}

function renderPending() {
  const body = byId("pending").tBodies[0];
  const measured = measuredColumns();
  if (byId("pending").tHead.rows.length === 0) {
    byId("pending").tHead.replaceChildren(el("tr", {}, el("th", { class: "number" }, "ticket"),
      el("th", {}, "candidate"), ...measured.map((o) => el("th", {}, o.label)), el("th", {}, "failed"),
      el("th", {}, "requested by")));
  }
  // Existing rows are kept, because the user may be typing in them.
  const there = new Map([...body.rows].map((r) => [r.dataset.ticket, r]));
  const shown = state.tickets.slice(0, 200);
  const rows = shown.map((p) => there.get(String(p.ticket)) || el("tr", { "data-ticket": p.ticket, "data-arm": p.arm },
    el("td", { class: "number" }, String(p.ticket)), el("td", { class: "name" }, p.reference ? `${p.arm} (reference)` : p.arm, settings(p)),
    ...measured.map((o) => el("td", {}, el("input", { "data-objective": o.name, inputmode: "decimal",
      autocomplete: "off", "aria-label": `${o.label} of ticket ${p.ticket}, ${p.arm}` }))),
    el("td", {}, el("input", { type: "checkbox", "data-failed": true,
      "aria-label": `ticket ${p.ticket} failed` })),
    el("td", {}, p.who)));
  const keep = new Set(rows);
  for (const r of [...body.rows]) if (!keep.has(r)) r.remove();
  rows.forEach((r, i) => { if (body.rows[i] !== r) body.insertBefore(r, body.rows[i] || null); });
  byId("tell-button").disabled = rows.length === 0;
  byId("asked").textContent = state.pending === 0 ? "Nothing is pending."
    : `${count(state.pending, "measurement")} pending` +
      (shown.length < state.pending ? `; the table shows the first ${shown.length}, and the worksheet has all.` : ".");
}

// ---- Figures -----------------------------------------------------------------------------------

function renderAxes() {
  const usable = state.objectives.map((name, c) => ({ name, c }));
  byId("axes").hidden = usable.length < 2;
  for (const [id, at] of [["axis-x", 0], ["axis-y", 1]]) {
    byId(id).replaceChildren(...usable.map(({ name, c }) => el("option", { value: c }, name)));
    byId(id).value = String(Math.min(at, usable.length - 1));
    byId(id).addEventListener("change", (e) => {
      const other = byId(id === "axis-x" ? "axis-y" : "axis-x");
      if (other.value === e.target.value) { // swap the two axes
        other.value = String(usable.map(({ c }) => c).find((c) => String(c) !== e.target.value &&
          String(c) === other.dataset.was) ?? usable.find(({ c }) => String(c) !== e.target.value).c);
      }
      for (const s of [byId("axis-x"), byId("axis-y")]) s.dataset.was = s.value;
      drawFigures();
    });
    byId(id).dataset.was = byId(id).value;
  }
}

let drawing = 0;
async function drawFigures() {
  const turn = ++drawing;
  const width = byId("effort").parentElement.clientWidth < 560 ? "narrow" : "wide";
  const x = byId("axis-x").value || "0", y = byId("axis-y").value || "0";
  for (const [id, path] of [["plane", `/api/figures/plane?x=${x}&y=${y}&width=${width}`],
    ["effort", `/api/figures/effort?width=${width}`]]) {
    try {
      const f = await call("GET", path);
      if (turn !== drawing) return; // a newer figure has been requested
      byId(id).alt = f.alt;
      byId(id).dataset.axes = `${x},${y}`;
      byId(id).src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(f.svg);
    } catch (e) {
      if (turn === drawing) byId(id).alt = e.message;
    }
  }
}

// ---- History -----------------------------------------------------------------------------------

let events = [];
function renderEvents(more) {
  byId("events").tBodies[0].replaceChildren(...events.map((e) => el("tr", { class: e.undone ? "undone" : undefined },
    el("td", { class: "number" }, String(e.event)),
    el("td", {}, when(e.at)),
    el("td", {}, e.who), el("td", {}, e.text),
    el("td", { class: "acts" }, e.event > 1 && !e.undone ? el("button", { type: "button", "data-undo": e.event,
      "aria-label": `Undo event ${e.event}` }, "Undo") : null))));
  byId("older").hidden = !more;
}

async function loadHistory() {
  try {
    const page = await call("GET", "/api/events?limit=50");
    events = page.events;
    renderEvents(page.more);
  } catch (e) {
    say(e.message, true);
  }
}

// ---- Actions of the user -----------------------------------------------------------------------

let askKey = "";
byId("ask").addEventListener("submit", (e) => {
  e.preventDefault();
  act(byId("ask").querySelector("button"), async () => {
    // If the response is lost, a request with the same key returns the same tickets.
    askKey = askKey || crypto.getRandomValues(new Uint32Array(4)).join("-");
    const { tickets, note } = await call("POST", "/api/ask",
      { count: Number(byId("count").value), as: who(), key: askKey,
        arms: byId("chosen").value.split(",").map((name) => name.trim()).filter(Boolean) });
    askKey = byId("chosen").value = "";
    await refresh();
    return tickets.length
      ? `Measure ${count(tickets.length, "candidate")}: see the table, or save the worksheet. ${note}`.trim() : note;
  });
});

/** Reports results with send(unlessOdd). If values look like typing errors, the user must confirm them first. */
async function tell(send) {
  const receipt = await send(true);
  if (receipt.event || !receipt.odd?.length) return receipt;
  const sure = await confirmed("Is this a typing error?", receipt.odd.join(" "), "Report it as it is", []);
  if (!sure) throw new Error("Nothing was reported.");
  return send(false);
}

/** Describes a receipt in words. */
function told(r) {
  const parts = [`${count(r.used, "result")} used`];
  if (r.repeated) parts.push(`${r.repeated} reported before (no change)`);
  if (r.failed) parts.push(`${r.failed} failed`);
  if (r.reference) parts.push(`${r.reference} of the reference`);
  if (r.unused) parts.push(`${r.unused} not used`);
  return [parts.join(", ") + ".", ...r.notes].join("\n");
}

byId("tell").addEventListener("submit", (e) => {
  e.preventDefault();
  act(byId("tell-button"), async () => {
    const results = [], rows = [];
    for (const r of byId("pending").tBodies[0].rows) {
      const failed = r.querySelector("[data-failed]").checked;
      const inputs = [...r.querySelectorAll("[data-objective]")];
      for (const i of inputs) i.removeAttribute("aria-invalid");
      const filled = inputs.filter((i) => i.value.trim() !== "");
      if (!failed && filled.length === 0) continue;
      const values = {};
      if (!failed) for (const i of filled) values[i.dataset.objective] = i.value.trim();
      results.push({ ticket: Number(r.dataset.ticket), arm: r.dataset.arm, values, failed });
      rows.push(r);
    }
    if (results.length === 0) throw new Error("Fill in at least one row, or mark it as failed.");
    try {
      const receipt = await tell((odd) => call("POST", "/api/tell", { results, as: who(), unless_odd: odd }));
      await refresh();
      return told(receipt);
    } catch (e) {
      mark(e, rows);
      throw e;
    }
  });
});

/** Marks the input fields named by an error, e.g. "body.results[3].values.yield". */
function mark(error, rows) {
  for (const field of error.fields || []) {
    const m = /results\[(\d+)\](?:\.values\.(.+))?/.exec(field);
    const row = m && rows[Number(m[1])];
    if (!row) continue;
    for (const i of row.querySelectorAll("[data-objective]")) {
      if (!m[2] || i.dataset.objective === m[2]) {
        i.setAttribute("aria-invalid", "true");
        i.focus();
      }
    }
  }
}

byId("extra-button").addEventListener("click", async (e) => {
  const measured = measuredColumns();
  const names = state.arms.filter((a) => a.available).map((a) => a.arm);
  const got = await confirmed("An unsolicited result",
    "Report a replicate or an earlier measurement. Report all such results, or none; do not select results by their values.",
    "Report", [{ name: "arm", label: "Candidate", options: names },
      { name: "id", label: "Unique name of the result, such as “3 March, well B7”", required: true },
      ...measured.map((o, i) => ({ name: `value${i}`, label: o.label, required: !o.optional, number: true }))]);
  if (!got) return;
  act(e.target, async () => {
    const values = Object.fromEntries(measured.map((o, i) => [o.name, got[`value${i}`].trim()])
      .filter(([, cell]) => cell !== ""));
    const results = [{ arm: got.arm, id: got.id.trim(), values }];
    const receipt = await tell((odd) => call("POST", "/api/tell", { results, as: who(), unless_odd: odd }));
    await refresh();
    return told(receipt);
  });
});

/** Returns whether a change needs a reason and a second person: the protocol is frozen, and the campaign has
 * ended at least once. */
function needsConsent() {
  return state.protocol === "frozen" && (state.ended > 0 || (state.amendments ?? []).length > 0);
}

/** Shows the confirmation dialog of a change, with additional fields for the reason and, if needed, the second
 * person. A frozen protocol requires a reason after its first result. */
function consented(title, text, yes, fields, why) {
  const both = needsConsent();
  if (both) {
    text = `${text} The protocol is frozen, and the campaign has ended, so the change needs a reason and a second person who agrees.`.trim();
  }
  if (both || why || state.sealed > 0) fields = [...fields, { name: "why", label: why || "Why (for the record)", required: true }];
  if (both) fields = [...fields, { name: "by", label: "Name of the second person, who agrees", required: true }];
  return confirmed(title, text, yes, fields);
}

byId("join-button").addEventListener("click", async (e) => {
  const columns = state.newcomer;
  const got = await consented("Add a candidate",
    "The candidate is measured next, and the answer covers it too. Verdicts on other candidates do not change.",
    "Add", [{ name: "arm", label: "Name", required: true },
      ...columns.map((name, i) => ({ name: `column${i}`, label: name, required: true }))]);
  if (!got) return;
  act(e.target, async () => {
    const cells = Object.fromEntries(columns.map((name, i) => [name, got[`column${i}`].trim()]));
    await call("POST", "/api/join", { arm: got.arm.trim(), columns: cells, why: got.why, by: got.by, as: who() });
    await refresh();
    return `${got.arm.trim()} was added.`;
  });
});

byId("upload").addEventListener("submit", (e) => {
  e.preventDefault();
  act(byId("upload").querySelector("button"), async () => {
    const file = byId("file").files[0];
    const text = await file.arrayBuffer();
    const receipt = await tell((odd) => call("POST",
      `/api/tell.csv?as=${encodeURIComponent(who())}&unless_odd=${odd}`, text, "text/csv"));
    byId("upload").reset();
    await refresh();
    return `${file.name}: ${told(receipt)}`;
  });
});

document.addEventListener("click", async (e) => {
  const b = e.target.closest("button");
  if (!b) return;
  if (b.dataset.drop !== undefined) {
    const got = await consented(`Drop ${b.dataset.drop}?`,
      "The candidate is no longer measured, and the answer covers the other candidates. You can undo this.",
      "Drop", [], "Reason (for the record; it must not depend on the results)");
    if (got) act(b, async () => {
      await call("POST", "/api/drop", { arm: b.dataset.drop, why: got.why, by: got.by, as: who() });
      await refresh();
      return `${b.dataset.drop} was dropped.`;
    });
  } else if (b.dataset.undo !== undefined) {
    const number = Number(b.dataset.undo);
    const event = events.find((x) => x.event === number);
    const got = await consented(`Undo event ${number}?`, event ? `${event.text}.` : "", "Undo", [],
      "Why (for the record)");
    if (got) act(b, async () => {
      await call("POST", "/api/undo", { event: number, why: got.why, by: got.by, as: who() });
      await refresh();
      return `Event ${number} is undone. It stays on record.`;
    });
  }
});

byId("sign").addEventListener("submit", (e) => {
  e.preventDefault();
  const form = byId("sign");
  act(byId("sign-button"), async () => {
    const name = form.elements.name.value.trim();
    await call("POST", "/api/sign", { event: state.event, name, role: form.elements.role.value.trim(),
      as: byId("as").value.trim() || name });
    form.reset();
    await refresh();
    return `${name} has signed.`;
  });
});

byId("older").addEventListener("click", (e) => act(e.target, async () => {
  const page = await call("GET", `/api/events?limit=50&before=${events[events.length - 1].event}`);
  events = events.concat(page.events);
  renderEvents(page.more);
}));

byId("forecast-button").addEventListener("click", (e) => act(e.target, async () => {
  byId("forecast").textContent = "Simulating…";
  try {
    const f = await call("GET", "/api/forecast");
    byId("forecast").textContent = f.text;
    byId("forecast").dataset.event = f.event;
  } catch (error) {
    byId("forecast").textContent = "The forecast failed.";
    throw error;
  }
}));

byId("invite").addEventListener("click", (e) => act(e.target, async () => {
  const { link } = await call("POST", "/api/links", {});
  await confirmed("A link for a colleague", "The link works once, within 24 hours, and gives access for a week.",
    "Done", [{ name: "link", label: "Link", value: link, readonly: true }]);
}));

// ---- Updates -----------------------------------------------------------------------------------

async function refresh() {
  render(await call("GET", "/api/state"));
}

// arrived processes a state from the event stream, which may contain only the changed arms.
function arrived(next) {
  if (next.since) {
    if (!state || state.id !== next.id || state.event < next.since) return refresh();
    const fresh = new Map(next.arms.map((a) => [a.arm, a]));
    next.arms = state.arms.map((a) => fresh.get(a.arm) || a);
  }
  return render(next);
}

function live(text, on) {
  const chip = byId("live");
  chip.textContent = text;
  chip.className = `chip ${on ? "on" : "off"}`;
}

let source = null;
function connect() {
  source = new EventSource("/api/stream");
  source.addEventListener("state", (e) => {
    live("live", true);
    arrived(JSON.parse(e.data));
  });
  source.addEventListener("error", () => {
    live("not connected", false);
    // The browser reconnects automatically unless the server rejected the connection.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
  });
}

try { byId("as").value = localStorage.getItem("purexp-as") || ""; } catch { /* no storage */ }
let size = 0;
addEventListener("resize", () => {
  const narrow = byId("effort").parentElement.clientWidth < 560;
  if (state && narrow !== size) soon(drawFigures);
  size = narrow;
});
refresh().then(connect, (e) => { live("not connected", false); say(e.message, true); setTimeout(connect, 3000); });
