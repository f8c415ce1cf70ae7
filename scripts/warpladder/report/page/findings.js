// What the checkers found, and orders of threads that were traced: who did what, step by step, a column for each thread.
"use strict";
const MOST_THREADS = 8;

class StepsView {
  constructor(trace, index) {
    this.trace = trace; this.step = 0;
    const who = [...new Set(trace.steps.map(step => step[0]))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    this.threads = who.slice(0, MOST_THREADS);
    this.slider = el("input", { type: "range", min: 0, max: Math.max(0, trace.steps.length - 1), value: 0, "aria-label": "Step of the trace " + (index + 1),
      oninput: () => this.go(Number(this.slider.value)) });
    this.said = el("p", { "aria-live": "polite" });
    this.body = el("tbody");
    const cut = trace.total > trace.steps.length ? " (the first " + number(trace.steps.length) + " of " + number(trace.total) + " steps)" : "";
    const more = who.length > MOST_THREADS ? el("p", { class: "dim" }, "The first " + MOST_THREADS + " of " + who.length + " threads have a column of their own.") : null;
    this.node = el("section", { class: "card" }, el("h2", {}, "Step by step: " + trace.kernel + cut), trace.schedule ? el("p", { class: "dim" }, "Schedule " + trace.schedule) : null, more,
      el("div", { class: "bar" }, el("button", { type: "button", onclick: () => this.go(this.step - 1) }, "Back"), this.slider, el("button", { type: "button", onclick: () => this.go(this.step + 1) }, "On")),
      this.said, el("div", { class: "wide", tabindex: 0 }, el("table", { class: "steps" },
        el("thead", {}, el("tr", {}, el("th", { class: "n" }, "step"), this.threads.map(name => el("th", {}, name)), el("th", {}, "address"), el("th", {}, "value"), el("th", {}, "source"))), this.body)));
    this.go(0);
  }
  // The steps around the chosen one.
  go(step) {
    const steps = this.trace.steps;
    this.step = Math.max(0, Math.min(steps.length - 1, step));
    this.slider.value = this.step;
    const first = Math.max(0, Math.min(this.step - 8, steps.length - 20)), last = Math.min(steps.length, first + 20);
    this.body.replaceChildren(...steps.slice(first, last).map((entry, i) => this.row(entry, first + i)));
    const [who, what, address, value, place, text] = steps[this.step] || ["", "", "", "", "", ""];
    this.said.replaceChildren("Step " + (this.step + 1) + " of " + steps.length + ": " + who + ", " + what + (address ? " of " + address : "") + (value ? ": " + value : "") + (place ? ", " + place + "  " + text : ""));
  }
  row([who, what, address, value, place], at) {
    const stale = value.includes("stale");
    return el("tr", { class: at === this.step ? "now" : at > this.step ? "later" : "", onclick: () => this.go(at) }, el("td", { class: "n" }, at + 1),
      this.threads.map(name => el("td", {}, name === who ? el("span", { class: "op" + (stale ? " stale" : "") }, what) : null)),
      el("td", {}, this.threads.includes(who) ? address : who + " " + what + " " + address), el("td", { class: stale ? "warn" : "" }, value), el("td", { class: "dim" }, place));
  }
}

// Two threads side by side, what each did and where, and between them the edge that nothing draws.
function pair_picture(finding) {
  const [first, second] = finding.accesses, label = finding.title + ": " + first.who + " " + first.does + ", " + second.who + " " + second.does;
  const box = (party, x, y) => svg("g", {}, svg("line", { x1: x, x2: x, y1: 34, y2: 190, stroke: "var(--dim)" }),
    svg("text", { x, y: 22, "text-anchor": "middle" }, party.who), svg("rect", { x: x - 105, y: y - 20, width: 210, height: 40, rx: 6, fill: "var(--card)", stroke: "var(--main)" }),
    svg("text", { x, y: y - 3, "text-anchor": "middle" }, party.does.slice(0, 34)), svg("text", { x, y: y + 13, "text-anchor": "middle", class: "dimtext" }, party.where.slice(-34)));
  return el("figure", {}, svg("svg", { viewBox: "0 0 640 200", role: "img", "aria-label": label },
    svg("line", { x1: 236, y1: 82, x2: 404, y2: 138, stroke: "var(--warn)", "stroke-width": 2.5, "stroke-dasharray": "7 6" }),
    svg("text", { x: 345, y: 88, "text-anchor": "middle", style: "fill:var(--warn)" }, "nothing orders them"),
    box(first, 130, 75), box(second, 510, 145)));
}

function show_finding(finding) {
  const pair = (finding.accesses || []).length === 2;
  return el("article", {}, el("h3", { class: finding.severity === "error" ? "warn" : "" }, finding.title.replace(/,$/, "") + (finding.kernel ? ", in " + finding.kernel : "") + (finding.count > 1 ? " (" + number(finding.count) + " times)" : "")),
    el("p", {}, finding.what), pair ? pair_picture(finding) : (finding.accesses || []).map(party => el("p", {}, party.who + " " + party.does + (party.where ? " at " + party.where : ""))),
    finding.why ? el("p", {}, el("strong", {}, "Why: "), finding.why) : null, finding.cure ? el("p", {}, el("strong", {}, "Cure: "), finding.cure) : null);
}

function show_findings(data, place) {
  const findings = data.findings || [];
  if (findings.length) place.append(el("h2", {}, plural(findings.length, "finding")), ...findings.map(show_finding));
  else place.remove();
  const main = document.getElementById("content");
  for (const [index, trace] of (data.traces || []).entries()) if (trace.steps.length) main.before(new StepsView(trace, index).node);
}
