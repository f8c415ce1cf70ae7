// What a kernel took and why: time by limits, what would be if, occupancy, roofline, memory.
"use strict";

function shaped(triple, one) { return dims(triple) + " " + one + (triple[0] * triple[1] * triple[2] === 1 ? "" : "s"); }
function sentence(data, kernel) {
  const model = kernel.model;
  const run = plural(kernel.launches, "launch", "launches") + " of " + shaped(kernel.grid, "block") + " of " + shaped(kernel.block, "thread");
  if (kernel.failed) return el("p", { class: "warn" }, run + ". An error stopped it: what follows was counted up to there.");
  if (!model) return el("p", {}, run + ".");
  const words = model.limited_by_text || model.limited_by;
  return el("p", {}, run + ". Modelled: ", el("strong", {}, time(model.modelled_ns)), " on a " + data.device.name +
    ", limited by ", el("strong", {}, words), " (" + model.percent + " %).",
    data.device.calibrated ? "" : " The model of this GPU is not calibrated.");
}

function limits_table(model) {
  const rows = Object.entries(model.alone_ns || {}).filter(row => row[1] > 0).sort((a, b) => b[1] - a[1]);
  const most = Math.max(1, ...rows.map(row => row[1]));
  return el("div", {}, el("h3", {}, "What each part would take alone"),
    el("table", {}, rows.map(([id, ns]) => el("tr", {}, el("td", {}, (model.texts || {})[id] || id.replaceAll("_", " ")), el("td", { class: "n" }, time(ns)),
      el("td", { style: "width:45%" }, el("div", { class: "meter" },
        el("i", { class: id === model.limited_by ? "top" : "", style: "width:" + (100 * ns / most).toFixed(1) + "%" })))))));
}

function what_if(model) {
  const rows = model.what_if || [];
  if (!rows.length) return null;
  return el("div", {}, el("h3", {}, "What if"),
    el("p", { class: "dim" }, "The modelled time if one cost were gone, the largest gain first."),
    el("table", {}, rows.map(row => el("tr", {}, el("td", {}, "without " + row.without), el("td", { class: "n" }, time(row.modelled_ns)),
      el("td", { class: "n" }, percent(model.modelled_ns - row.modelled_ns, model.modelled_ns) + " less"),
      el("td", { class: "dim" }, row.file ? "mostly " + last_part(row.file) + ":" + row.line : "")))));
}

// How many blocks fit, by each of the four things a multiprocessor has.
function occupancy(data, kernel) {
  const device = data.device, figures = kernel.figures;
  const threads = figures.launch__block_size || 1, warps = Math.ceil(threads / 32);
  const registers = Math.ceil((figures.launch__registers_per_thread || 1) * 32 / 256) * 256 * warps;
  const shared = (figures.launch__shared_mem_per_block || 0) + (device.shared_reserved_per_block || 0);
  const rows = [
    ["threads", Math.floor(device.max_threads_per_sm / (warps * 32)), plural(threads, "thread") + " a block, " + number(device.max_threads_per_sm) + " a multiprocessor"],
    ["blocks", device.max_blocks_per_sm, "at most " + device.max_blocks_per_sm + " blocks a multiprocessor"],
    ["registers", Math.floor(65536 / registers), "about " + figures.launch__registers_per_thread + " registers a thread (estimated from the PTX), 65,536 a multiprocessor"],
    ["shared memory", shared ? Math.floor(device.shared_per_sm / shared) : Infinity, bytes(shared) + " a block with what the system keeps, " + bytes(device.shared_per_sm) + " a multiprocessor"],
  ];
  const least = Math.min(...rows.map(row => row[1]));
  const fit = figures.warpladder__resident_blocks ? figures.warpladder__resident_blocks / device.multiprocessors : least;
  const share = Math.min(1, fit * warps / device.max_warps_per_sm);
  const waves = (figures.launch__grid_size || 0) / Math.max(1, figures.warpladder__resident_blocks || 1);
  return el("section", { class: "card" }, el("h2", {}, "Occupancy"),
    el("p", {}, el("strong", {}, Math.round(100 * share) + " %"), ": " + plural(fit, "block") + " of " + plural(warps, "warp") +
      " on each multiprocessor at once, of " + device.max_warps_per_sm + " warps that it holds. The grid fills the GPU " +
      plural(waves, "time") + (waves < 1 ? ", so part of it is idle from the start." : ".")),
    el("table", {}, el("tr", {}, el("th", {}, "limited by"), el("th", { class: "n" }, "blocks that fit"), el("th", {}, "because")),
      rows.map(row => el("tr", {}, el("td", {}, row[1] === least ? el("strong", {}, row[0]) : row[0]),
        el("td", { class: "n" }, isFinite(row[1]) ? number(row[1]) : "no limit"), el("td", { class: "dim" }, row[2])))));
}

// Bytes that went to and from DRAM: as modelled by the caches (none, where all was in L2), or at least what was touched.
function caches_are_modelled(kernel) { return C.dram_read in kernel.figures; }
function dram_bytes(kernel) {
  const all = { ...kernel.figures, ...kernel.counters };
  if (caches_are_modelled(kernel)) return of(all, C.dram_read) + of(all, C.dram_write);
  return 32 * (of(all, "warpladder__footprint_sectors_read") + of(all, "warpladder__footprint_sectors_written"));
}

// Warp instructions per second over warp instructions per byte: where the kernel stands under the two roofs.
function roofline(data, kernel) {
  const device = data.device, moved = dram_bytes(kernel), executed = of(kernel.counters, C.inst);
  if (!kernel.model || !moved || !executed) return null;
  const peak = device.multiprocessors * 4 * device.clock_ghz, ridge = peak / device.dram_gbps;  // per ns
  const x = executed / moved, y = executed / kernel.model.modelled_ns;
  const low = Math.min(ridge, x) / 30, high = Math.max(ridge, x) * 30, bottom = Math.min(y, low * device.dram_gbps) / 2, top = peak * 3;
  const px = value => 60 + 380 * Math.log(value / low) / Math.log(high / low);
  const py = value => 230 - 210 * Math.log(value / bottom) / Math.log(top / bottom);
  const path = "M" + [[Math.max(low, bottom / device.dram_gbps), 0], [ridge, 0], [high, 0]]
    .map(([at]) => px(at).toFixed(1) + "," + py(Math.min(peak, at * device.dram_gbps)).toFixed(1)).join("L");
  const roof = Math.min(peak, x * device.dram_gbps);
  const label = "It reaches " + percent(y, roof) + " of what " + (x < ridge ? "DRAM" : "the issue of instructions") + " would allow.";
  return el("figure", {}, svg("svg", { viewBox: "0 0 460 270", role: "img", "aria-label": "Roofline. " + label },
    svg("path", { d: path, fill: "none", stroke: "var(--main)", "stroke-width": 2.5 }),
    svg("line", { x1: px(x), x2: px(x), y1: py(y), y2: py(roof), stroke: "var(--dim)", "stroke-dasharray": "4 4" }),
    svg("circle", { cx: px(x), cy: py(y), r: 6, fill: "var(--heat)" }),
    svg("line", { x1: 60, x2: 440, y1: 232, y2: 232, stroke: "var(--line)" }), svg("line", { x1: 60, x2: 60, y1: 15, y2: 232, stroke: "var(--line)" }),
    svg("text", { x: px(ridge) + 8, y: py(peak) - 8 }, "issue: " + number(peak) + " per ns"),
    svg("text", { x: Math.min(330, px(ridge) * .55), y: py(device.dram_gbps * ridge * .2) - 14, "text-anchor": "middle" }, "DRAM: " + number(device.dram_gbps) + " GB/s"),
    svg("text", { x: 250, y: 252, "text-anchor": "middle", class: "dimtext" }, "warp instructions per byte of DRAM: " + number(x)),
    svg("text", { x: 16, y: 125, "text-anchor": "middle", class: "dimtext", transform: "rotate(-90 16 125)" }, "warp instructions per ns: " + number(y))),
    el("figcaption", {}, label + " Instructions are those of the PTX; both scales are logarithmic."));
}

function memory_chart(data, kernel) {
  const all = { ...kernel.figures, ...kernel.counters };
  const arrows = [
    ["kernel", "L1", 32 * of(all, C.load), "loads"], ["kernel", "L1", 32 * of(all, C.store), "stores"],
    ["kernel", "L1", 32 * sum(all, ATOMIC_SECTORS), "atomics"],
    ["kernel", "shared memory", 128 * of(all, C.wavefronts), "passes of 128 bytes"],
    ["L1", "L2", 32 * of(all, C.l2), "asked for, and sent there"],
    ["L2", "DRAM", dram_bytes(kernel), caches_are_modelled(kernel) ? "read and written" : "at least: what was touched"],
  ].filter(arrow => arrow[2] > 0);
  const places = { kernel: [60, 105], L1: [230, 55], "shared memory": [230, 175], L2: [400, 55], DRAM: [570, 55] };
  const hits = { L1: of(all, C.l1_hit), L2: of(all, C.l2_hit) };
  const seen = {};
  const lines = arrows.map(([from, to, amount, what]) => {
    const key = from + to, shift = (seen[key] = (seen[key] || 0) + 1) * 30 - 30;
    const [x1, y1] = places[from], [x2, y2] = places[to];
    const start = x1 + 52, end = x2 - (to === "shared memory" ? 62 : 52), middle = (start + end) / 2;
    return svg("g", {}, svg("line", { x1: start, y1: y1 + shift * .4, x2: end, y2: y2 + shift * .7, stroke: "var(--main)", "stroke-width": 2 }),
      svg("text", { x: middle, y: (y1 + y2) / 2 + shift * .95 - 6, "text-anchor": "middle" }, bytes(amount)),
      svg("title", {}, what));
  });
  const boxes = Object.entries(places).filter(([name]) => name === "kernel" || arrows.some(arrow => arrow[0] === name || arrow[1] === name))
    .map(([name, [x, y]]) => svg("g", {}, svg("rect", { x: x - (name.length > 8 ? 60 : 50), y: y - 22, width: name.length > 8 ? 120 : 100, height: 44, rx: 6, fill: "var(--card)", stroke: "var(--line)" }),
      svg("text", { x, y: y + (hits[name] ? -2 : 4), "text-anchor": "middle" }, name),
      hits[name] ? svg("text", { x, y: y + 14, "text-anchor": "middle", class: "dimtext" }, number(hits[name]) + " % hits") : null));
  const text = arrows.map(([from, to, amount, what]) => from + " to " + to + " " + bytes(amount) + " (" + what + ")").join("; ");
  return el("figure", {}, svg("svg", { viewBox: "0 0 630 215", role: "img", "aria-label": "Memory: " + text }, lines, boxes),
    el("figcaption", {}, text + "."));
}

function show_overview(data, kernel) {
  const picture = roofline(data, kernel);
  return [
    el("section", { class: "card" }, el("h2", {}, "Time"), sentence(data, kernel),
      kernel.model && kernel.model.because ? el("p", {}, kernel.model.because[0].toUpperCase() + kernel.model.because.slice(1) + ".") : null,
      kernel.model ? el("div", { class: "two" }, limits_table(kernel.model), what_if(kernel.model)) : null),
    el("div", { class: "two" }, el("section", { class: "card" }, el("h2", {}, "Memory"), memory_chart(data, kernel)),
      picture ? el("section", { class: "card" }, el("h2", {}, "Roofline"), picture) : null),
    occupancy(data, kernel),
  ];
}
