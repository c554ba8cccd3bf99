// Composes the page of a profile. `rehearse` is for tests: it returns the state of the page.
const profile = readJson("profile");
const pictures_max = 40, reached = [64, 4096, 65536], least_left = 1e-6;
const drawn = {};  // of each picture: the number of its points, cells or curves

function inSeconds(value) { return seconds(value * 1e12); }

// Colours that stay apart for colour-blind readers (Okabe and Ito, 2008).
function colourOf(at) {
  const names = ["send", "wait", "computation", "collective", "bad", "receive", "probe"];
  return getComputedStyle(document.documentElement).getPropertyValue("--" + names[at % names.length]).trim();
}

function wide(table) { return element("div.wide", table); }

function showFacts() {
  byId("top").append(element("h1", element("span.chip", "profile"), profile.subject || "numbers"));
  const facts = element("dl.facts");
  const samples = profile.markers.reduce((sum, marker) => sum + marker.samples, 0);
  for (const [name, value] of [["ranks", profile.ranks], ["samples", withCommas(samples)], ["origin", profile.source],
    ["clusters", profile.clusters.length], ["clustered by", profile.clustered_by]])
    facts.append(element("div", element("dt", name), element("dd", value)));
  byId("top").append(facts);
  for (const warning of profile.warnings) byId("top").append(element("div.card", element("p", element("span.chip.warning", "warning"), warning)));
  byId("foot").textContent = "rehearse profile analyse. This file is self-contained.";
}

function drawClusters() {
  const canvas = byId("cluster-map"), { context, width, height } = prepare(canvas), c = palette();
  context.fillStyle = c.paper; context.fillRect(0, 0, width, height);
  let columns = Math.ceil(Math.sqrt(profile.ranks));
  for (const cluster of profile.clusters) {  // the grid of a rule gives the rows
    const grid = / of \d+x(\d+)(x(\d+))?$/.exec(cluster.rule);
    if (grid) columns = Number(grid[3] || grid[1]);
  }
  const rows = Math.ceil(profile.ranks / columns), cell = Math.min(24, (width - 20) / columns, (height - 20) / rows);
  let count = 0;
  profile.clusters.forEach((cluster, at) => {
    context.fillStyle = colourOf(at);
    for (const rank of cluster.ranks) {
      context.fillRect(10 + (rank % columns) * cell, 10 + Math.floor(rank / columns) * cell, Math.max(cell - 1, 0.5), Math.max(cell - 1, 0.5));
      ++count;
    }
  });
  context.strokeStyle = c.ink; context.lineWidth = 2;
  for (const { representative } of profile.clusters)
    context.strokeRect(10 + (representative % columns) * cell, 10 + Math.floor(representative / columns) * cell, cell - 1, cell - 1);
  drawn.clusters = count;
}

function showClusterTable() {
  const table = element("table", row(["cluster", "ranks", "representative", "rule for other numbers of ranks"], "th"));
  profile.clusters.forEach((cluster, at) => {
    const mark = element("span", String(cluster.id));
    mark.style.borderBottom = "3px solid " + colourOf(at);
    table.append(row([mark, cluster.size, cluster.representative, cluster.rule]));
  });
  byId("cluster-table").append(wide(table));
}

function meanOf(marker) { return marker.modes.reduce((sum, mode) => sum + mode.weight * mode.mean, 0); }

function orderText(order) {
  if (order.kind === "period") return counted(order.period.length, "execution") + " repeated" + (order.prefix.length ? " behind " + order.prefix.length : "");
  return order.kind + (order.common ? ", the same on all ranks" : "");
}

function showMarkerTable() {
  const table = element("table", row(["marker", "cluster", "samples", "mean", "modes", "order", "differences of ranks", "of iterations", "of the rest"], "th"));
  profile.markers.slice(0, 200).forEach((marker, at) => {
    const effects = marker.effects, link = element("a", marker.id);
    if (at < pictures_max) link.href = "#marker-" + at;
    table.append(row([link, marker.cluster, marker.samples, inSeconds(meanOf(marker)), marker.modes.length, orderText(marker.order),
      ...(effects ? [effects.rank_sd, effects.iteration_sd, effects.residual_sd].map(percent) : ["-", "-", "-"])]));
  });
  table.append(restRow(Math.min(200, profile.markers.length), profile.markers.length, "marker", 9));
  byId("marker-table").append(wide(table));
}

// The value of a mode above which a part `left` of it is, by the fitted tail [from, shape, scale].
function tailValue([from, shape, scale], share, left) {
  const y = left / share;
  return from + (Math.abs(shape) < 1e-6 ? -scale * Math.log(y) : scale / shape * (y ** -shape - 1));
}

// Axes from x least..most; returns the maps of both coordinates.
function axes(canvas, least, most, ticks_y, label) {
  const { context, width, height } = prepare(canvas), c = palette();
  context.fillStyle = c.paper; context.fillRect(0, 0, width, height);
  const left = 64, floor = height - 30, wide = width - left - 20, tall = floor - 14;
  const x = (value) => left + wide * (value - least) / (most - least || 1), y = (part) => floor - tall * part;
  context.strokeStyle = c.line; context.fillStyle = c.soft; context.lineWidth = 1; context.textAlign = "right";
  for (const [part, text] of ticks_y) {
    context.beginPath(); context.moveTo(left, y(part)); context.lineTo(left + wide, y(part)); context.stroke();
    context.fillText(text, left - 6, y(part));
  }
  context.textAlign = "center";
  for (let i = 0; i <= 4; ++i) {
    const value = least + (most - least) * i / 4;
    context.fillText(seconds(+(value * 1e12).toPrecision(3)), Math.min(x(value), width - 30), floor + 12);
  }
  context.textAlign = "left"; context.fillText(label, left + 4, 8);
  return { context, x, y, c };
}

// The distribution function: points are the bins of each mode.
function drawDistribution(canvas, marker, at) {
  const least = Math.min(...marker.modes.map((mode) => mode.min)), most = Math.max(...marker.modes.map((mode) => mode.max));
  const { context, x, y } = axes(canvas, least, most, [[0, "0"], [0.25, "0.25"], [0.5, "0.5"], [0.75, "0.75"], [1, "1"]], "probability of at most this time");
  let count = 0, below = 0;
  marker.modes.forEach((mode, number) => {
    context.strokeStyle = context.fillStyle = colourOf(number); context.lineWidth = 1.5;
    context.beginPath(); context.moveTo(x(mode.min), y(below));
    for (const [p, value] of mode.quantiles) context.lineTo(x(value), y(below + mode.weight * p));
    context.lineTo(x(mode.max), y(below + mode.weight)); context.stroke();
    for (const [p, value] of mode.quantiles) { context.fillRect(x(value) - 1.5, y(below + mode.weight * p) - 1.5, 3, 3); ++count; }
    below += mode.weight;
  });
  drawn["distribution_" + at] = count;
}

// The upper tail of each mode on a logarithmic axis: bins, fitted law, the band of its error, and how far N draws reach.
function drawTail(canvas, marker, at) {
  const modes = marker.modes.map((mode, number) => ({ mode, number })).filter(({ mode }) => mode.tail);
  if (!modes.length) return;
  const depth = -Math.log10(least_left), lefts = [];
  for (let i = 0; i <= 60; ++i) lefts.push(10 ** (-depth * i / 60));
  const fitted = (mode, left) => tailValue([mode.tail.from, mode.tail.shape, mode.tail.scale], mode.tail.share, left);
  const least = Math.min(...modes.map(({ mode }) => mode.min)), most = Math.max(...modes.map(({ mode }) => Math.max(mode.max, fitted(mode, least_left))));
  const ticks = []; for (let i = 0; i <= depth; ++i) ticks.push([1 - i / depth, "1e-" + i]);
  const { context, x, y, c } = axes(canvas, least, most, ticks, "probability of more");
  const height = (left) => 1 + Math.log10(left) / depth;
  for (const { mode, number } of modes) {
    const inside = lefts.filter((left) => left <= mode.tail.share);
    context.strokeStyle = context.fillStyle = colourOf(number);
    if (mode.tail.resampled) {  // 5 to 95 % of the resampled tails
      const band = inside.map((left) => {
        const all = mode.tail.resampled.map((tail) => tailValue(tail, mode.tail.share, left)).sort((a, b) => a - b);
        return [all[Math.floor(0.05 * all.length)], all[Math.floor(0.95 * all.length)]];
      });
      context.globalAlpha = 0.18; context.beginPath();
      inside.forEach((left, i) => context.lineTo(x(Math.max(band[i][0], least)), y(height(left))));
      for (let i = inside.length - 1; i >= 0; --i) context.lineTo(x(Math.min(band[i][1], most)), y(height(inside[i])));
      context.fill(); context.globalAlpha = 1;
    }
    context.setLineDash([5, 3]); context.beginPath();
    for (const left of inside) context.lineTo(x(fitted(mode, left)), y(height(left)));
    context.stroke(); context.setLineDash([]);
    for (const [p, value] of mode.quantiles) if (1 - p >= least_left) context.fillRect(x(value) - 1.5, y(height(1 - p)) - 1.5, 3, 3);
  }
  context.fillStyle = context.strokeStyle = c.soft; context.textAlign = "right";
  for (const ranks of reached) {
    const at_y = y(height(1 / ranks));
    context.fillText(withCommas(ranks) + " ranks reach", x(most) - 2, at_y - 7);
    context.beginPath(); context.moveTo(x(most) - 90, at_y); context.lineTo(x(most), at_y); context.stroke();
  }
  drawn["tail_" + at] = modes.length;
}

// Prefix and period of the modes as a strip of cells.
function drawPattern(canvas, order, at) {
  const { context, width, height } = prepare(canvas), c = palette();
  context.fillStyle = c.paper; context.fillRect(0, 0, width, height);
  const repeats = Math.max(1, Math.min(3, Math.floor(200 / order.period.length))), labels = [...order.prefix];
  for (let i = 0; i < repeats; ++i) labels.push(...order.period);
  const cell = Math.min(16, (width - 20) / labels.length);
  labels.forEach((label, i) => {
    context.fillStyle = colourOf(label);
    context.fillRect(10 + i * cell, 6, Math.max(cell - 1, 0.5), height - 12);
  });
  context.strokeStyle = c.ink; context.lineWidth = 1;
  for (let i = 0; i <= repeats; ++i) {
    const place = 10 + (order.prefix.length + i * order.period.length) * cell - 0.5;
    context.beginPath(); context.moveTo(place, 2); context.lineTo(place, height - 2); context.stroke();
  }
  drawn["pattern_" + at] = labels.length;
}

function picture(id, label, css_height) {
  const canvas = element("canvas");
  canvas.id = id; canvas.setAttribute("role", "img"); canvas.setAttribute("aria-label", label);
  canvas.style.height = css_height + "px";
  return element("div.picture", canvas);
}

function showMarkers() {
  profile.markers.slice(0, pictures_max).forEach((marker, at) => {
    const heading = element("h2", marker.id + ", cluster " + marker.cluster);
    heading.id = "marker-" + at;
    const section = byId("marker-pictures");
    const modes = element("table", row(["mode", "weight", "mean", "sd", "least", "greatest", "shape of the tail"], "th"));
    marker.modes.forEach((mode, number) => {
      const mark = element("span", String(number));
      mark.style.borderBottom = "3px solid " + colourOf(number);
      modes.append(row([mark, percent(mode.weight), inSeconds(mode.mean), inSeconds(mode.sd), inSeconds(mode.min), inSeconds(mode.max),
        mode.tail ? mode.tail.shape.toFixed(3) : "-"]));
    });
    heading.style.overflowWrap = "anywhere";
    section.append(heading, wide(modes));
    if (marker.order.kind !== "constant") section.append(picture("distribution-" + at, "distribution of times", 220));
    if (marker.modes.some((mode) => mode.tail)) {
      section.append(picture("tail-" + at, "upper tails", 220));
      section.append(element("p.note", "Squares: bins. Dashed: the fitted law of the largest tenth; around it 5 to 95 % of the laws of samples that were drawn again."));
    }
    if (marker.order.kind === "period") {
      section.append(picture("pattern-" + at, "order of modes", 36));
      section.append(element("p.note", "The order of modes: " + orderText(marker.order) + ", kept by " + percent(marker.order.agreement) + " of the executions. Lines: begins of the period."));
    }
    if (marker.order.kind === "markov") {
      const table = element("table", row(["mode before", ...marker.modes.map((_, number) => "then " + number)], "th"));
      marker.order.transitions.forEach((line, number) => table.append(row([number, ...line.map(percent)])));
      section.append(wide(table));
    }
    if (marker.scaling) section.append(element("p", "Mean over ranks: " + scalingText(marker.scaling)));
    if (marker.memory)
      section.append(element("p", percent(marker.memory.part) + " of the time is bound by memory, whose bandwidth " + marker.memory.ranks_at_bandwidth.toFixed(2) + " ranks of a node use up."));
  });
  if (profile.markers.length > pictures_max)
    byId("marker-pictures").append(element("p.note", pictures_max + " of " + counted(profile.markers.length, "marker") + " are shown."));
}

function scalingText(fit) {
  const [constant, slope] = fit.coefficients.map((value) => value.toPrecision(4));
  return constant + (fit.term === "1" ? "" : " + " + slope + " " + fit.term) + ", measured from " + fit.sizes[0] + " to " + fit.sizes[1] + " ranks";
}

function showScaling() {
  if (!profile.scaling) return;
  const table = element("table", row(["ranks", "predicted"], "th"));
  for (const [ranks, value] of Object.entries(profile.scaling.at)) table.append(row([Number(ranks), value.toPrecision(4)]));
  byId("scaling").append(element("h2", "Scaling"), element("p", scalingText(profile.scaling)), wide(table));
}

function draw() {
  if (profile.clusters.length) drawClusters();
  profile.markers.slice(0, pictures_max).forEach((marker, at) => {
    if (byId("distribution-" + at)) drawDistribution(byId("distribution-" + at), marker, at);
    if (byId("tail-" + at)) drawTail(byId("tail-" + at), marker, at);
    if (byId("pattern-" + at)) drawPattern(byId("pattern-" + at), marker.order, at);
  });
}

window.rehearse = {
  ready: 0,
  state: () => ({ ready: window.rehearse.ready, ...drawn, markers: profile.markers.length,
    tables: document.querySelectorAll("table").length, headings: [...document.querySelectorAll("h2")].filter((one) => one.offsetParent).map((one) => one.textContent) }),
};
showFacts();
if (profile.clusters.length) showClusterTable(); else byId("clusters").hidden = true;
if (profile.markers.length) showMarkerTable(); else byId("marker-list").hidden = true;
showMarkers();
showScaling();
draw();
let page_width = document.body.clientWidth;
new ResizeObserver(() => {
  if (document.body.clientWidth === page_width) return;
  page_width = document.body.clientWidth;
  draw();
}).observe(document.body);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
requestAnimationFrame(() => requestAnimationFrame(() => { window.rehearse.ready = performance.now(); }));
