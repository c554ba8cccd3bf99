// Composes the page of a calibration. `rehearse` is for tests: it returns the state of the page.
const calibration = readJson("calibration");
const pictured = { dots: 0, residuals: 0, breakpoints: 0 };

function inSeconds(value) { return value === null ? "-" : seconds(value * 1e12); }
function inPercent(value) { return (100 * value).toFixed(2) + " %"; }
function number(value) { return value === null ? "-" : +value.toPrecision(5) + ""; }

function showFacts() {
  byId("top").append(element("h1", element("span.chip", "calibration"), calibration.nodes.join(", ")));
  const facts = element("dl.facts");
  const { network, protocol } = calibration;
  for (const [name, value] of [
    ["measured", calibration.about], ["value of each size", calibration.statistic],
    ["latency", inSeconds(network.latency)], ["bandwidth", withPrefix(network.bandwidth, "B/s")],
    ["eager threshold", protocol.eager_bytes === null ? "none found" : withCommas(protocol.eager_bytes) + " bytes"],
    ["handshake", protocol.handshake]])
    facts.append(element("div", element("dt", name), element("dd", value)));
  byId("top").append(facts);
  byId("foot").textContent = "rehearse " + calibration.rehearse + " calibrate. This file is self-contained.";
}

// Axes of a picture by sizes; `to_y` maps a value to a part of the height.
function sizeAxes(canvas, ticks, to_y, text) {
  const { context, width, height } = prepare(canvas), c = palette();
  const left = 84, floor = height - 28, wide = width - left - 16, tall = floor - 14;
  context.fillStyle = c.paper; context.fillRect(0, 0, width, height);
  const most = Math.log10(Math.max(10, ...calibration.points.map((point) => point.bytes)));
  const x = (bytes) => left + wide * Math.log10(Math.max(bytes, 0.7) / 0.7) / (most - Math.log10(0.7));
  const y = (value) => floor - tall * Math.min(1, Math.max(0, to_y(value)));
  context.strokeStyle = c.line; context.fillStyle = c.soft; context.lineWidth = 1; context.textAlign = "right";
  for (const tick of ticks) {
    context.beginPath(); context.moveTo(left, y(tick)); context.lineTo(left + wide, y(tick)); context.stroke();
    context.fillText(text(tick), left - 6, y(tick));
  }
  context.textAlign = "center";
  for (let power = 0; power <= most; ++power) context.fillText(withPrefix(10 ** power, "B"), x(10 ** power), floor + 14);
  return { context, c, x, y, floor };
}

function drawBreakpoints({ context, c, x, floor }) {
  const eager = calibration.protocol.eager_bytes;
  const bounds = calibration.network.pieces.map((piece) => piece.above).filter((bytes) => bytes > 0);
  for (const bytes of bounds) {
    context.strokeStyle = bytes === eager ? c.accent : c.soft; context.lineWidth = bytes === eager ? 2 : 1;
    context.setLineDash([4, 4]); context.beginPath(); context.moveTo(x(bytes), 8); context.lineTo(x(bytes), floor); context.stroke();
  }
  context.setLineDash([]);
  return bounds.length;
}

function drawFit() {
  const points = calibration.points, values = points.flatMap((point) => [point.measured, point.fitted]);
  const least = Math.floor(Math.log10(Math.min(...values))), most = Math.ceil(Math.log10(Math.max(...values)));
  const ticks = Array.from({ length: most - least + 1 }, (_, i) => 10 ** (least + i));
  const axes = sizeAxes(byId("fit-dots"), ticks, (value) => (Math.log10(value) - least) / Math.max(1, most - least), inSeconds);
  const { context, c, x, y } = axes;
  pictured.breakpoints = drawBreakpoints(axes);
  context.strokeStyle = c.ink; context.lineWidth = 1; context.beginPath();
  points.forEach((point, i) => { if (i) context.lineTo(x(point.bytes), y(point.fitted)); else context.moveTo(x(point.bytes), y(point.fitted)); });
  context.stroke();
  context.fillStyle = c.accent;
  for (const point of points) context.fillRect(x(point.bytes) - 2, y(point.measured) - 2, 4, 4);
  pictured.dots = points.length;
}

function drawResiduals() {
  const points = calibration.points;
  const error = (point, key) => (point[key] - point.measured) / point.measured;
  const most = Math.max(0.02, ...points.map((point) => Math.max(Math.abs(error(point, "fitted")), Math.abs(error(point, "cross_validated")))));
  const axes = sizeAxes(byId("residual-dots"), [-most, -most / 2, 0, most / 2, most], (value) => (value + most) / (2 * most), inPercent);
  const { context, c, x, y } = axes;
  drawBreakpoints(axes);
  context.fillStyle = context.strokeStyle = c.accent; context.lineWidth = 1;
  for (const point of points) {
    context.fillRect(x(point.bytes) - 2, y(error(point, "fitted")) - 2, 4, 4);
    context.strokeRect(x(point.bytes) - 3, y(error(point, "cross_validated")) - 3, 6, 6);
  }
  pictured.residuals = 2 * points.length;
}

function addTable(title, header, rows) {
  if (!rows.length) return;
  const table = element("table"), wide = element("div.wide");
  table.append(row(header, "th"));
  for (const cells of rows) table.append(row(cells));
  wide.append(table);
  byId("tables").append(element("h2", title), wide);
}

function errorRows(errors) {
  return errors.map((each) => [each.model || each.test, withCommas(each.cases), inPercent(each.mean), inPercent(each.greatest), inPercent(each.logarithmic)]);
}

function showParameters() {
  const { network, protocol } = calibration;
  addTable("Factors", ["bytes above", "latency factor", "+-", "bandwidth factor", "+-", "sizes"],
    network.pieces.map((piece) => [withCommas(piece.above), number(piece.latency_factor), inPercent(piece.latency_error),
      number(piece.bandwidth_factor), inPercent(piece.bandwidth_error), withCommas(piece.sizes)]));
  for (const [title, pieces] of [["MPI_Send", protocol.send], ["MPI_Isend", protocol.isend], ["MPI_Recv of an eager message", protocol.recv]])
    addTable("Time of a rank in " + title, ["bytes from", "time", "time per byte"],
      pieces.map((piece) => [withCommas(piece.from), inSeconds(piece.seconds), inSeconds(piece.seconds_per_byte)]));
  addTable("Flows on one link", ["flows", "part of the capacity", "least", "greatest", "estimates"],
    network.contention.map((piece) => [withCommas(piece.flows), number(piece.factor), number(piece.least), number(piece.greatest), withCommas(piece.estimates)]));
  const columns = ["model", "cases", "mean", "greatest", "logarithmic"];
  addTable("Errors of half round trips", columns, errorRows(calibration.errors));
  addTable("Errors of flows at once", columns, errorRows(calibration.contention_errors));
  if (calibration.verification)
    addTable("Errors of the simulated program", ["test", ...columns.slice(1)], errorRows(calibration.verification.tests));
  addTable("Computation", ["kernel", "host", "rate", "spread"],
    calibration.compute.map((each) => [each.kernel, each.host, withPrefix(each.rate, each.unit), inPercent(each.spread)]));
  addTable("Measured sizes", ["bytes", "measured", "fitted", "error", "cross-validated", "quartile spread", "repetitions", "outliers"],
    calibration.points.map((point) => [withCommas(point.bytes), inSeconds(point.measured), inSeconds(point.fitted),
      inPercent((point.fitted - point.measured) / point.measured), inPercent((point.cross_validated - point.measured) / point.measured),
      inPercent(point.spread), withCommas(point.repetitions), withCommas(point.outliers)]));
}

function drawCalibration() { drawFit(); drawResiduals(); }

window.rehearse = {
  ready: 0,
  state: () => ({ ready: window.rehearse.ready, ...pictured, tables: [...document.querySelectorAll("#tables h2")].map((one) => one.textContent) }),
};
showFacts();
showParameters();
if (calibration.points.length) drawCalibration();
else for (const id of ["times", "residuals"]) byId(id).hidden = true;
let calibration_width = document.body.clientWidth;
new ResizeObserver(() => {
  if (document.body.clientWidth === calibration_width) return;
  calibration_width = document.body.clientWidth;
  if (calibration.points.length) drawCalibration();
}).observe(document.body);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (calibration.points.length) drawCalibration(); });
requestAnimationFrame(() => requestAnimationFrame(() => { window.rehearse.ready = performance.now(); }));
