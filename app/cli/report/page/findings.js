// The verdict and the findings, with source excerpts of all ranks that they name.
function showTop(report) {
  byId("top").append(
    element("h1", element("span.chip." + report.verdict, report.verdict), report.program), element("p", report.headline));
  const facts = element("dl.facts");
  for (const [name, value] of report.facts) facts.append(element("div", element("dt", name), element("dd", value)));
  byId("top").append(facts);
  byId("foot").textContent = "rehearse " + report.rehearse + " " + report.verb + ". This file is self-contained.";
}

function showFindings(report, sources, show_recording) {
  if (!report.findings.length) return;
  byId("findings").hidden = false;
  for (const finding of report.findings) byId("finding-list").append(findingCard(finding, sources, show_recording));
}

function findingCard(finding, sources, show_recording) {
  const card = element("div.card.is-" + finding.severity,
    element("h3", element("span.chip." + finding.severity, finding.severity), finding.id),
    element("p", finding.message));
  if (finding.policy) card.append(element("p.note", "happens under the policy " + finding.policy.join(", ")));
  const places = element("div.places");
  for (const group of placeGroups(finding.locations)) places.append(placeCard(group, sources));
  if (finding.locations.length) card.append(places);
  if (finding.advice) card.append(element("p", element("b", "What to do: "), finding.advice));
  if (finding.predicted) card.append(element("p.note", finding.predicted));
  if (finding.clause) card.append(element("p.note", "Standard: " + finding.clause));
  if (finding.note) card.append(element("p.note", finding.note));
  if (finding.recording !== undefined) {
    const button = element("button", "show it below");
    button.addEventListener("click", () => show_recording(finding.recording));
    card.append(button);
  }
  if (finding.schedule)
    card.append(element("details", element("summary", "decisions that lead to the finding"), element("code", finding.schedule)));
  return card;
}

const whats_max = 6;

// Texts about actors of a program of the actor API.
function namesItself(what) { return /^(actor '|main\(\))/.test(what); }

// Locations with the same place and text are reported once, for all their ranks.
function placeGroups(locations) {
  const groups = new Map();
  for (const at of locations) {
    const key = JSON.stringify([at.file, at.line, at.call]);
    if (!groups.has(key)) groups.set(key, { ...at, ranks: [], whats: new Set() });
    groups.get(key).ranks.push(at.rank);
    if (at.what) groups.get(key).whats.add(namesItself(at.what) ? at.what : "rank " + at.rank + " " + at.what);
  }
  return [...groups.values()];
}

function placeCard(group, sources) {
  const where = group.file ? group.file + ":" + group.line + (group.function ? " in " + group.function : "") : group.function;
  const title = [...group.whats].some(namesItself) ? "actors"
    : (group.ranks.length === 1 ? "rank " : "ranks ") + group.ranks.join(", ");
  const header = element("header", element("b", title), where ? (group.file ? " at " : " in ") : "", where ? element("code", where) : "");
  if (group.call) header.append(element("div", element("code", group.call)));
  for (const what of [...group.whats].slice(0, whats_max)) header.append(element("div.what", what));
  if (group.whats.size > whats_max) header.append(element("div.what", "and " + counted(group.whats.size - whats_max, "more rank")));
  return element("div.place", header, group.file ? sourceExcerpt(sources, group.file, [group.line], 3) : "");
}
