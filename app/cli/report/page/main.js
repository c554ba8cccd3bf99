// Composes the page, and handles keys and buttons. `rehearse` is for tests: it returns the state of the page.
const report = readJson("report"), sources = readJson("sources");
const diagram = new Diagram(byId("diagram"), byId("tip"), byId("diagram-note"));
const steps = new Steps(diagram, byId("step-text"), byId("stands"), sources);
const recordings = [];
let shown = null;

function recordingAt(index) { return recordings[index] || (recordings[index] = new Recording(index)); }

function showRecording(index, scrolls = true) {
  shown = recordingAt(index);
  byId("timeline").hidden = false;
  byId("recording").value = index;
  diagram.show(shown, report.verb === "run" || report.verb.startsWith("trace") ? "time" : "order");
  byId("axis-order").disabled = shown.count > ordered_max;
  showAxis();
  steps.show(shown);
  search(byId("search").value);
  showLegend(shown);
  showWaits(shown);
  showCalls(shown);
  showTraffic(shown);
  prepareNetwork(shown);
  drawRest();
  if (scrolls) byId("timeline").scrollIntoView({ behavior: "smooth" });
}

function drawRest() {
  if (!shown) return;
  drawProfile(shown); drawMatrix(shown); drawNetwork(shown); drawTreemap(shown);
}

function setAxis(axis) { diagram.set_axis(axis); showAxis(); showLegend(shown); }
function showAxis() {
  for (const name of ["time", "order"]) byId("axis-" + name).setAttribute("aria-pressed", String(diagram.axis === name));
}

function showLegend(r) {
  const legend = byId("legend"), colours = palette();
  legend.replaceChildren();
  for (const doing of [...new Set(r.doing_of_kind)].sort()) {
    const mark = element("i");
    mark.style.background = colours.doings[doing];
    legend.append(element("span", mark, r.doings[doing]));
  }
  if (r.stops.some((stop) => stop.state === "failed")) legend.append(element("span", element("b", "×"), "the rank fails"));
  if (r.open.length) legend.append(element("span", element("i.hatched"), "never leaves the call"));
  if (r.messages) legend.append(element("span", "\u2198 message, from where it leaves to where it arrives"));
  if (r.inner.sent.length && diagram.axis === "time") legend.append(element("span", "\u21e2 message inside a collective"));
  if (r.lost.length) legend.append(element("span", "\u2715 never received"));
}

let hits = [];
function search(text) {
  const wanted = text.trim().toLowerCase();
  hits = [];
  if (!wanted) {
    diagram.hit_kinds = null;
    byId("hits").textContent = "";
  } else {
    const r = shown;
    const is_hit = r.kinds.map(([call, place, region, doing]) => {
      const [name, file, line] = r.places[place];
      return (r.texts[call] + "\n" + r.texts[file] + ":" + line + "\n" + r.texts[name] + "\n" + r.texts[region] + "\n" + r.doings[doing])
        .toLowerCase().includes(wanted);
    });
    for (let i = 0; i < r.count; ++i) if (is_hit[r.kind[i]]) hits.push(i);
    diagram.hit_kinds = is_hit;
    byId("hits").textContent = counted(hits.length, "hit") + (hits.length ? ", Enter goes to the next" : "");
  }
  diagram.redraw();
}

function nextHit(direction) {
  if (!hits.length) return;
  const key = (i) => shown.begin[i], now = diagram.selected === none ? -1 : hits.indexOf(diagram.selected);
  if (!hits.sorted) { hits.sort((a, b) => key(a) - key(b) || a - b); hits.sorted = true; }
  const at = now < 0 ? (direction > 0 ? 0 : hits.length - 1) : (hits.indexOf(diagram.selected) + direction + hits.length) % hits.length;
  steps.go_to_interval(hits[at]);
}

const keys = {
  ArrowRight: () => steps.by(1), ArrowLeft: () => steps.by(-1), Home: () => steps.first(), End: () => steps.last(),
  ArrowDown: () => diagram.scroll_to(diagram.top + 3 * diagram.lane), ArrowUp: () => diagram.scroll_to(diagram.top - 3 * diagram.lane),
  "+": () => diagram.zoom(1.6), "=": () => diagram.zoom(1.6), "-": () => diagram.zoom(1 / 1.6), 0: () => diagram.show_all(),
  a: () => diagram.pan(-0.2), d: () => diagram.pan(0.2), n: () => nextHit(1), N: () => nextHit(-1),
};

function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.altKey || event.metaKey || !shown) return;
    if (event.key === "/") { byId("search").focus(); event.preventDefault(); return; }
    const in_diagram = document.activeElement === byId("diagram") || document.activeElement === document.body;
    if (!keys[event.key] || !in_diagram) return;
    if (document.activeElement === document.body && /^(ArrowUp|ArrowDown|Home|End)$/.test(event.key)) return;
    keys[event.key]();
    event.preventDefault();
  });
  byId("search").addEventListener("input", (event) => search(event.target.value));
  byId("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") { event.target.value = ""; search(""); byId("diagram").focus(); }
  });
  const on = (id, action) => byId(id).addEventListener("click", action);
  on("axis-time", () => setAxis("time")); on("axis-order", () => setAxis("order"));
  on("zoom-in", () => diagram.zoom(1.6)); on("zoom-out", () => diagram.zoom(1 / 1.6)); on("zoom-all", () => diagram.show_all());
  on("step-first", keys.Home); on("step-back", keys.ArrowLeft); on("step-on", keys.ArrowRight); on("step-last", keys.End);
  byId("recording").addEventListener("change", (event) => showRecording(+event.target.value, false));
  for (const id of ["slice-from", "slice-to"]) byId(id).addEventListener("input", () => drawNetwork(shown));
  diagram.on_select = (i) => steps.go_to_interval(i);
  const again = () => { diagram.redraw(); if (shown) showLegend(shown); drawRest(); };
  let width = document.body.clientWidth;
  new ResizeObserver(() => {
    if (document.body.clientWidth === width) return;
    width = document.body.clientWidth;
    again();
  }).observe(document.body);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  // Draws immediately, because the next frame comes too late for printing.
  for (const [event, is_paper] of [["beforeprint", true], ["afterprint", false]])
    window.addEventListener(event, () => { document.documentElement.classList.toggle("on-paper", is_paper); again(); diagram.draw(); });
}

function start() {
  const count = document.querySelectorAll("script.recording").length;
  showTop(report);
  showFindings(report, sources, showRecording);
  showTables(report.tables);
  for (let index = 0; index < count; ++index) {
    const of = report.findings.filter((finding) => finding.recording === index).map((finding) => finding.id);
    const option = element("option", of.length ? index + 1 + ": " + of.join(", ") : String(index + 1));
    option.value = index;
    byId("recording").append(option);
  }
  byId("which").hidden = count < 2;
  if (count) showRecording(0, false);
  listen();
  requestAnimationFrame(() => requestAnimationFrame(() => { window.rehearse.ready = performance.now(); }));
}

window.rehearse = {
  ready: 0,
  state: () => ({
    ready: window.rehearse.ready, verdict: report.verdict, findings: report.findings.length, recordings: recordings.length,
    axis: diagram.axis, from: diagram.from, to: diagram.to, top: diagram.top, selected: diagram.selected, step: steps.at,
    hits: hits.length, bars: diagram.bars, binned: diagram.binned, arrows: diagram.arrows, inner: diagram.inner,
    names: shown && shown.graph ? shown.graph.names : [],
    intervals: shown && shown.count, messages: shown && shown.messages,
    guilty: [...document.querySelectorAll("#stands .guilty")].map((line) => line.textContent),
    sections: [...document.querySelectorAll("section")].filter((one) => !one.hidden).map((one) => one.id),
  }),
  diagram,
};
start();
