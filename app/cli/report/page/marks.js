// Colours and shapes, from the current style of the page.
const doing_names = ["computation", "pause", "other", "probe", "wait", "send", "receive", "exchange", "collective"];

function palette() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue("--" + name).trim();
  const colours = { doings: doing_names.map(value) };
  for (const name of ["paper", "ink", "soft", "line", "panel", "accent", "bad", "good", "mark", "arrow"])
    colours[name] = value(name);
  colours.bad_paper = value("bad-paper");
  colours.on_doings = colours.doings.map(textOn);
  return colours;
}

// Black or white: the one with the better contrast to a colour `#rrggbb`.
function textOn(colour) {
  const part = (at) => parseInt(colour.slice(at, at + 2), 16) / 255;
  return 0.3 * part(1) + 0.59 * part(3) + 0.11 * part(5) > 0.48 ? "#10161c" : "#ffffff";
}

// A canvas at the resolution of the screen; returns its context in CSS pixels, and its size there.
function prepare(canvas) {
  const scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  return { context, width, height };
}

function hatching(context, colours) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const inner = tile.getContext("2d");
  inner.fillStyle = colours.bad_paper;
  inner.fillRect(0, 0, 8, 8);
  inner.strokeStyle = colours.bad;
  inner.lineWidth = 2;
  inner.beginPath();
  for (const shift of [-8, 0, 8]) { inner.moveTo(shift, 8); inner.lineTo(shift + 8, 0); }
  inner.stroke();
  return context.createPattern(tile, "repeat");
}

// Strokes twice: first broader and in the colour of the background.
function around(context, paper, stroke) {
  const { strokeStyle, lineWidth } = context, dash = context.getLineDash();
  context.setLineDash([]); context.strokeStyle = paper; context.lineWidth = lineWidth + 3;
  stroke();
  context.setLineDash(dash); context.strokeStyle = strokeStyle; context.lineWidth = lineWidth;
  stroke();
}

function arrowHead(context, x, y, angle) {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - 8 * Math.cos(angle - 0.4), y - 8 * Math.sin(angle - 0.4));
  context.lineTo(x - 8 * Math.cos(angle + 0.4), y - 8 * Math.sin(angle + 0.4));
  context.fill();
}

// A text cut to a width.
function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let keep = Math.floor(text.length * width / context.measureText(text).width);
  while (keep > 0 && context.measureText(text.slice(0, keep) + "...").width > width) --keep;
  return keep > 2 ? text.slice(0, keep) + "..." : "";
}

// The same, but keeps a number at the end of a name, which distinguishes it.
function fittedEnd(context, text, width) {
  for (let cut = 0; cut < text.length; ++cut) {
    const shown = cut ? "\u2026" + text.slice(cut) : text;
    if (context.measureText(shown).width <= width) return shown;
  }
  return "";
}

// Round steps of an axis: 1, 2 or 5 times a power of ten.
function axisStep(span, parts) {
  const raw = span / parts, power = 10 ** Math.floor(Math.log10(raw));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= raw) return factor * power;
  return 10 * power;
}

function showTip(tip, holder, x, y, lines) {
  tip.replaceChildren(...lines.filter(Boolean).map((line) => element("div", line)));
  tip.hidden = false;
  const left = Math.min(x + 14, holder.clientWidth - tip.offsetWidth - 4);
  tip.style.left = Math.max(4, left) + "px";
  tip.style.top = Math.max(4, y + 16 + tip.offsetHeight > holder.clientHeight ? y - tip.offsetHeight - 8 : y + 16) + "px";
}
