// One request of a warp as a picture: which lane touches which sector of global memory or which bank of shared
// memory, as it is and as it would be with the lanes side by side.
"use strict";

function lane_list(request) {
  const list = [];
  for (let lane = 0, next = 0; lane < 32; ++lane) if (request.mask >>> lane & 1) list.push([lane, request.addresses[next++]]);
  return list;
}
const LANE_X = lane => 24 + lane * 19.5;

function frame(height, label, ...parts) {
  return svg("svg", { viewBox: "0 0 650 " + height, role: "img", "aria-label": label }, parts);
}
function lane_row(list) {
  const there = new Set(list.map(item => item[0]));
  return Array.from({ length: 32 }, (_, lane) => svg("g", {},
    svg("rect", { x: LANE_X(lane) - 8, y: 6, width: 16, height: 18, rx: 3, fill: there.has(lane) ? "var(--main)" : "var(--off)" }),
    svg("text", { x: LANE_X(lane), y: 19, "text-anchor": "middle", style: "font-size:9px;fill:" + (there.has(lane) ? "var(--card)" : "var(--dim)") }, lane)));
}
function edges(list, target) {
  return list.map(([lane, address]) => target(address).map(([x, y]) =>
    svg("line", { x1: LANE_X(lane), y1: 25, x2: x, y2: y, stroke: "var(--main)", "stroke-opacity": .55 })));
}

// Sectors as boxes in their order, gaps marked; at most so many are drawn.
const MOST_SECTORS = 64;
function sector_picture(list, size, label) {
  const numbers = [...new Set(list.flatMap(([, address]) => {
    const first = Math.floor(address / 32), last = Math.floor((address + size - 1) / 32);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  }))].sort((a, b) => a - b);
  const drawn = numbers.slice(0, MOST_SECTORS), base = numbers[0] || 0;
  const per_row = 32, place = new Map();
  const boxes = drawn.map((sector, i) => {
    const x = LANE_X(i % per_row), y = 120 + Math.floor(i / per_row) * 40;
    place.set(sector, [x, y]);
    const gap = i > 0 && sector !== drawn[i - 1] + 1;
    return svg("g", {}, svg("rect", { x: x - 9, y, width: 18, height: 20, rx: 2, fill: "var(--half)", stroke: gap ? "var(--heat)" : "var(--line)" }),
      svg("title", {}, "sector at byte " + number((sector - base) * 32) + " from the first"),
      gap ? svg("text", { x: x - 10, y: y + 34, "text-anchor": "middle", class: "dimtext", style: "font-size:9px" }, "gap") : null);
  });
  const target = address => { const at = place.get(Math.floor(address / 32)); return at ? [at] : []; };
  const rows = Math.ceil(drawn.length / per_row) || 1;
  return [frame(120 + rows * 40, label, lane_row(list), edges(list, target), boxes),
    numbers.length > MOST_SECTORS ? el("p", { class: "dim" }, number(numbers.length - MOST_SECTORS) + " further sectors are not drawn.") : null];
}

// Banks as 32 columns; words that fall into one bank stand below each other and are served one after another.
function bank_picture(list, size, label) {
  const words = Math.max(1, Math.ceil(size / 4)), columns = Array.from({ length: 32 }, () => []);
  for (const [, address] of list)
    for (let i = 0; i < words; ++i) {
      const word = Math.floor(address / 4) + i, column = columns[word % 32];
      if (!column.includes(word)) column.push(word);
    }
  const deepest = Math.min(32, Math.max(1, ...columns.map(column => column.length)));
  const boxes = columns.map((column, bank) => column.slice(0, 32).map((word, depth) => svg("g", {},
    svg("rect", { x: LANE_X(bank) - 8, y: 110 + depth * 13, width: 16, height: 11, rx: 2, fill: depth ? "var(--heat)" : "var(--good)" }),
    svg("title", {}, "bank " + bank + ", word " + word))));
  const names = columns.map((_, bank) => svg("text", { x: LANE_X(bank), y: 105, "text-anchor": "middle", class: "dimtext", style: "font-size:8px" }, bank));
  const target = address => [[LANE_X(Math.floor(address / 4) % 32), 95]];
  return [frame(124 + deepest * 13, label, lane_row(list), edges(list, target), names, boxes)];
}

function show_request(kernel, request) {
  const list = lane_list(request), global = request.space === "global";
  const unit = global ? "sector" : "pass", many = global ? "sectors" : "passes";
  const start = global ? Math.floor(Math.min(...list.map(item => item[1])) / 32) * 32 : 0;
  const unique = new Map();
  for (const [, address] of list) if (!unique.has(address)) unique.set(address, start + unique.size * request.bytes);
  const best = list.map(([lane, address]) => [lane, unique.get(address)]);
  const draw = global ? sector_picture : bank_picture;
  const instruction = kernel.instructions[request.at];
  const is = plural(request.pieces, unit, many), ideal = plural(request.ideal, unit, many);
  return el("div", {}, el("h3", {}, (instruction ? instruction[4] : "")),
    el("p", {}, "The worst " + request.kind + " of this instruction: warp " + request.warp + " of block " + place(request.block) + ", lanes " + lanes(request.mask) + ", " +
      plural(request.bytes, "byte") + " each. It takes ", el("strong", {}, is), "; side by side the lanes would take " + ideal + "."),
    el("figure", {}, draw(list, request.bytes, "As it is: " + is), el("figcaption", {}, "As it is: " + is + ". Above the lanes, below the " +
      (global ? "32-byte sectors that they touch, in the order of their addresses." : "32 banks; what stands below another word of its bank waits for it."))),
    request.pieces > request.ideal ? el("figure", {}, draw(best, request.bytes, "At best: " + ideal), el("figcaption", {}, "At best: " + ideal + ".")) : null);
}
