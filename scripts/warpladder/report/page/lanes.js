// The lanes of one warp over time: a column for each instruction that it executed, a row for each lane.
"use strict";
const IN_VIEW = 160;  // steps

class LanesView {
  constructor(data, kernel) {
    this.data = data; this.kernel = kernel; this.warp = 0; this.step = 0;
    const warps = kernel.warps.filter(warp => warp.steps.length);
    this.warps = warps;
    if (!warps.length) { this.node = null; return; }
    this.canvas = el("canvas", { role: "img", "aria-label": "Lanes of the warp over time; the text below says what the chosen step is" });
    this.slider = el("input", { type: "range", min: 0, step: 1, id: "step", "aria-label": "Step of the warp", oninput: () => this.go(Number(this.slider.value)) });
    this.text = el("div", { "aria-live": "polite" });
    const choose = el("select", { id: "warp", onchange: event => { this.warp = event.target.selectedIndex; this.reset(); } },
      warps.map(warp => el("option", {}, "block " + place(warp.block) + ", warp " + warp.warp + " (" + plural(warp.total, "step") + ")")));
    this.node = el("section", { class: "card", id: "lanes" }, el("h2", {}, "Lanes over time"),
      el("div", { class: "bar" }, el("label", {}, "Warp", choose),
        el("button", { type: "button", onclick: () => this.go(this.step - 1) }, "Step back"), this.slider, el("button", { type: "button", onclick: () => this.go(this.step + 1) }, "Step on"),
        el("button", { type: "button", onclick: () => this.part(), title: "the next step that not all lanes take" }, "Next divergence")),
      this.canvas, el("p", { class: "dim" }, el("span", { class: "key", style: "background:var(--on);margin-left:0" }), "works", el("span", { class: "key", style: "background:var(--half)" }),
        "there, but its predicate does not hold", el("span", { class: "key", style: "background:var(--off)" }), "elsewhere or ended"), this.text);
    this.canvas.addEventListener("click", event => {
      const box = this.canvas.getBoundingClientRect();
      this.go(this.first() + Math.floor((event.clientX - box.left) / box.width * this.width()));
    });
    this.reset();
  }
  steps() { return this.warps[this.warp].steps; }
  width() { return Math.min(IN_VIEW, this.steps().length); }
  first() { return Math.max(0, Math.min(this.step - Math.floor(this.width() / 2), this.steps().length - this.width())); }
  reset() { this.slider.max = this.steps().length - 1; this.go(0); }
  go(step) {
    this.step = Math.max(0, Math.min(this.steps().length - 1, step));
    this.slider.value = this.step;
    this.paint();
    this.say();
  }
  // To the next step whose lanes are fewer than at the step before it.
  part() {
    const steps = this.steps();
    for (let at = this.step + 1; at < steps.length; ++at) {
      if (count_bits(steps[at][1]) < count_bits(steps[at - 1][1])) return this.go(at);
    }
    this.text.append(el("p", {}, "After this step no lanes part any more."));
  }
  paint() {
    if (!this.node) return;
    const ratio = window.devicePixelRatio || 1, wide = Math.max(300, this.canvas.clientWidth), high = 340;
    this.canvas.width = wide * ratio; this.canvas.height = high * ratio;
    const g = this.canvas.getContext("2d"), column = wide / this.width(), row = high / 32, first = this.first();
    const colours = { on: style_of("--on"), half: style_of("--half"), off: style_of("--off") };
    g.scale(ratio, ratio);
    for (let i = 0; i < this.width(); ++i) {
      const [, active, on] = this.steps()[first + i];
      for (let lane = 0; lane < 32; ++lane) {
        g.fillStyle = on >>> lane & 1 ? colours.on : active >>> lane & 1 ? colours.half : colours.off;
        g.fillRect(i * column, lane * row, Math.max(1, column - .5), row - 1);
      }
    }
    g.strokeStyle = style_of("--heat"); g.lineWidth = 2;
    g.strokeRect((this.step - first) * column, 1, Math.max(2, column), high - 2);
  }
  say() {
    const steps = this.steps(), [at, active, on] = steps[this.step], instruction = this.kernel.instructions[at];
    const path = this.kernel.picture_files[instruction[0]] || "", source = (this.data.sources[path] || {}).text;
    const line = source && instruction[1] ? source[instruction[1] - 1] || "" : "";
    const cut = this.warps[this.warp].total > steps.length ? " (of " + number(this.warps[this.warp].total) + "; the first " + number(steps.length) + " were kept)" : "";
    this.text.replaceChildren(el("p", {}, "Step " + number(this.step + 1) + " of " + number(steps.length) + cut + ": " + plural(count_bits(on), "lane") + " of 32 " + (count_bits(on) === 1 ? "works" : "work") + ": " + lanes(on) + "." +
      (active !== on ? " Predicated off: " + lanes(active & ~on) + "." : "")),
      el("pre", { tabindex: 0 }, (instruction[1] ? last_part(path) + ":" + instruction[1] + "  " + line.trim() + "\n" : "") + instruction[4]));
  }
}
