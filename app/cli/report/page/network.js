// Composes the page of a network's statistics. `rehearse` is for tests: it returns the state of the page.
const network = readJson("statistics");
const drawn = { dots: 0, queues: 0, windows: 0 };
const quantity_names = {
  queue: "queue", rate: "rate", window: "window", threshold: "slow start threshold", flight: "bytes in flight",
  round_trip: "round trip",
};

function showHead() {
  byId("top").append(element("h1", element("span.chip", "network"), network.program));
  const facts = element("dl.facts");
  for (const [name, value] of network.facts) facts.append(element("div", element("dt", name), element("dd", value)));
  byId("top").append(facts);
  for (const note of network.notes) byId("top").append(element("div.card", element("p", note)));
  byId("foot").textContent = "rehearse " + network.rehearse + " " + network.verb + ". This file is self-contained.";
}

function showClasses() {
  const table = byId("class-table");
  table.append(row(["bytes", "messages", "p50", "p95", "p99", "slow-down p50", "p95", "p99"], "th"));
  for (const cells of network.classes) table.append(row(cells));
}

function drawTimes() {
  const column = (text) => new Float32Array(bytesOf(text));
  const sizes = column(network.sizes);
  drawn.dots = drawDots(byId("time-dots"), sizes, column(network.times), column(network.ideals));
  byId("time-note").textContent = "Dots: " + counted(sizes.length, "message") + ", from hand-over to arrival. Dashes: the same on an empty network, without handshake and windows." +
    (network.messages > sizes.length ? " Envelopes, failed messages and some of many messages are not drawn." : "");
}

function fillQuantities(id, names) {
  const known = names.filter((name) => network.series.some((one) => one.quantity === name));
  for (const name of known) {
    const option = element("option", quantity_names[name]);
    option.value = name;
    byId(id).append(option);
  }
  byId(id).addEventListener("change", drawAll);
  return known.length > 0;
}

function drawSeries(select, canvas, legend, note) {
  const quantity = byId(select).value;
  const series = network.series.filter((one) => one.quantity === quantity), shown = largestCurves(series);
  const format = quantity === "round_trip" ? (value) => seconds(value * 1e12) : quantity === "rate" ? (value) => withPrefix(value, "B/s") : (value) => withPrefix(value, "B");
  const count = drawCurves(byId(canvas), shown, network.end, format);
  showCurveLegend(byId(legend), shown);
  byId(note).textContent = (series.length > shown.length ? counted(shown.length, "curve") + " of " + withCommas(series.length) + ", those with the greatest values. " : "") +
    "Shaded: least and greatest value where points were merged.";
  return count;
}

function drawAll() {
  drawTimes();
  if (!byId("queues").hidden) drawn.queues = drawSeries("link-quantity", "queue-curves", "queue-legend", "queue-note");
  if (!byId("windows").hidden) drawn.windows = drawSeries("connection-quantity", "window-curves", "window-legend", "window-note");
  drawNetwork(network);
}

function showTopTables() {
  for (const table of network.tables) {
    if (!table.rows.length) continue;
    const rows = element("table"), wide = element("div.wide");
    rows.append(row(table.header, "th"));
    for (const cells of table.rows) rows.append(row(cells));
    rows.append(restRow(table.rows.length, table.all, "row", table.header.length));
    wide.append(rows);
    byId("tables").append(element("h2", table.title), wide);
  }
}

function startNetwork() {
  showHead();
  showClasses();
  byId("queues").hidden = !fillQuantities("link-quantity", ["queue", "rate"]);
  byId("windows").hidden = !fillQuantities("connection-quantity", ["window", "threshold", "flight", "round_trip"]);
  byId("times").hidden = network.messages === 0;
  prepareNetwork(network);
  showTopTables();
  drawAll();
  for (const id of ["slice-from", "slice-to"]) byId(id).addEventListener("input", () => drawNetwork(network));
  let width = document.body.clientWidth;
  new ResizeObserver(() => {
    if (document.body.clientWidth === width) return;
    width = document.body.clientWidth;
    drawAll();
  }).observe(document.body);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  for (const [event, is_paper] of [["beforeprint", true], ["afterprint", false]])
    window.addEventListener(event, () => { document.documentElement.classList.toggle("on-paper", is_paper); drawAll(); });
  requestAnimationFrame(() => requestAnimationFrame(() => { window.rehearse.ready = performance.now(); }));
}

window.rehearse = {
  ready: 0,
  state: () => ({
    ready: window.rehearse.ready, ...drawn, names: network.graph ? network.graph.names : [], notes: network.notes,
    sections: [...document.querySelectorAll("section")].filter((one) => !one.hidden).map((one) => one.id),
  }),
};
startNetwork();
