// The body of a function that uses every control of a report, and tells what it saw.
const pause = () => new Promise(done => setTimeout(done, 5));
const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
const used = {buttons: 0, boxes: 0, choices: 0, details: 0};
const kernels = document.getElementById("title");
for (let kernel = 0; kernel < kernels.options.length; ++kernel) {
  kernels.value = String(kernel); kernels.dispatchEvent(new Event("change")); await pause();
  for (const box of document.querySelectorAll("input[type=checkbox]")) { box.click(); await pause(); box.click(); ++used.boxes; }
  for (const choice of document.querySelectorAll("main select"))
    for (let i = 0; i < choice.options.length; ++i) { choice.selectedIndex = i; choice.dispatchEvent(new Event("change")); await pause(); ++used.choices; }
  for (const button of document.querySelectorAll("main button")) { button.click(); await pause(); ++used.buttons; }
  for (const part of document.querySelectorAll("details")) { part.open = !part.open; part.open = !part.open; ++used.details; }
  const slider = document.getElementById("step");
  if (slider) for (const at of [0, 1, slider.max]) { slider.value = at; slider.dispatchEvent(new Event("input")); await pause(); }
  for (const row of document.querySelectorAll(".grid .row.has")) { row.click(); await pause(); }
  for (const key of ["h", "H", "l", "L", "d", "t", "t", "?"]) { press(key); await pause(); }
  document.getElementById("help").close();
  document.querySelector(".grid")?.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowDown"}));
  const canvas = document.querySelector("canvas");
  if (canvas) canvas.click();
}
for (const button of document.querySelectorAll("body > section button")) { button.click(); await pause(); ++used.buttons; }
for (const row of document.querySelectorAll(".steps tbody tr")) { row.click(); await pause(); }
press("k"); press("K");
for (const id of ["theme", "keys"]) document.getElementById(id).click();
document.getElementById("help").close();
return {used, wide: document.documentElement.scrollWidth - innerWidth, text: document.body.innerText,
  unlabelled: [...document.querySelectorAll("button, select, input, svg[role=img], canvas")].filter(node => !(node.textContent.trim()
    || node.getAttribute("aria-label") || node.closest("label") || node.title)).map(node => node.outerHTML.slice(0, 200))};
