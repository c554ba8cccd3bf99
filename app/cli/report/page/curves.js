// Values over time as steps, and dots on logarithmic axes.
const curves_max = 10;

// Colours that stay apart for colour-blind readers (Okabe and Ito, 2008), repeated with dashes.
function curveStyle(c, at) {
  const names = ["send", "wait", "computation", "collective", "bad", "receive", "probe"];
  const colours = names.map((name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
  return { colour: colours[at % colours.length], dash: at < colours.length ? [] : [5, 3] };
}

// The largest ones by their greatest value.
function largestCurves(series) {
  const most = (one) => one.points.reduce((sum, point) => Math.max(sum, point[3]), 0);
  return series.map((one) => ({ ...one, most: most(one) })).sort((a, b) => b.most - a.most || (a.name < b.name ? -1 : 1)).slice(0, curves_max);
}

// Each point holds until the next one. Returns the number of curves.
function drawCurves(canvas, series, end, format) {
  const { context, width, height } = prepare(canvas), c = palette();
  const left = 84, floor = height - 28, wide = width - left - 12, tall = floor - 14;
  context.fillStyle = c.paper; context.fillRect(0, 0, width, height);
  const most = Math.max(...series.map((one) => one.most), 1e-300), top = axisStep(most, 4);
  const x = (date) => left + wide * date / (end || 1), y = (value) => floor - tall * value / (Math.ceil(most / top) * top);
  context.strokeStyle = c.line; context.fillStyle = c.soft; context.lineWidth = 1; context.textAlign = "right";
  for (let value = 0; value <= most + top / 2; value += top) {
    context.beginPath(); context.moveTo(left, y(value)); context.lineTo(left + wide, y(value)); context.stroke();
    context.fillText(format(value), left - 6, y(value));
  }
  context.textAlign = "center";
  const step = axisStep(end || 1, Math.max(2, wide / 130));
  for (let date = 0; date <= end; date += step) context.fillText(seconds(date), x(date), floor + 14);
  series.forEach((one, at) => {
    const { colour, dash } = curveStyle(c, at), points = one.points;
    context.strokeStyle = context.fillStyle = colour; context.setLineDash(dash); context.lineWidth = 1.5;
    context.globalAlpha = 0.18;
    points.forEach(([date, , least, greatest], i) => {
      const until = i + 1 < points.length ? points[i + 1][0] : end;
      if (greatest > least) context.fillRect(x(date), y(greatest), Math.max(x(until) - x(date), 1), y(least) - y(greatest));
    });
    context.globalAlpha = 1;
    context.beginPath();
    points.forEach(([date, value], i) => {
      if (i === 0) context.moveTo(x(date), y(value));
      else { context.lineTo(x(date), y(points[i - 1][1])); context.lineTo(x(date), y(value)); }
    });
    if (points.length) context.lineTo(x(end), y(points[points.length - 1][1]));
    context.stroke();
  });
  context.setLineDash([]);
  return series.length;
}

function showCurveLegend(legend, series) {
  const c = palette();
  legend.replaceChildren(...series.map((one, at) => {
    const mark = element("i");
    mark.style.background = curveStyle(c, at).colour;
    return element("span", mark, one.name + (curveStyle(c, at).dash.length ? " (dashed)" : ""));
  }));
}

// Times by sizes, with the ideal times below them.
function drawDots(canvas, sizes, times, ideals) {
  const { context, width, height } = prepare(canvas), c = palette();
  const left = 84, floor = height - 28, wide = width - left - 16, tall = floor - 14;
  context.fillStyle = c.paper; context.fillRect(0, 0, width, height);
  if (!sizes.length) return 0;
  const log = (value) => Math.log10(Math.max(value, 1e-12));
  const range = (values) => {
    let least = Infinity, most = -Infinity;
    for (const list of values) for (const value of list) { least = Math.min(least, value); most = Math.max(most, value); }
    return [Math.floor(log(least) - 0.1), Math.max(Math.ceil(log(most) + 0.1), Math.floor(log(least) - 0.1) + 1)];
  };
  const [size_least, size_most] = range([sizes.map((size) => Math.max(size, 1))]), [time_least, time_most] = range([times, ideals]);
  const x = (size) => left + wide * (log(Math.max(size, 1)) - size_least) / (size_most - size_least);
  const y = (time) => floor - tall * (log(time) - time_least) / (time_most - time_least);
  context.strokeStyle = c.line; context.fillStyle = c.soft; context.lineWidth = 1; context.textAlign = "right";
  for (let power = time_least; power <= time_most; ++power) {
    context.beginPath(); context.moveTo(left, y(10 ** power)); context.lineTo(left + wide, y(10 ** power)); context.stroke();
    context.fillText(seconds(10 ** (power + 12)), left - 6, y(10 ** power));
  }
  context.textAlign = "center";
  for (let power = size_least; power <= size_most; ++power) context.fillText(withPrefix(10 ** power, "B"), x(10 ** power), floor + 14);
  context.fillStyle = c.soft;
  for (let i = 0; i < sizes.length; ++i) context.fillRect(x(sizes[i]) - 4, y(ideals[i]) - 0.5, 8, 1);
  context.fillStyle = c.accent; context.globalAlpha = sizes.length > 500 ? 0.35 : 0.8;
  for (let i = 0; i < sizes.length; ++i) context.fillRect(x(sizes[i]) - 1.5, y(times[i]) - 1.5, 3, 3);
  context.globalAlpha = 1;
  return sizes.length;
}
