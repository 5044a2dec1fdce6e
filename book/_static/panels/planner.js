// The planner: a form for a problem file and its table, and the plan computed by `purexp plan`. See docs/planner.md.
// Settings without a control in the form (constraints, features, ...) are kept. The reader can edit them in the file's text.
{
  const START = {
    fields: {
      title: "Catalysts for the coupling step",
      question: { find: "pareto", delta: 0.05 },
      candidates: { file: "candidates.csv" },
      objective: [
        { name: "yield", unit: "%", goal: "maximise", noise: { sd: 2 }, at_least: 40, tolerance: 1, slack: 1, guess: "yield" },
        { name: "impurity", unit: "%", goal: "minimise", noise: { sd: 0.5 }, at_most: 4, tolerance: 0.25, slack: 0.25, guess: "impurity" },
      ],
      laboratory: { plate: 8, days: 0.5, failures: 0.05 },
    },
    files: { "candidates.csv": "catalyst,yield,impurity\nA01,38,1.0\nA02,52,2.4\nA03,61,3.1\nB01,66,2.2\nB02,71,3.4\nB03,64,2.9\n" +
      "C01,78,3.0\nC02,74,2.0\nC03,70,4.6\nD01,58,1.6\nD02,49,3.8\nD03,80,5.1\n" },
  };
  const FIND = [["pareto", "the Pareto set: no other candidate is better in all objectives"], ["best", "the best one"], ["top", "the best few"],
    ["good", "all that are good enough"], ["feasible", "all within the bounds"]];
  const GOAL = [["maximise", "higher is better"], ["minimise", "lower is better"], ["bounded", "only bounds matter"]];
  const NOISE = [["sd", "Gaussian, standard deviation known"], ["pilot", "Gaussian, estimated by the pilot"], ["range", "only the range is known"],
    ["counts", "number of successes in a number of trials"]];
  const KEY = "plan";
  const dict = v => v !== null && typeof v === "object" && !Array.isArray(v);

  function fill(body) {
    const { el, labelled, select, save, opener, link, linked, table, picture, runner } = purexp.desk;
    body.removeAttribute("aria-live"); // screen readers announce only the sentence below, not the whole form
    body.classList.add("live-panel", "live-desk");
    let fields, files, columns = [], numeric = [], names = [];
    let runs = 100;
    let opening = ""; // the name of the table that is being opened
    let choice = null; // the choices for the columns of a new table, until its problem is drafted
    let busy = Promise.resolve(); // the operation that must end before a plan starts
    const part = name => { if (!dict(fields[name])) fields[name] = {}; return fields[name]; };
    const objectives = () => { if (!Array.isArray(fields.objective)) fields.objective = []; return fields.objective = fields.objective.filter(dict); };
    const piloted = () => dict(fields.pilot);
    const tableName = () => String((piloted() ? fields.pilot.file : part("candidates").file) || "candidates.csv");

    const work = runner(body);
    const form = el("div"), answer = el("div", { class: "live-answer" });
    const text = el("textarea", { rows: 12, spellcheck: "false", "aria-label": "The problem file", onchange: () => guarded(async () => {
      const read = await purexp.live.call("problem-fields", { text: text.value });
      await use(read.fields, files);
    }) });
    const csv = el("textarea", { rows: 9, spellcheck: "false", "aria-label": "The table", "data-field": "table", onchange: () => guarded(() => look(true)) });
    const plan = el("button", { type: "button", class: "live-main", onclick: () => start() }, "Plan");

    function guarded(f) {
      return busy = (async () => {
        try {
          work.say("ready", "");
          unmark();
          await f();
        } catch (err) {
          work.failed(err);
          mark();
        }
      })();
    }

    // --- the table
    const columnsOf = column => purexp.live.call("table", { name: tableName(), text: csv.value, column: column || "" });
    // Reads the table. A fresh table may belong to another problem.
    async function look(fresh) {
      files[tableName()] = csv.value;
      if (!csv.value.trim()) throw new Error("The table is empty; paste a table with column names in the first row.");
      const of = piloted() ? fields.pilot : part("candidates");
      let found = await columnsOf(fresh ? "" : of.column);
      const needed = [of.column, ...objectives().map(o => o.guess || o.column || o.name)].filter(c => c);
      const other = fresh && needed.some(c => !found.columns.includes(String(c)));
      if (!piloted() && (other || objectives().length === 0)) {
        ({ columns, numeric, names } = await columnsOf(found.suggested));
        return choose(opening || tableName(), found.suggested);
      }
      if (other) for (const gone of [of, fields]) for (const key of ["column", "objective", "constraint", "title"]) delete gone[key];
      if (fresh) found = await columnsOf(of.column);
      ({ columns, numeric, names } = found);
      choice = null;
      if (piloted()) {
        part("candidates").names = names;
        // If a pilot has no objectives, its numeric columns become objectives.
        if (objectives().length === 0) columns.forEach((c, j) => numeric[j] && add(c));
      }
      await show();
    }

    // --- the user's own table: the roles of its columns, as in `purexp problem new`
    function choose(name, suggested) {
      if (!choice || choice.columns !== columns.join("\n")) choice = { columns: columns.join("\n"), name, column: suggested, delta: 0.05, find: "", of: {} };
      const of = c => choice.of[c] = choice.of[c] || { goal: "" };
      const typed = (o, key, label, field, attributes = {}) => labelled(label, el("input", { type: "number", step: "any", value: o[key], "data-key": field, ...attributes, onchange: e => {
        if (!e.target.checkValidity()) return e.target.reportValidity();
        o[key] = e.target.value === "" ? undefined : +e.target.value;
      } }));
      const column = c => {
        const o = of(c);
        const list = [labelled("As an objective", select([["", "leave out"], ["max", "higher is better"], ["min", "lower is better"]], o.goal, e => { o.goal = e.target.value; choose(name, suggested); }))];
        if (o.goal) {
          if (!o.known) list.push(typed(o, "sd", "Standard deviation of one measurement", "noise.sd", { min: 0 }));
          list.push(labelled("Unit", el("input", { type: "text", size: 5, value: o.unit, "data-key": "unit", onchange: e => { o.unit = e.target.value; } })),
            typed(o, "threshold", o.goal === "max" ? "At least (if there is a bound)" : "At most (if there is a bound)", o.goal === "max" ? "at_least" : "at_most"),
            el("label", { class: "live-check" }, el("input", { type: "checkbox", checked: o.known === true, onchange: e => { o.known = e.target.checked; choose(name, suggested); } }), "known exactly, not measured"));
        }
        return el("fieldset", { "data-column": c }, el("legend", {}, c), el("div", { class: "live-controls" }, ...list));
      };
      const offered = columns.filter((c, j) => numeric[j] && c !== choice.column);
      form.replaceChildren(
        el("p", {}, offered.length ? "This table has other columns: describe them. Numbers are used as guesses of the means." :
          "No column of this table has a number in every row. A plan needs a guess of each mean; add a column of guesses."),
        el("div", { class: "live-controls" },
          labelled("Rows of the table", select([["guesses", "candidates, with guesses of their means"], ["pilot", "measurements of a pilot"]], "guesses", () => { another(); turn(true); })),
          labelled("Names of candidates", select(columns, choice.column || columns[0], e => guarded(async () => {
            ({ columns, numeric, names } = await columnsOf(choice.column = e.target.value));
            choose(name, suggested);
          }))),
          labelled("Find", el("select", { "data-key": "question.find", onchange: e => { choice.find = e.target.value; } },
            ...[["", "the best one; with several objectives, the Pareto set"], ...FIND.filter(f => f[0] !== "top")].map(([v, t]) => el("option", { value: v, selected: v === choice.find }, t)))),
          typed(choice, "delta", "Error probability δ", "question.delta")),
        ...offered.map(column),
        el("div", { class: "live-controls" }, el("button", { type: "button", class: "live-main", onclick: () => guarded(draft) }, "Draft the problem")));
      text.value = "";
    }
    // Removes the objectives and the settings that depend on them, because they belong to another table.
    function another() {
      const { question, laboratory, candidates } = fields;
      fields = { question, laboratory, candidates: { file: dict(candidates) ? candidates.file : undefined }, objective: [] };
      choice = null;
    }
    async function draft() {
      const chosen = columns.filter(c => choice.of[c] && choice.of[c].goal && c !== choice.column);
      chosen.forEach((c, i) => { // the controls at which errors are shown
        for (const e of form.querySelectorAll(`[data-column="${CSS.escape(c)}"] [data-key]`)) e.dataset.field = `objective[${i + 1}].${e.dataset.key}`;
      });
      for (const e of form.querySelectorAll("[data-key^='question']")) e.dataset.field = e.dataset.key;
      const { name, column, find, delta } = choice;
      const made = await purexp.live.call("draft", { name, table: csv.value, column: column || "", find, delta: delta || 0, objectives: chosen.map(c => ({ column: c, ...choice.of[c] })) });
      choice = null;
      await use(made.fields, { [name]: csv.value });
      text.value = made.text; // the drafted text contains comments
      work.say("ready", `Drafted: ${made.question} Press Plan; or save the problem file and the table in one folder and run purexp campaign new problem.toml`);
    }
    function add(column) {
      fields.objective.push(piloted() ? { name: column, goal: "maximise", noise: { pilot: { delta: 0.005 } } }
        : { name: column, goal: "maximise", guess: column, noise: { sd: 1 } });
    }
    // Switches between rows that are candidates with guesses and rows that are measurements of a pilot.
    function turn(pilot) {
      const name = tableName();
      delete part("candidates").names;
      delete fields.candidates.file;
      if (pilot) fields.pilot = { file: name, column: fields.candidates.column };
      else {
        fields.candidates.column = dict(fields.pilot) ? fields.pilot.column : undefined;
        fields.candidates.file = name;
        delete fields.pilot;
      }
      if (pilot) delete fields.candidates.column;
      for (const o of objectives()) {
        if (pilot) delete o.guess;
        else {
          o.guess = o.name;
          if (dict(o.noise) && dict(o.noise.pilot)) o.noise = { sd: 1 };
        }
      }
      return guarded(look);
    }

    // --- the form
    const changed = () => guarded(write);
    async function write() {
      text.value = (await purexp.live.call("problem-text", { fields })).text;
    }
    function number(of, key, field, label, hint, attributes = {}) {
      return labelled(label, el("input", { type: "number", step: "any", value: of[key], "data-field": field, ...attributes, onchange: e => {
        if (!e.target.checkValidity()) return e.target.reportValidity();
        if (e.target.value === "") delete of[key];
        else of[key] = +e.target.value;
        changed();
      } }), hint);
    }
    const worded = (of, key, field, label, attributes = {}) => labelled(label, el("input", { type: "text", value: of[key], "data-field": field, ...attributes, onchange: e => {
      if (e.target.value === "") delete of[key];
      else of[key] = e.target.value;
      changed();
    } }));

    function noiseOf(o, field) {
      if (!dict(o.noise)) o.noise = { sd: 1 };
      const kind = ["pilot", "range", "counts"].find(k => k in o.noise) || "sd";
      const list = [labelled("Noise", select(piloted() || kind === "pilot" ? NOISE : NOISE.filter(n => n[0] !== "pilot"), kind, e => {
        o.noise = { sd: { sd: 1 }, pilot: { pilot: { delta: 0.005 } }, range: { range: [0, 1] }, counts: { counts: 10 } }[e.target.value];
        delete o.amounts;
        changed().then(show);
      }))];
      if (kind === "sd") list.push(number(o.noise, "sd", field + "noise.sd", "Standard deviation"));
      if (kind === "counts") {
        list.push(number(o.noise, "counts", field + "noise.counts", "Trials", "", { step: 1 }),
          labelled("Bounds, tolerance and guesses are", select([["counts", "numbers of successes"], ["rates", "rates, from 0 to 1"]], o.amounts || "counts", e => {
            o.amounts = e.target.value;
            changed();
          })));
      }
      if (kind === "pilot" && dict(o.noise.pilot)) list.push(number(o.noise.pilot, "delta", field + "noise.pilot.delta", "Error probability of the estimate"));
      if (kind === "range") {
        if (!Array.isArray(o.noise.range)) o.noise.range = [0, 1];
        list.push(number(o.noise.range, 0, field + "noise.range", "Smallest value", "", { required: true }), number(o.noise.range, 1, field + "noise.range", "Largest value", "", { required: true }),
          number(o, "guess_sd", field + "guess_sd", "Guess of the standard deviation"));
      }
      return list;
    }
    function objective(o, i) {
      const field = `objective[${i + 1}].`;
      const options = columns.filter((_, j) => numeric[j]);
      const known = el("input", { type: "checkbox", checked: o.known === true, onchange: e => {
        if (e.target.checked) { o.column = o.guess || o.column; delete o.guess; delete o.noise; o.known = true; }
        else { o.guess = o.column || o.name; delete o.column; delete o.known; }
        changed().then(show);
      } });
      const key = o.known ? "column" : "guess";
      const column = piloted() && !o.known ? [] : [labelled("Column", select([...new Set([o[key] || o.name, ...options])], o[key] || o.name, e => { o[key] = e.target.value; changed(); }))];
      const controls = [worded(o, "name", field + "name", "Name", { size: 12, required: true }), worded(o, "unit", field + "unit", "Unit", { size: 5 }), ...column,
        labelled("Direction", select(GOAL, o.goal || "maximise", e => { o.goal = e.target.value; changed(); })),
        number(o, "at_least", field + "at_least", "At least", ""), number(o, "at_most", field + "at_most", "At most", ""),
        number(o, "tolerance", field + "tolerance", "Tolerance ε", "a difference that does not matter", { min: 0 }),
        number(o, "slack", field + "slack", "Slack", "tolerated violation of a bound", { min: 0 }),
        ...(o.known ? [] : noiseOf(o, field)),
        ...(piloted() ? [] : [el("label", { class: "live-check" }, known, "known exactly, not measured")]),
        el("button", { type: "button", onclick: () => { fields.objective.splice(i, 1); changed().then(show); } }, `Remove ${o.name || "objective"}`)];
      return el("fieldset", {}, el("legend", {}, `Objective ${i + 1}: ${o.name || ""}`), el("div", { class: "live-controls" }, ...controls));
    }
    async function show() {
      const q = part("question"), lab = part("laboratory"), of = piloted() ? fields.pilot : part("candidates");
      const free = columns.filter((c, j) => numeric[j] && !objectives().some(o => (o.guess || o.column || o.name) === c));
      const more = free.map(c => el("button", { type: "button", onclick: () => { add(c); changed().then(show); } }, `Add ${c}`));
      form.replaceChildren(
        el("div", { class: "live-controls" },
          labelled("Rows of the table", select([["guesses", "candidates, with guesses of their means"], ["pilot", "measurements of a pilot"]], piloted() ? "pilot" : "guesses", e => turn(e.target.value === "pilot"))),
          labelled("Names of candidates", select(columns.length ? columns : ["(none)"], of.column || columns[0] || "(none)", e => { of.column = e.target.value; guarded(look); }))),
        el("fieldset", {}, el("legend", {}, "Question"), el("div", { class: "live-controls" },
          worded(fields, "title", "title", "Title", { size: 28 }),
          labelled("Find", select(FIND, q.find, e => { q.find = e.target.value; if (q.find !== "top") delete q.count; else q.count = q.count || 3; changed().then(show); })),
          ...(q.find === "top" ? [number(q, "count", "question.count", "How many", "", { step: 1, min: 1 })] : []),
          number(q, "delta", "question.delta", "Error probability δ", ""))),
        ...objectives().map(objective),
        ...(more.length ? [el("div", { class: "live-controls" }, ...more)] : []),
        el("fieldset", {}, el("legend", {}, "Laboratory"), el("div", { class: "live-controls" },
          number(lab, "plate", "laboratory.plate", "Measurements per plate", "", { step: 1, min: 1 }), number(lab, "at_once", "laboratory.at_once", "Plates at the same time", "", { step: 1, min: 1 }),
          number(lab, "days", "laboratory.days", "Days per plate", "", { min: 0 }), number(lab, "failures", "laboratory.failures", "Fraction of failures", "", { min: 0, max: .99 }),
          number(lab, "measurements", "laboratory.measurements", "Largest affordable number", "", { step: 1, min: 1 }),
          labelled("Simulated campaigns per row", el("input", { type: "number", value: runs, min: 20, max: 10000, step: 1, onchange: e => {
            if (e.target.checkValidity()) runs = +e.target.value;
            else e.target.reportValidity();
          } })))));
      await write();
    }

    // --- the answer
    const percent = v => new Intl.NumberFormat("en", { maximumFractionDigits: 0, style: "percent" }).format(v);
    const words = s => `${s.open ? "more than " : ""}${Math.ceil(s.value)}`;
    async function start() {
      work.say("ready", "");
      await busy; // first, a pasted table must be read
      if (choice) await guarded(draft);
      if (choice) return;
      files[tableName()] = csv.value;
      unmark();
      const request = { problem: { fields: structuredClone(fields), files: { ...files } }, runs, seed: 1, figure: true };
      answer.replaceChildren();
      return work.run("plan", request, `Simulating ${runs} campaigns per row …`, shown).then(mark);
    }
    // Shows each error also beside the control of its field or of the table.
    function mark() {
      if (body.dataset.state !== "failed") return;
      let first = null;
      for (const line of work.says.textContent.split("\n")) {
        const at = [...body.querySelectorAll("[data-field]")].find(e => e.dataset.field && line.includes(e.dataset.field + ":")) ||
          (line.includes((choice ? choice.name : tableName()) + ":") ? csv : null);
        if (!at || at.hasAttribute("aria-invalid")) continue;
        const error = el("small", { class: "live-wrong", id: `plan-wrong-${body.querySelectorAll(".live-wrong").length}` }, line);
        at.setAttribute("aria-invalid", "true");
        at.setAttribute("aria-describedby", error.id);
        at.after(error);
        first = first || at;
      }
      if (first) first.focus();
    }
    function unmark() {
      for (const e of body.querySelectorAll("[aria-invalid]")) {
        e.removeAttribute("aria-invalid");
        e.removeAttribute("aria-describedby");
      }
      for (const e of body.querySelectorAll(".live-wrong")) e.remove();
    }
    function shown(a) {
      const first = a.plan.rows[0], looser = [];
      a.plan.rows.forEach((r, i) => { if (r.change && a.saves[i] !== null && a.saves[i] > 0.005) looser.push([a.saves[i], r.change]); });
      looser.sort((x, y) => y[0] - x[0]);
      const rows = a.table.rows.map((r, i) => [...r, i === 0 || a.saves[i] === null ? "" : percent(a.saves[i])]);
      const part = (notes, warning) => notes.filter(n => n.startsWith("Warning: ") === warning);
      answer.replaceChildren(
        ...part(a.table.notes, true).map(n => el("p", { class: "live-warning" }, n)),
        table([...a.table.columns, "saves"], rows, a.table.title),
        ...part(a.table.notes, false).map(n => el("p", { class: "live-note" }, n)),
        table(a.effort.columns, a.effort.rows, a.effort.title),
        ...a.effort.notes.map(n => el("p", { class: "live-note" }, n)),
        ...(a.figures || []).map(picture));
      if (!first.runs) return first.hopeless || "Nothing was simulated.";
      const m = first.measurements, effort = first.effort.map((e, i) => [e.share, a.plan.candidates[i]]).sort((x, y) => y[0] - x[0]).slice(0, 3);
      return `${first.method} takes about ${words(m.median)} measurements (9 times of 10 at most ${words(m.most)}), ${words(first.plates.median)} plates of ${a.plan.plate}, ` +
        `${+first.days.median.value.toFixed(1)} days. ${first.wrong} of ${first.runs} simulated answers were wrong. ` +
        `Most measurements go to ${effort.map(([s, n]) => `${n} (${percent(s)})`).join(", ")}. ` +
        (looser.length ? `The largest savings: ${looser.slice(0, 3).map(([s, c]) => `${c} saves ${percent(s)}`).join("; ")}. ` : "No easier question saves many measurements. ") +
        `(${body.live.seconds.toFixed(1)} s)`;
    }

    // --- open, save, share
    async function use(f, with_) {
      if (!dict(f)) throw new Error("The file is not a problem file.");
      [fields, files] = [f, {}];
      for (const [name, value] of Object.entries(dict(with_) ? with_ : {})) if (typeof value === "string") files[name] = value;
      answer.replaceChildren();
      choice = null;
      const c = part("candidates");
      if (!c.file && !piloted() && Array.isArray(c.names)) { // the problem has no table
        [columns, numeric, names] = [[], [], c.names];
        csv.value = "";
        await show();
        throw new Error("This problem has no table, because its file lists the candidates. To plan it, name a table with guesses of their means.");
      }
      const name = tableName();
      csv.value = files[name] || "";
      if (!csv.value) {
        await show();
        throw new Error(`The problem's table is ${name}; open both files together.`);
      }
      await look();
    }
    async function opened(chosen) {
      const toml = Object.keys(chosen).find(n => n.endsWith(".toml"));
      const rest = Object.fromEntries(Object.entries(chosen).filter(([n]) => n !== toml));
      work.say("ready", "");
      unmark();
      if (toml !== undefined) {
        const read = await purexp.live.call("problem-fields", { text: chosen[toml] });
        // The problem file may refer to tables that were opened before.
        await use(read.fields, { ...files, ...rest });
      } else {
        for (const [name, value] of Object.entries(rest)) {
          files[name] = value;
          if (name === tableName() || Object.keys(rest).length === 1) csv.value = value;
        }
        if (Object.keys(rest).length === 1) [opening] = Object.keys(rest);
        await look(true).finally(() => { opening = ""; });
      }
      work.say("ready", `Opened ${Object.keys(chosen).join(", ")}.${choice ? " It has other columns; describe them." : ""}`);
    }
    const saved = () => guarded(async () => {
      if (choice) await draft();
      files[tableName()] = csv.value;
      save("problem.toml", text.value);
      work.say("ready", `Saved problem.toml. Save ${tableName()} in the same folder and run purexp plan problem.toml. To start, run purexp campaign new problem.toml`);
    });
    const share = el("input", { type: "text", readonly: true, hidden: true, "aria-label": "The link" });
    const shared = () => guarded(async () => {
      if (choice) await draft();
      files[tableName()] = csv.value;
      share.value = await link(KEY, { fields, files: { [tableName()]: csv.value, ...files } });
      share.hidden = false;
      share.select();
      let copied = false;
      try {
        await navigator.clipboard.writeText(share.value);
        copied = true;
      } catch { /* the browser may deny access to the clipboard; the link is selected */ }
      work.say("ready", `${copied ? "The link is copied." : "Copy the link."} It contains the problem and its table; everybody with the link can read them.`);
    });

    body.replaceChildren(
      el("div", { class: "live-controls" }, opener("Open table or problem file …", ".csv,.tsv,.txt,.toml", opened, work.failed)),
      labelled("Paste the table here, with column names in the first row", csv), form,
      el("details", {}, el("summary", {}, "The problem file"), text),
      el("div", { class: "live-controls" }, plan, work.cancel, el("button", { type: "button", onclick: saved }, "Save problem file"),
        el("button", { type: "button", onclick: () => save(tableName(), csv.value) }, "Save table"), el("button", { type: "button", onclick: shared }, "Share a link"), work.bar),
      share, work.says, answer);
    body.live.desk = { fields: () => fields, files: () => files };
    body.dataset.state = "loading";
    (async function () {
      let begin = structuredClone(START), from = "";
      try {
        const got = await linked(KEY);
        if (got) [begin, from] = [got, "Opened the problem of the link. "];
      } catch (err) {
        await use(begin.fields, begin.files);
        return work.failed(err);
      }
      try {
        await use(begin.fields, begin.files);
        work.say("ready", from + "Adapt the example to your problem, and press Plan.");
      } catch (err) {
        work.failed(err);
      }
    })();
  }
  purexp.load("live/live.js").then(() => purexp.load("live/desk.js")).then(
    () => purexp.panel("planner", fill),
    err => purexp.panel("planner", element => { element.textContent = err.message; }),
  );
}
