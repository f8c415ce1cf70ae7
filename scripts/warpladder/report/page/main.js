// Puts the page together: which kernel is shown, which theme, and the keys.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
let shown = 0, lanes_view = null, source_view = null;
const content = document.getElementById("content"), title = document.getElementById("title");

function same(kernel) {
  const old = data.baseline ? data.baseline.kernels : [];
  const alike = old.filter(other => other.name === kernel.name);
  return alike.find(other => dims(other.grid) === dims(kernel.grid) && dims(other.block) === dims(kernel.block)) || alike[0];
}

function compare(kernel) {
  if (!data.baseline) return null;
  const old = same(kernel);
  if (!old) return el("section", { class: "card" }, el("h2", {}, "Beside the baseline"), el("p", {}, "The baseline has no kernel of this name."));
  const names = new Set([...Object.keys(kernel.counters), ...Object.keys(old.counters)]);
  const rows = [...names].map(name => [name, of(old.counters, name), of(kernel.counters, name)]).filter(row => row[1] !== row[2]);
  const quotient = kernel.model && old.model ? old.model.modelled_ns / kernel.model.modelled_ns : 0;
  return el("section", { class: "card", id: "baseline" }, el("h2", {}, "Beside the baseline"),
    quotient ? el("p", {}, "Modelled: " + time(old.model.modelled_ns) + " before, " + time(kernel.model.modelled_ns) + " now: ",
      el("strong", { class: quotient > 1.02 ? "better" : quotient < .98 ? "worse" : "" }, quotient > 1.02 ? number(quotient) + " times as fast" : quotient < .98 ? number(1 / quotient) + " times as slow" : "the same"), ".") : null,
    rows.length ? el("div", { class: "wide" }, el("table", {}, el("tr", {}, el("th", {}, "counter"), el("th", { class: "n" }, "before"), el("th", { class: "n" }, "now"), el("th", {}, "")),
      rows.map(([name, before, now]) => el("tr", {}, el("td", { title: name }, (data.counters[name] || ["", name])[1]), el("td", { class: "n" }, number(before)),
        el("td", { class: "n" }, number(now)), el("td", { class: "dim" }, (data.counters[name] || [""])[0]))))) : el("p", {}, "No counter differs."));
}

function show(number_of_kernel) {
  shown = (number_of_kernel + data.kernels.length) % data.kernels.length;
  const kernel = data.kernels[shown];
  title.value = String(shown);
  source_view = null; lanes_view = null;
  content.replaceChildren(...show_overview(data, kernel).flat(), ...[compare(kernel)].filter(Boolean));
  lanes_view = new LanesView(data, kernel);
  const old = same(kernel);
  const place = el("div"), below = el("div");
  content.append(place, below);
  source_view = new SourceView(data, kernel, old);
  place.replaceWith(source_view.node);
  if (lanes_view.node) { below.replaceWith(lanes_view.node); lanes_view.paint(); }
  if (source_view.paths.length) source_view.select(source_view.selected);
}

function theme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches, now = document.documentElement.dataset.theme || (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  if (lanes_view) lanes_view.paint();
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const actions = { k: () => show(shown + 1), K: () => show(shown - 1), h: () => source_view.hottest(1), H: () => source_view.hottest(-1),
    l: () => lanes_view.node && lanes_view.go(lanes_view.step + 1), L: () => lanes_view.node && lanes_view.go(lanes_view.step - 1),
    d: () => lanes_view.node && lanes_view.part(), t: theme, "?": () => document.getElementById("help").showModal() };
  if (actions[event.key] && data.kernels.length) { event.preventDefault(); actions[event.key](); }
}

document.getElementById("theme").addEventListener("click", theme);
document.getElementById("keys").addEventListener("click", () => document.getElementById("help").showModal());
if (data.kernels.length) {
  for (const [at, kernel] of data.kernels.entries()) {
    const took = kernel.model ? time(kernel.model.modelled_ns) : "failed";
    title.append(el("option", { value: at }, kernel.name.slice(0, 120) + "  <<<" + dims(kernel.grid) + ", " + dims(kernel.block) + ">>>  " + took));
  }
  title.addEventListener("change", () => show(Number(title.value)));
  document.addEventListener("keydown", keys);
  addEventListener("resize", () => { if (lanes_view) lanes_view.paint(); if (source_view && source_view.paths.length) source_view.paint(); });
  show(0);
} else {
  content.append(el("p", {}, "The program launched no kernel."));
}
show_findings(data, document.getElementById("findings"));
