// Composes the page of a last-mile fit. `rehearse` is for tests: it returns the state of the page.
const fit = readJson("last-mile");
const drawn = {};  // of each picture: the number of its dots or cells

function inSeconds(value) { return value === null ? "-" : seconds(value * 1e12); }
function inPercent(value) { return (100 * value).toFixed(2) + " %"; }
function inRate(value) { return value === null ? "-" : withPrefix(value, "B/s"); }

const quantities = [
  { name: "latency", section: "latencies", text: inSeconds, of: (host) => host.latency.seconds || 0 },
  { name: "bandwidth", section: "bandwidths", text: inRate, of: (host) => Math.min(host.up.bandwidth || Infinity, host.down.bandwidth || Infinity) },
].filter((quantity) => fit[quantity.name].from.length);

function showFacts() {
  byId("top").append(element("h1", element("span.chip", "last mile"), counted(fit.hosts.length, "host")));
  const facts = element("dl.facts");
  for (const [name, value] of [
    ["latencies", counted(fit.latency.from.length, "pair")], ["bandwidths", counted(fit.bandwidth.from.length, "pair")],
    ["value of a pair", fit.statistic], ["links", fit.links || "not measured"], ["parts of the cross-validation", fit.folds]])
    facts.append(element("div", element("dt", name), element("dd", value)));
  byId("top").append(facts);
  for (const warning of fit.warnings) byId("top").append(element("div.card", element("p", element("span.chip.warning", "warning"), warning)));
  byId("foot").textContent = "rehearse " + fit.rehearse + " calibrate --pairs. This file is self-contained.";
}

// Both axes are logarithmic and have the same range.
function drawDots({ name, text }) {
  const data = fit[name], { context, width, height } = prepare(byId(name + "-dots")), c = palette();
  context.fillStyle = c.paper; context.fillRect(0, 0, width, height);
  let least = Infinity, most = 0;
  for (const values of [data.measured, data.fitted, data.left_out])
    for (const value of values) if (value > 0) { least = Math.min(least, value); most = Math.max(most, value); }
  least = Math.log10(least) - 0.05; most = Math.log10(most) + 0.05;
  const left = 92, floor = height - 40, wide = width - left - 16, tall = floor - 12;
  const part = (value) => (Math.log10(value) - least) / (most - least);
  const x = (value) => left + wide * part(value), y = (value) => floor - tall * part(value);
  const line = (factor, dash) => {
    context.save(); context.beginPath(); context.rect(left, 12, wide, tall); context.clip();
    context.setLineDash(dash); context.strokeStyle = c.soft; context.beginPath();
    context.moveTo(x(10 ** least), y(10 ** least * factor)); context.lineTo(x(10 ** most), y(10 ** most * factor));
    context.stroke(); context.restore();
  };
  context.fillStyle = c.soft; context.strokeStyle = c.line; context.lineWidth = 1;
  const steps = most - least > 1.5 ? [1] : most - least > 0.6 ? [1, 2, 5] : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
  let last_x = -Infinity;
  for (let power = Math.floor(least); power <= most; ++power)
    for (const step of steps) {
      const tick = step * 10 ** power;
      if (Math.log10(tick) < least || Math.log10(tick) > most) continue;
      context.beginPath(); context.moveTo(left, y(tick)); context.lineTo(left + wide, y(tick)); context.stroke();
      context.textAlign = "right"; context.fillText(text(tick), left - 6, y(tick));
      if (x(tick) < last_x + 70) continue;
      last_x = x(tick);
      context.textAlign = "center"; context.fillText(text(tick), x(tick), floor + 12);
    }
  context.textAlign = "center"; context.fillText("measured", left + wide / 2, floor + 28);
  context.textAlign = "left"; context.fillText("predicted", left + 6, 20);
  line(1, []); line(2, [4, 4]); line(0.5, [4, 4]);
  const size = data.from.length > 5000 ? 2 : 4;
  context.strokeStyle = c.soft;
  for (let i = 0; i < data.from.length; ++i)
    if (data.left_out[i] > 0) context.strokeRect(x(data.measured[i]) - 3, y(data.left_out[i]) - 3, 6, 6);
  context.fillStyle = c.accent;
  for (let i = 0; i < data.from.length; ++i)
    context.fillRect(x(data.measured[i]) - size / 2, y(data.fitted[i]) - size / 2, size, size);
  drawn[name + "_dots"] = data.from.length;
}

// Hosts of the map in the order of their values; several share a row if there are more hosts than pixels.
function drawMap({ name, of }) {
  const data = fit[name], canvas = byId(name + "-map"), { context, width, height } = prepare(canvas), c = palette();
  context.fillStyle = c.paper; context.fillRect(0, 0, width, height);
  const used = [...new Set([...data.from, ...data.to])];
  used.sort((a, b) => of(fit.hosts[a]) - of(fit.hosts[b]) || a - b);
  const place = new Map(used.map((host, i) => [host, i]));
  const left = 130, side = Math.min(width - left - 16, height - 24);
  const rows = Math.min(used.length, Math.floor(side)), cell = side / rows;
  const at = (host) => Math.floor(place.get(host) * rows / used.length);
  context.fillStyle = c.panel; context.fillRect(left, 12, side, side);
  const sums = new Map();
  for (let i = 0; i < data.from.length; ++i) {
    const key = at(data.from[i]) * rows + at(data.to[i]);
    const sum = sums.get(key) || [0, 0];
    sum[0] += Math.log2(data.fitted[i] / data.measured[i]); ++sum[1];
    sums.set(key, sum);
  }
  for (const [key, [sum, count]] of sums) {
    const error = Math.max(-1, Math.min(1, sum / count));
    context.fillStyle = error >= 0 ? c.bad : c.accent;
    context.globalAlpha = 0.12 + 0.88 * Math.abs(error);
    context.fillRect(left + (key % rows) * cell, 12 + Math.floor(key / rows) * cell, Math.max(1, cell - (cell > 6 ? 1 : 0)), Math.max(1, cell - (cell > 6 ? 1 : 0)));
  }
  context.globalAlpha = 1; context.fillStyle = c.soft; context.textAlign = "right";
  const every = Math.max(1, Math.ceil(14 / cell));
  for (let row = 0; row < rows; row += every)
    context.fillText(fittedEnd(context, fit.hosts[used[Math.floor(row * used.length / rows)]].name, left - 10), left - 6, 12 + (row + 0.5) * cell);
  drawn[name + "_cells"] = sums.size;
}

function addTable(title, header, rows, rest = "") {
  if (!rows.length) return;
  const table = element("table"), wide = element("div.wide");
  table.append(row(header, "th"));
  for (const cells of rows) table.append(row(cells));
  table.append(rest);
  wide.append(table);
  byId("tables").append(element("h2", title), wide);
}

function linkText(link) { return (link.known === "lower bound" ? "at least " : "") + inRate(link.bandwidth); }
function latencyText(latency) {
  return latency.known === "range" ? inSeconds(latency.least) + " to " + inSeconds(latency.most) : inSeconds(latency.seconds);
}

function showTables() {
  for (const { name } of quantities)
    addTable(name === "latency" ? "Errors of latencies" : "Errors of bandwidths",
      ["model", "pairs", "cases", "mean", "median", "greatest", "logarithmic"],
      fit[name].errors.map((each) => [each.model, each.pairs, withCommas(each.cases), inPercent(each.mean), inPercent(each.median),
        inPercent(each.greatest), inPercent(each.logarithmic)]));
  const shown = 2000, columns = ["host", "up", "limited pairs", "spread", "down", "limited pairs", "spread", "latency", "pairs", "spread"];
  const part = (link) => withCommas(link.limited) + " of " + withCommas(link.pairs);
  const spread = (count, value) => count > 0 ? inPercent(value) : "-";
  addTable("Hosts", columns, fit.hosts.slice(0, shown).map(({ name, up, down, latency }) => [
    name, linkText(up), part(up), spread(up.limited, up.spread), linkText(down), part(down), spread(down.limited, down.spread),
    latencyText(latency), withCommas(latency.pairs), spread(latency.pairs, latency.spread)]),
    restRow(shown, fit.hosts.length, "host", columns.length));
}

function drawAll() { for (const quantity of quantities) { drawDots(quantity); drawMap(quantity); } }

window.rehearse = {
  ready: 0,
  state: () => ({ ready: window.rehearse.ready, ...drawn, tables: [...document.querySelectorAll("#tables h2")].map((one) => one.textContent) }),
};
showFacts();
showTables();
for (const section of ["latencies", "bandwidths"]) byId(section).hidden = !quantities.some((quantity) => quantity.section === section);
drawAll();
let fit_width = document.body.clientWidth;
new ResizeObserver(() => {
  if (document.body.clientWidth === fit_width) return;
  fit_width = document.body.clientWidth;
  drawAll();
}).observe(document.body);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
requestAnimationFrame(() => requestAnimationFrame(() => { window.rehearse.ready = performance.now(); }));
