// purexp.plane(element, setting) creates a panel with movable arms in the plane. The panel runs a method on the arms, and
// shows the state of the method after each number of measurements. The files in _static/panels/ contain settings.
//
//   setting.of        "means": an arm is drawn at its two means; "features": at its two features, with theta as an arrow
//   setting.instance  the instance of package live; setting.method, delta and seed are the initial values
//   setting.methods   [{name, label, constants: [...]}]; the first method is the default of setting.method
//   setting.prompt    a suggestion for a first experiment
//   setting.least     the names of the movable thresholds; setting.epsilon is true if the question has an epsilon
"use strict";
purexp.plane = (function () {
  const W = 360, H = 300, WB = 270, L = 44, R = 14, T = 12, B = 40;
  const LOOK = { optimal: ["#009E73", "●"], dominated: ["#56B4E9", "■"], infeasible: ["#D55E00", "▲"], undecided: ["#8a8a8a", "○"] };
  // The lower bounds in the sentence below the pictures.
  const BOUNDS = { // the symbol, its definition, and the formula of the bound
    "T*": ["T*", "the characteristic time of this instance: the number of measurements, in the best proportions, for one unit of evidence against the closest instance with another answer",
      "T* · kl(δ, 1 − δ), about T* · log(1/(2.4 δ)),"],
    "psi*": ["ψ*", "the difficulty of finding the best item: the variance of the hardest comparison divided by its squared difference, with measurements in the best proportions",
      "2 σ² ψ* · log(1/(2.4 δ))"],
    "Gamma*": ["Γ*", "the difficulty of finding all ε-best arms: the number of measurements, in the best proportions, for one unit of evidence against the closest theta with other ε-best arms",
      "σ² Γ* · kl(δ, 1 − δ), about σ² Γ* · log(1/(2.4 δ)),"],
  };
  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const short = v => String(+v.toPrecision(4));

  function el(tag, attributes = {}, ...children) {
    const svg = ["svg", "g", "circle", "rect", "line", "text", "path"].includes(tag);
    const e = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
      else if (value !== false && value !== null) e.setAttribute(name, value === true ? "" : value);
    }
    e.append(...children);
    return e;
  }

  return function (body, setting) {
    const instance = structuredClone(setting.instance);
    const means = setting.of === "means";
    const places = means ? instance.means : instance.features;
    const state = { delta: setting.delta, seed: setting.seed || 1, at: 0 };
    let bound = null, run = null, stop = null, timer = 0, playing = 0, moving = null;
    body.removeAttribute("aria-live"); // screen readers announce only the sentence below, not every number
    body.classList.add("live-panel");

    // --- controls
    const method = el("select", { onchange: () => { constantsOf(); change(); } },
      ...setting.methods.map(m => el("option", { value: m.name }, m.label)));
    const constants = el("select", { onchange: () => change() });
    function constantsOf() {
      const m = setting.methods.find(m => m.name === method.value);
      constants.replaceChildren(...(m.constants || ["theory"]).map(c => el("option", {}, c)));
    }
    constantsOf();
    const number = (value, attributes, set) => el("input", { type: "number", value, ...attributes, onchange: e => {
      if (e.target.value !== "" && e.target.checkValidity()) { set(+e.target.value); change(); }
      else e.target.reportValidity();
    } });
    const labelled = (text, control) => el("label", {}, text, control);
    const delta = number(state.delta, { min: 1e-9, max: .5, step: "any" }, v => { state.delta = v; });
    const seed = number(state.seed, { min: 0, max: 1e9, step: 1 }, v => { state.seed = v; });
    const controls = el("div", { class: "live-controls" }, labelled("Method", method), labelled("Constants", constants),
      labelled("Error probability δ", delta), labelled("Seed", seed));
    const least = [];
    if (setting.least) {
      setting.least.forEach((name, c) => {
        least[c] = number(instance.question.least[c], { step: "any" }, v => { instance.question.least[c] = v; });
        controls.append(labelled(`Least ${name}`, least[c]));
      });
    }
    if (setting.epsilon) {
      controls.append(labelled("Epsilon ε", number(instance.question.epsilon, { min: 0, step: "any" }, v => { instance.question.epsilon = v; })));
    }
    if (instance.noise.kind === "gaussian") {
      controls.append(labelled("Noise σ", number(instance.noise.sd, { min: 1e-6, step: "any" }, v => { instance.noise.sd = v; })));
    }
    const cancel = el("button", { type: "button", hidden: true, onclick: () => { if (stop) stop.abort(); } }, "Cancel");
    const again = el("button", { type: "button", onclick: () => { state.seed += 1; seed.value = state.seed; change(); } }, "Another run");
    controls.append(again, cancel);

    // --- pictures
    const plane = el("svg", { viewBox: `0 0 ${W} ${H}`, role: "group", "aria-label": setting.label });
    const bars = el("svg", { viewBox: `0 0 ${WB} ${Math.max(120, 24 * instance.arms.length + 60)}`, role: "img" });
    const meaning = el("p", { class: "live-note", hidden: true });
    const says = el("p", { class: "live-says", role: "status", "aria-live": "polite" });
    const slider = el("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Measurements so far",
      oninput: () => { still(); state.at = +slider.value; show(); } });
    const play = el("button", { type: "button", onclick: () => playing ? still() : start() }, "Play");
    const when = el("span");
    const table = el("tbody");
    const figure = el("details", { class: "live-figure" }, el("summary", {}, "The run as a figure"));
    const numbersOf = el("div", { class: "live-numbers live-scroll" });
    body.replaceChildren(...(setting.prompt ? [el("p", { class: "live-prompt" }, el("strong", {}, "Try: "), setting.prompt)] : []), controls, el("div", { class: "live-pictures" }, plane, bars), says, meaning,
      el("div", { class: "live-time" }, play, slider, when),
      el("div", { class: "live-scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...["Arm", "Measured", "Verdict and reason"].map(h => el("th", { scope: "col" }, h)))), table)),
      el("details", {}, el("summary", {}, "Numbers for all arms"), numbersOf), figure);

    // --- coordinates
    const span = [0, 1].map(c => {
      if (setting.window) return setting.window[c];
      const all = places.map(p => p[c]).concat(setting.least ? [instance.question.least[c]] : []);
      const lo = Math.min(...all), hi = Math.max(...all), w = (hi - lo || 1) * .2;
      return [lo - w, hi + w];
    });
    const X = v => L + (v - span[0][0]) / (span[0][1] - span[0][0]) * (W - L - R);
    const Y = v => H - B - (v - span[1][0]) / (span[1][1] - span[1][0]) * (H - T - B);
    const axes = means ? instance.objectives : ["feature 1", "feature 2"];
    const clamp = (v, c) => Math.min(span[c][1], Math.max(span[c][0], v));
    const clip = v => Math.min(1e4, Math.max(-1e4, v));
    const handles = () => [...places.map((p, i) => ({ place: p, name: instance.arms[i] })),
      ...(means ? [] : [{ name: "theta", theta: true, place: [instance.theta[0][0] * scaleTheta, instance.theta[1][0] * scaleTheta] }])];
    const scaleTheta = means ? 1 : setting.arrow || 1;

    function move(k, x, y) {
      const h = handles()[k];
      const p = [clamp(x, 0), clamp(y, 1)].map(v => +v.toFixed(4));
      if (instance.noise.kind === "bernoulli") p.forEach((v, c) => { p[c] = Math.min(1, Math.max(0, v)); });
      if (h.theta) instance.theta = [[p[0] / scaleTheta], [p[1] / scaleTheta]];
      else places[k].splice(0, 2, ...p);
      change();
    }

    function drawPlane() {
      const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.arm : undefined;
      const inside = plane.contains(document.activeElement);
      plane.replaceChildren(el("rect", { x: L, y: T, width: W - L - R, height: H - T - B, fill: "none", stroke: "currentColor", "stroke-opacity": .4 }));
      for (const c of [0, 1]) {
        for (let j = 0; j <= 4; j++) {
          const v = span[c][0] + j / 4 * (span[c][1] - span[c][0]), t = short(+v.toPrecision(2));
          plane.append(c ? el("text", { x: L - 4, y: Y(v) + 4, "text-anchor": "end" }, t) : el("text", { x: X(v), y: H - B + 14, "text-anchor": "middle" }, t));
        }
      }
      plane.append(el("text", { x: (L + W - R) / 2, y: H - 8, "text-anchor": "middle" }, axes[0]),
        el("text", { x: 12, y: (T + H - B) / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${(T + H - B) / 2})` }, axes[1]));
      if (setting.least) {
        const [a, b] = instance.question.least.map((v, c) => v === null ? span[c][0] : clamp(v, c));
        plane.append(el("rect", { x: X(a), y: T, width: W - R - X(a), height: Y(b) - T, fill: "#009E73", "fill-opacity": .1, stroke: "#009E73", "stroke-dasharray": "4 3" }));
      }
      const now = run && run.course[state.at];
      if (now && means) {
        now.half.forEach((half, i) => {
          const m = now.means[i];
          if (half[0] === null || m[0] === null) return;
          const [x0, x1, y0, y1] = [X(clamp(m[0] - half[0], 0)), X(clamp(m[0] + half[0], 0)), Y(clamp(m[1] + half[1], 1)), Y(clamp(m[1] - half[1], 1))];
          plane.append(el("rect", { class: "live-box", x: x0, y: y0, width: x1 - x0, height: y1 - y0, fill: LOOK[now.classes[i]][0], "fill-opacity": .08, stroke: LOOK[now.classes[i]][0] }));
        });
      }
      if (!means) {
        const [tx, ty] = handles().at(-1).place;
        plane.append(el("line", { x1: X(0), y1: Y(0), x2: clip(X(tx)), y2: clip(Y(ty)), stroke: "currentColor", "stroke-width": 1.5 }));
      }
      handles().forEach((h, k) => {
        const c = h.theta ? "theta" : now ? now.classes[k] : "undecided";
        const look = LOOK[c] || ["currentColor", "◆"];
        const [x, y] = [X(h.place[0]), Y(h.place[1])];
        const g = el("g", { class: "live-arm", tabindex: 0, role: "slider", "data-arm": k, "aria-label": h.name,
          "aria-valuenow": short(h.place[0]), "aria-valuemin": short(span[0][0]), "aria-valuemax": short(span[0][1]),
          "aria-valuetext": `${axes[0]} ${short(h.place[0])}, ${axes[1]} ${short(h.place[1])}; arrow keys move it`,
          onpointerdown: e => { moving = k; plane.setPointerCapture(e.pointerId); e.preventDefault(); plane.querySelector(`[data-arm="${k}"]`).focus(); },
          onkeydown: e => {
            const d = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
            if (!d) return;
            e.preventDefault();
            const n = e.shiftKey ? 20 : 100;
            move(k, h.place[0] + d[0] * (span[0][1] - span[0][0]) / n, h.place[1] + d[1] * (span[1][1] - span[1][0]) / n);
          } },
          el("circle", { class: "live-ring", cx: x, cy: y, r: 12, fill: "transparent", stroke: "transparent", "stroke-width": 2 }),
          el("text", { x, y: y + 5, "text-anchor": "middle", style: `fill:${look[0]};font-size:15px`, "aria-hidden": "true" }, look[1]),
          el("text", { x: x + 9, y: y - 5, "aria-hidden": "true" }, h.name));
        plane.append(g);
      });
      if (inside && focused !== undefined) plane.querySelector(`[data-arm="${focused}"]`).focus();
    }
    plane.addEventListener("pointermove", e => {
      if (moving === null) return;
      const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(plane.getScreenCTM().inverse());
      move(moving, span[0][0] + (p.x - L) / (W - L - R) * (span[0][1] - span[0][0]), span[1][0] + (H - B - p.y) / (H - T - B) * (span[1][1] - span[1][0]));
    });
    for (const end of ["pointerup", "pointercancel"]) plane.addEventListener(end, () => { moving = null; });

    // Draws the proportions of measurements with the optimal proportions and, for one objective, the intervals.
    function drawBars() {
      const now = run && run.course[state.at], names = instance.arms, left = 70, wide = WB - left - 50;
      bars.replaceChildren(el("text", { x: 4, y: 14 }, "Proportion of measurements" + (bound && bound.weights ? " (line: optimal proportion)" : "")));
      const words = [];
      names.forEach((name, i) => {
        const y = 24 + 24 * i, share = now && now.pulls ? now.armPulls[i] / now.pulls : 0;
        // If the line of the optimal proportion would cross the number, the number is drawn after the line.
        const line = bound && bound.weights ? bound.weights[i] : 0, end = line > share && line < share + .15 ? line : share;
        bars.append(el("text", { x: left - 5, y: y + 12, "text-anchor": "end" }, name.slice(0, 11)),
          el("rect", { x: left, y, width: share * wide, height: 16, fill: LOOK[now ? now.classes[i] : "undecided"][0] }),
          el("text", { x: left + end * wide + 4, y: y + 12 }, `${(100 * share).toFixed(share < .1 ? 1 : 0)} %`));
        if (bound && bound.weights) bars.append(el("line", { x1: left + bound.weights[i] * wide, x2: left + bound.weights[i] * wide, y1: y - 2, y2: y + 18, stroke: "currentColor", "stroke-width": 2 }));
        words.push(`${name} ${(100 * share).toFixed(1)} %`);
      });
      bars.setAttribute("aria-label", "Proportions of measurements: " + words.join(", "));
    }

    function drawTable() {
      const now = run && run.course[state.at], last = run && state.at === run.course.length - 1;
      table.replaceChildren(...instance.arms.map((name, i) => {
        const c = now ? now.classes[i] : "undecided";
        let why = c;
        if (last) why = run.verdicts[i].text.replace(name + ": ", "");
        if (now && !means && now.half[i][0] !== null) why += ` [mean ${short(now.means[i][0])} ± ${now.half[i][0].toPrecision(2)}; true ${short(bound ? bound.means[i][0] : NaN)}]`;
        return el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, now ? whole.format(now.armPulls[i]) : ""), el("td", {}, `${LOOK[c][1]} ${why}`));
      }));
    }

    function drawNumbers() {
      if (numbersOf.contains(document.activeElement)) return;
      numbersOf.replaceChildren(el("table", {}, el("tbody", {}, ...handles().map((h, k) => el("tr", {}, el("th", { scope: "row" }, h.name),
        ...[0, 1].map(c => el("td", {}, el("input", { type: "number", step: "any", value: +h.place[c].toFixed(4), "aria-label": `${h.name}: ${axes[c]}`,
          onchange: e => { const p = [...handles()[k].place]; p[c] = +e.target.value; move(k, ...p); } }))))))));
    }

    function show() {
      slider.max = run ? run.course.length - 1 : 0;
      slider.value = state.at;
      const now = run && run.course[state.at];
      when.textContent = now ? `${whole.format(now.pulls)} measurements` : "";
      slider.setAttribute("aria-valuetext", when.textContent);
      drawPlane();
      drawBars();
      drawTable();
    }

    function sentence() {
      const how = run.status === "stopped" ? `The method stopped after ${whole.format(run.pulls)} measurements; its answer is ${run.correct ? "right" : "wrong"}.`
        : `The run reached its limit of ${whole.format(run.pulls)} measurements without an answer.`;
      const b = !bound ? "" : bound.name ? ` By ${BOUNDS[bound.name][0]}, every method needs at least ${whole.format(bound.value)} on average; this run needed ${(run.pulls / bound.value).toPrecision(2)} times as many.` : "";
      return how + b + (bound && bound.about ? " " + bound.about : "");
    }

    // --- the run
    function change() {
      if (stop) stop.abort();
      still();
      run = null;
      state.at = 0;
      show();
      drawNumbers();
      body.dataset.state = "waiting";
      clearTimeout(timer);
      timer = setTimeout(go, 250);
    }

    async function go() {
      const mine = stop = new AbortController();
      const request = { instance: structuredClone(instance), method: { name: method.value, constants: constants.value, delta: state.delta },
        seed: state.seed, maxPulls: setting.maxPulls || 3000000, figure: true };
      body.dataset.state = "running";
      cancel.hidden = false;
      says.textContent = "Running …";
      try {
        bound = await purexp.live.call("bound", { instance: request.instance, delta: state.delta }, { signal: mine.signal });
        const answer = await purexp.live.call("run", request, { signal: mine.signal, progress: done => {
          if (stop === mine) when.textContent = `${whole.format(done)} measurements so far`;
        } });
        if (stop !== mine) return;
        run = answer;
        state.at = run.course.length - 1;
        body.live = { request, answer, bound };
        figure.lastElementChild.tagName === "svg" && figure.lastElementChild.remove();
        figure.insertAdjacentHTML("beforeend", run.svg.slice(run.svg.indexOf("<svg")));
        show();
        says.textContent = sentence();
        const about = BOUNDS[bound && bound.name];
        meaning.hidden = !about;
        if (about) {
          meaning.replaceChildren(el("strong", {}, about[0]), ` is ${about[1]}. Every method with error probability at most δ needs at least ${about[2]} measurements on average: `,
            "the number above. The lines on the bars show the best proportions.");
        }
        body.dataset.state = "done";
      } catch (err) {
        if (stop !== mine) return;
        says.textContent = err.name === "AbortError" ? "Cancelled. Change the instance, or press “Another run”." : err.message;
        body.dataset.state = err.name === "AbortError" ? "cancelled" : "failed";
      } finally {
        if (stop === mine) {
          stop = null;
          cancel.hidden = true;
        }
      }
    }

    // --- playback of the run
    function still() {
      clearInterval(playing);
      playing = 0;
      play.textContent = "Play";
    }
    function start() {
      if (!run) return;
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) { // show a few steps instead of an animation
        state.at = (state.at + Math.ceil(run.course.length / 8)) % run.course.length;
        show();
        return;
      }
      if (state.at === run.course.length - 1) state.at = 0;
      play.textContent = "Stop";
      playing = setInterval(() => {
        state.at = Math.min(state.at + 1, run.course.length - 1);
        show();
        if (state.at === run.course.length - 1) still();
      }, 60);
    }
    change();
  };
})();
