// The source with figures beside each line. Only the rows in view are in the document, so that a long file opens at once.
"use strict";
const ROW = 20;

function by_file(kernel) {
  const files = new Map();
  for (const [file, line, counters] of kernel.lines) {
    const path = kernel.files[file];
    if (!files.has(path)) files.set(path, new Map());
    files.get(path).set(line, counters);
  }
  return files;
}

class SourceView {
  constructor(data, kernel, baseline) {
    this.data = data; this.kernel = kernel; this.files = by_file(kernel); this.old = baseline ? by_file(baseline) : null;
    this.shown = new Set(COLUMNS.filter(column => column.on).map(column => column.id));
    this.heat = HEATS[0]; this.selected = 0;
    // What belongs to no file (the compiler's own) comes last, however often it ran.
    this.paths = [...this.files.keys()].sort((a, b) => (a === "") - (b === "") || this.total(b) - this.total(a));
    this.path = this.paths[0];
    this.detail = el("div", { "aria-live": "polite" });
    this.node = el("section", { class: "card", id: "source" }, el("h2", {}, "Source"),
      this.paths.length ? [this.controls(), this.table(), this.detail] : el("p", {}, "The program was built without line information (nvcc -lineinfo)."));
    if (this.paths.length) this.open(this.path);
  }
  total(path) { let all = 0; for (const counters of this.files.get(path).values()) all += of(counters, C.inst); return all; }

  controls() {
    const files = el("select", { id: "file", onchange: event => this.open(event.target.value) },
      this.paths.map(path => el("option", { value: path }, path || "(of no file)")));
    const heat = el("select", { id: "heat", onchange: event => { this.heat = HEATS[event.target.selectedIndex]; this.paint(); } },
      HEATS.map(column => el("option", {}, column.head)));
    const boxes = COLUMNS.map(column => el("label", { title: column.why },
      el("input", { type: "checkbox", checked: column.on, onchange: event => {
        event.target.checked ? this.shown.add(column.id) : this.shown.delete(column.id); this.head(); this.paint();
      } }), " " + column.head));
    return el("div", {}, el("div", { class: "bar" }, el("label", {}, "File", files), el("label", {}, "Colour by", heat),
      el("button", { type: "button", onclick: () => this.hottest(-1) }, "Hotter"), el("button", { type: "button", onclick: () => this.hottest(1) }, "Less hot")),
      el("details", {}, el("summary", {}, "Columns"), el("div", { class: "columns" }, boxes)));
  }
  table() {
    this.headrow = el("div", { class: "row head", role: "row" });
    this.rows = el("div", { style: "position:absolute;left:0;top:0;min-width:100%" });
    this.room = el("div", { style: "position:relative" }, this.rows);
    this.grid = el("div", { class: "grid", role: "grid", tabindex: 0, "aria-label": "Source lines with their counters",
      onscroll: () => this.paint(), onkeydown: event => this.key(event) }, this.headrow, this.room);
    return this.grid;
  }
  columns() { return COLUMNS.filter(column => this.shown.has(column.id)); }
  head() {
    this.headrow.replaceChildren(el("span", { class: "heat", role: "columnheader", "aria-label": "heat" }), el("span", { class: "num", role: "columnheader" }, "line"),
      el("span", { class: "text", role: "columnheader" }, last_part(this.path) || "(of no file)"),
      ...this.columns().map(column => el("span", { class: "val", role: "columnheader", title: column.why }, column.head)));
  }
  open(path) {
    this.path = path;
    const source = this.data.sources[path] || {};
    this.text = source.text || null;
    this.why = source.why || "";
    this.counted = this.files.get(path);
    const numbers = [...this.counted.keys()];
    this.count = Math.max(this.text ? this.text.length : 0, numbers.reduce((most, line) => Math.max(most, line), 0));
    this.room.style.height = (this.count + (this.counted.has(0) ? 1 : 0)) * ROW + "px";
    this.grid.setAttribute("aria-rowcount", this.count);
    this.head();
    const first = this.ranked()[0];
    this.select(first === undefined ? 0 : first);
  }
  // Lines from the hottest on.
  ranked() {
    return [...this.counted.keys()].filter(line => this.heat.get(this.counted.get(line)) > 0)
      .sort((a, b) => this.heat.get(this.counted.get(b)) - this.heat.get(this.counted.get(a)) || a - b);
  }
  hottest(step) {
    if (!this.paths.length) return;
    const ranked = this.ranked(), at = ranked.indexOf(this.selected);
    const next = at < 0 ? ranked[0] : ranked[Math.min(ranked.length - 1, Math.max(0, at + step))];
    if (next !== undefined) this.select(next);
  }
  key(event) {
    const keys = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };
    if (!(event.key in keys)) return;
    event.preventDefault();
    this.select(Math.min(this.count, Math.max(1, this.selected + keys[event.key])));
  }
  select(line) {
    this.selected = line;
    const top = (line - 1) * ROW, view = this.grid.clientHeight - ROW;
    if (top < this.grid.scrollTop || top > this.grid.scrollTop + view - ROW) this.grid.scrollTop = Math.max(0, top - view / 2);
    this.paint();
    this.explain();
  }
  paint() {
    let most = 0;
    for (const counters of this.counted.values()) most = Math.max(most, this.heat.get(counters));
    const first = Math.max(0, Math.floor(this.grid.scrollTop / ROW) - 10), last = Math.min(this.count, first + Math.ceil(this.grid.clientHeight / ROW) + 20);
    this.rows.style.top = first * ROW + "px";
    const rows = [];
    for (let line = first + 1; line <= last; ++line) rows.push(this.row(line, most));
    if (this.counted.has(0) && last === this.count) rows.push(this.row(0, most));
    this.rows.replaceChildren(...rows);
  }
  row(line, most) {
    const counters = this.counted.get(line), heat = counters && most ? this.heat.get(counters) / most : 0;
    const text = line === 0 ? "(no line of the source)" : this.text ? this.text[line - 1] || "" : counters ? this.why : "";
    return el("div", { class: "row" + (counters ? " has" : ""), role: "row", "aria-rowindex": line, "aria-selected": line === this.selected ? "true" : "false", onclick: () => this.select(line) },
      el("span", { class: "heat", role: "gridcell", style: heat ? "background:color-mix(in srgb, var(--heat) " + Math.max(6, Math.round(100 * heat)) + "%, var(--card))" : "" }),
      el("span", { class: "num", role: "gridcell" }, line || ""), el("span", { class: "text", role: "gridcell", title: text.length > 60 ? text : null }, text),
      this.columns().map(column => {
        const value = counters ? column.get(counters) : 0;
        return el("span", { class: "val", role: "gridcell" }, value ? number(value) : "");
      }));
  }
  // Everything about the selected line: figures, beside those of the baseline, its PTX, its worst requests.
  explain() {
    const counters = this.counted.get(this.selected);
    if (!counters) { this.detail.replaceChildren(el("p", { class: "dim" }, "Line " + this.selected + " was not executed.")); return; }
    const file = this.kernel.files.indexOf(this.path);
    const places = this.kernel.picture_files.indexOf(this.path);
    const ptx = this.kernel.instructions.map((instruction, at) => [at, instruction]).filter(([, instruction]) => places >= 0 && instruction[0] === places && instruction[1] === this.selected && instruction[4]);
    const requests = this.kernel.requests.filter(request => ptx.some(([at]) => at === request.at)).sort((a, b) => (b.pieces - b.ideal) - (a.pieces - a.ideal));
    const old = this.old && this.old.get(this.path) && this.old.get(this.path).get(this.selected);
    const rows = Object.keys(counters).map(name => el("tr", {}, el("td", { title: name }, (this.data.counters[name] || ["", name])[1]), el("td", { class: "n" }, number(counters[name])),
      this.old ? el("td", { class: "n" }, old ? number(old[name] || 0) : "") : null, el("td", { class: "dim" }, (this.data.counters[name] || [""])[0])));
    this.detail.replaceChildren(el("h3", {}, this.path ? last_part(this.path) + ":" + (this.selected || "no line") : "(of no file)"),
      el("div", { class: "two" },
        el("details", { open: false }, el("summary", {}, "All counters of this line"), el("div", { class: "wide" }, el("table", {},
          this.old ? el("tr", {}, el("th", {}, ""), el("th", { class: "n" }, "now"), el("th", { class: "n" }, "baseline"), el("th", {}, "")) : null, rows))),
        el("details", { open: true }, el("summary", {}, plural(ptx.length, "PTX instruction")), el("pre", { tabindex: 0 },
          ptx.map(([, instruction]) => number(instruction[2]).padStart(10) + " × " + (instruction[2] ? (instruction[3] / instruction[2]).toFixed(1) : "0.0").padStart(4) + "  " + instruction[4] + "\n"))),
      ), ...(requests.length ? [el("div", { class: "two" }, requests.slice(0, 8).map(request => show_request(this.kernel, request)))] : []));
  }
}
