// Elements from names, attributes and children. Text goes in as text, never as markup: names and sources
// come from programs that nobody has read.
"use strict";
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}
function el(tag, attributes, ...children) { return fill(document.createElement(tag), attributes, children); }
function svg(tag, attributes, ...children) { return fill(document.createElementNS(SVG, tag), attributes, children); }

// 1234567 -> 1,234,567; fractions with three figures.
function number(value) {
  if (value === undefined || value === null || !isFinite(value)) return "";
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}
function bytes(value) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  while (value >= 1000 && unit + 1 < units.length) { value /= 1000; ++unit; }
  return number(unit ? Number(value.toPrecision(3)) : value) + " " + units[unit];
}
function time(ns) { return ns >= 1e6 ? number(ns / 1e6) + " ms" : ns >= 1000 ? number(ns / 1000) + " us" : number(ns) + " ns"; }
function percent(part, whole) { return whole ? Math.round(100 * part / whole) + " %" : ""; }
function dims(triple) {
  const used = triple[2] > 1 ? 3 : triple[1] > 1 ? 2 : 1;
  return triple.slice(0, used).join(" × ");
}
// Of a block in its grid: 3, or (3, 1, 0).
function place(index) { return index[1] || index[2] ? "(" + index.join(", ") + ")" : String(index[0]); }
function plural(count, one, many) { return number(count) + " " + (count === 1 ? one : many || one + "s"); }
// The lanes of a mask as 0-3, 7.
function lanes(mask) {
  const parts = [];
  for (let lane = 0; lane < 32; ++lane) {
    if (!(mask >>> lane & 1)) continue;
    let last = lane;
    while (last < 31 && mask >>> (last + 1) & 1) ++last;
    parts.push(last > lane ? lane + "-" + last : String(lane));
    lane = last;
  }
  return parts.join(", ") || "none";
}
function count_bits(mask) { let n = 0; for (mask >>>= 0; mask; mask &= mask - 1) ++n; return n; }
function style_of(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }
function last_part(path) { return path.slice(path.lastIndexOf("/") + 1); }
