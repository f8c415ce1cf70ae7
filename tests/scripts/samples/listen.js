// Collects complaints, from before the page's own scripts on.
window.__complaints = [];
addEventListener("error", event => __complaints.push(String(event.message)));
addEventListener("securitypolicyviolation", event => __complaints.push("policy: " + event.violatedDirective));
for (const kind of ["error", "warn"]) console[kind] = (...words) => __complaints.push(words.join(" "));
// Runs a trial, and leaves what it returns in the page as text.
window.__try = async trial => {
  let result = null;
  try { result = await trial(); } catch (error) { __complaints.push(String(error.stack || error)); }
  const out = document.createElement("pre");
  out.id = "trial";
  out.textContent = JSON.stringify([result, __complaints]);
  document.body.append(out);
};
