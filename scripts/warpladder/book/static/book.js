// SPDX-License-Identifier: MIT
// What scrolls must be reachable without a mouse.
addEventListener("DOMContentLoaded", () => {
  for (const box of document.querySelectorAll("article pre, .table-wrapper")) box.tabIndex = 0;
});
