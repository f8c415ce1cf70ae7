// What the checkers found: two threads, what each did, and the edge that is missing between them.
"use strict";

function show_findings(data, place) {
  const findings = data.findings || [];
  if (!findings.length) { place.remove(); return; }
  place.append(el("h2", {}, plural(findings.length, "finding")), findings.map(finding => el("pre", { tabindex: 0 }, finding.text || JSON.stringify(finding))));
}
