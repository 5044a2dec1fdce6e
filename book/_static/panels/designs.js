// Optimal designs for a table of features. See docs/designs.md.
{
  const START = {
    table: "run,temperature,catalyst\nR1,20,1\nR2,20,2\nR3,20,4\nR4,40,1\nR5,40,2\nR6,40,4\nR7,60,1\nR8,60,2\nR9,60,4\n",
    items: "item,temperature,catalyst\nA,30,3\nB,50,3\nC,50,1\n", criterion: "g", constant: true, measurements: 24,
  };
  const CRITERIA = [["g", "G: the variance at a point"], ["xy", "XY: the variance of a difference of two points"], ["transductive", "transductive: the variance of a difference of two items"]];
  const KEY = "design";

  function fill(body) {
    const { el, labelled, select, save, opener, link, linked, table, runner } = purexp.desk;
    body.removeAttribute("aria-live");
    body.classList.add("live-panel", "live-desk");
    const task = { ...START };
    const work = runner(body), answer = el("div", { class: "live-answer" }), choice = el("div", { class: "live-controls" }), itemsBox = el("div");
    const points = el("textarea", { rows: 9, spellcheck: "false", "aria-label": "The table of points", onchange: () => guarded(look) });
    const items = el("textarea", { rows: 5, spellcheck: "false", "aria-label": "The table of items", onchange: () => { task.items = items.value; } });
    const criterion = select(CRITERIA, task.criterion, () => { task.criterion = criterion.value; itemsBox.hidden = task.criterion !== "transductive"; });
    const constant = el("input", { type: "checkbox", onchange: () => { task.constant = constant.checked; } });
    const count = el("input", { type: "number", min: 0, max: 1e6, step: 1, onchange: () => {
      if (count.checkValidity()) task.measurements = +count.value;
      else count.reportValidity();
    } });
    const seed = el("input", { type: "number", min: 0, max: 1e9, step: 1, value: 1 });
    itemsBox.append(labelled("The table of items, with the same columns of features", items));

    async function guarded(f) {
      try {
        work.say("ready", "");
        await f();
      } catch (err) {
        work.failed(err);
      }
    }
    // The check boxes for the columns of the table, which select the features.
    async function look() {
      task.table = points.value;
      const { columns, numeric } = await purexp.live.call("table", { name: "the table", text: task.table });
      const usable = columns.filter((c, j) => numeric[j]);
      if (!Array.isArray(task.features) || !task.features.length || task.features.some(c => !columns.includes(c))) task.features = usable;
      choice.replaceChildren(...columns.slice(1).map(c => {
        const box = el("input", { type: "checkbox", checked: task.features.includes(c), onchange: () => {
          task.features = columns.filter(d => d === c ? box.checked : task.features.includes(d));
        } });
        return el("label", { class: "live-check" }, box, c);
      }));
    }
    async function use(t) {
      if (t === null || typeof t !== "object" || typeof t.table !== "string") throw new Error("The file does not belong to this page.");
      for (const key of ["table", "items", "criterion", "constant", "measurements", "features"]) task[key] = t[key];
      if (!CRITERIA.some(c => c[0] === task.criterion)) task.criterion = "g";
      task.measurements = Math.max(0, Math.round(+task.measurements) || 0);
      task.constant = task.constant === true;
      task.items = typeof task.items === "string" ? task.items : "";
      [points.value, items.value, criterion.value, constant.checked, count.value] = [task.table, task.items, task.criterion, task.constant, task.measurements];
      itemsBox.hidden = task.criterion !== "transductive";
      answer.replaceChildren();
      await look();
    }
    function start() {
      Object.assign(task, { table: points.value, items: items.value });
      const request = { table: task.table, features: task.features, constant: task.constant, criterion: task.criterion, measurements: task.measurements, seed: +seed.value,
        ...(task.criterion === "transductive" ? { items: task.items } : {}) };
      answer.replaceChildren();
      return work.run("design", request, "Computing …", shown);
    }
    const digits = v => v === null ? "infinite" : String(+v.toPrecision(4));
    const percent = v => `${+(100 * v).toPrecision(3)} %`;
    function shown(a) {
      const rows = a.points.map(p => [p.name, p.weight.toFixed(4), ...(a.rounded ? [String(p.count)] : [])]);
      answer.replaceChildren(table(["point", "weight", ...(a.rounded ? ["measurements"] : [])], rows, "The design"));
      if (a.critical) answer.append(table(["difference of", "and", "part"], a.critical.map(c => [c.from, c.to, percent(c.weight)]), "Critical differences"));
      if (a.rounded) {
        answer.append(el("button", { type: "button", onclick: () => save("worksheet.csv", a.rounded.worksheet) }, "Save worksheet"));
      }
      return `${a.points.filter(p => p.weight > 0).length} points for ${a.rank} dimensions (${a.features.join(", ")}). With one measurement in these proportions, the largest variance is ${digits(a.value)} times the variance of a measurement; ` +
        `the lower bound for all designs is ${digits(a.lower)} (gap ${a.gap === null ? "unknown" : percent(a.gap)}). ` +
        (a.rounded ? `With ${a.rounded.measurements} whole measurements, the largest variance is ${digits(a.rounded.variance)}, and the efficiency is at least ${percent(a.rounded.efficiency)}. ` : "") + `(${body.live.seconds.toFixed(1)} s)`;
    }
    const share = el("input", { type: "text", readonly: true, hidden: true, "aria-label": "The link" });
    const shared = () => guarded(async () => {
      share.value = await link(KEY, { ...task, table: points.value, items: items.value });
      share.hidden = false;
      share.select();
      try {
        await navigator.clipboard.writeText(share.value);
      } catch { /* the browser may deny access to the clipboard; the link is selected */ }
      work.say("ready", "Copy the link. It contains the tables; everybody with the link can read them.");
    });
    body.replaceChildren(
      el("div", { class: "live-controls" }, opener("Open table …", ".csv,.tsv,.txt", files => { points.value = Object.values(files)[0]; task.features = null; return look(); }, work.failed)),
      labelled("Paste the table of points here, with column names in the first row", points),
      el("fieldset", {}, el("legend", {}, "Features"), choice, el("label", { class: "live-check" }, constant, "add a constant")),
      el("div", { class: "live-controls" }, labelled("Criterion", criterion), labelled("Measurements", count), labelled("Seed of the random order", seed)), itemsBox,
      el("div", { class: "live-controls" }, el("button", { type: "button", class: "live-main", onclick: start }, "Compute"), work.cancel,
        el("button", { type: "button", onclick: shared }, "Share a link"), work.bar),
      share, work.says, answer);
    body.live.desk = { task };
    (async function () {
      let begin = START, fault = null;
      try {
        begin = await linked(KEY) || START;
      } catch (err) {
        fault = err;
      }
      await guarded(() => use(begin));
      if (fault) work.failed(fault);
    })();
  }
  purexp.load("live/live.js").then(() => purexp.load("live/desk.js")).then(
    () => purexp.panel("designs", fill),
    err => purexp.panel("designs", element => { element.textContent = err.message; }),
  );
}
