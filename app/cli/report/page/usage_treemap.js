// The treemap: rectangles for zones, in them those for hosts, whose areas are the chosen quantity.
// Source: Bruls, Huizing, van Wijk, Squarified Treemaps, VisSym 2000. Departure: the order of the rectangles is that of
// the whole run, so that they stay where they are while time passes.

// Places values[i] > 0, in this order, in a rectangle; calls place(i, x, y, width, height).
function squarify(values, x, y, width, height, place) {
  let rest = 0;
  for (const value of values) rest += value;
  if (!(rest > 0) || width <= 0 || height <= 0) return;
  const scale = width * height / rest;
  const worst = (side, sum, least, most) => Math.max(side * side * most / (sum * sum), sum * sum / (side * side * least));
  let at = 0;
  while (at < values.length) {
    const side = Math.min(width, height);
    let end = at, sum = 0, least = Infinity, most = 0, ratio = Infinity;
    for (; end < values.length; ++end) {
      const area = values[end] * scale;
      if (area <= 0) continue;
      const next = worst(side, sum + area, Math.min(least, area), Math.max(most, area));
      if (next > ratio) break;
      ratio = next;
      sum += area;
      least = Math.min(least, area);
      most = Math.max(most, area);
    }
    if (!(sum > 0)) return;
    const thickness = Math.min(sum / side, Math.max(width, height));
    let along = 0;
    for (; at < end; ++at) {
      const area = values[at] * scale;
      if (area <= 0) continue;
      const length = area / thickness;
      if (width >= height) place(at, x, y + along, thickness, length);
      else place(at, x + along, y, length, thickness);
      along += length;
    }
    if (width >= height) { x += thickness; width -= thickness; } else { y += thickness; height -= thickness; }
  }
}

class Treemap {
  constructor(usage) {
    this.usage = usage;
    this.order = usage.zones.map(() => null);  // by zone: its zones and hosts, from the most work in the run on
    this.cells = [];    // [kind, number, x, y, width, height]: "zone" with a title, "sum" for a zone as a whole, "host"
    this.total = null;
  }

  // Work in the whole run.
  totals(frame_of_run) {
    this.total = { host: Float64Array.from(frame_of_run.host_sum), zone: Float64Array.from(frame_of_run.zone_sum) };
    this.order = this.order.map(() => null);
  }
  items(zone) {
    if (this.order[zone] === null) {
      const items = this.usage.inside[zone].map((inner) => [true, inner, this.total.zone[inner]]);
      for (const host of this.usage.hosts_in[zone]) items.push([false, host, this.total.host[host]]);
      this.order[zone] = items.sort((a, b) => b[2] - a[2]);
    }
    return this.order[zone];
  }

  // `of`: values by host and by zone. `levels`: of zones that are divided.
  layout(zone, of, levels, width, height) {
    this.cells.length = 0;
    this.divide(zone, of, levels, 0, 0, width, height);
  }
  divide(zone, of, levels, x, y, width, height) {
    const items = this.items(zone), values = new Float64Array(items.length);
    for (let i = 0; i < items.length; ++i) values[i] = items[i][0] ? of.zone[items[i][1]] : of.host[items[i][1]];
    squarify(values, x, y, width, height, (i, left, top, w, h) => {
      const [is_zone, number] = items[i];
      if (!is_zone) return void this.cells.push(["host", number, left, top, w, h]);
      if (levels === 0) return void this.cells.push(["sum", number, left, top, w, h]);
      this.cells.push(["zone", number, left, top, w, h]);
      const edge = w > 30 && h > 30 ? 2 : 0, title = w > 70 && h > 52 ? 18 : edge;
      this.divide(number, of, levels - 1, left + edge, top + title, w - 2 * edge, h - title - edge);
    });
  }

  at(x, y) {
    for (let i = this.cells.length - 1; i >= 0; --i) {
      const [, , left, top, width, height] = this.cells[i];
      if (x >= left && x < left + width && y >= top && y < top + height) return this.cells[i];
    }
    return null;
  }

  // `is_part`: the cell shows a capacity, and is filled by use.
  draw(context, frame, theme, is_part) {
    const count = frame.categories.length, rectangles = Array.from({ length: count + 1 }, () => []);
    for (const [kind, number, x, y, width, height] of this.cells) {
      if (kind === "zone") continue;
      const gap = width > 5 && height > 5 ? 1 : width > 2.5 && height > 2.5 ? 0.5 : 0;
      const left = x + gap / 2, top = y + gap / 2, w = width - gap, h = height - gap;
      const uses = kind === "host" ? frame.hosts : frame.zones, first = number * count;
      const sum = kind === "host" ? frame.host_sum[number] : frame.zone_sum[number];
      let whole = sum;
      if (is_part) {
        rectangles[count].push(left, top, w, h);
        const usage = frame.usage;
        whole = (kind === "host" ? usage.host_speed[number] : usage.zone_speed[number]) * frame.seconds;
      }
      if (!(sum > 0) || !(whole > 0)) continue;
      let done = 0;
      for (let c = 0; c < count; ++c) {
        const part = Math.min(uses[first + c] / Math.max(whole, sum), 1);
        if (part <= 0) continue;
        if (is_part || h > w) rectangles[c].push(left, top + h * (1 - done - part), w, h * part);
        else rectangles[c].push(left + w * done, top, w * part, h);
        done += part;
      }
    }
    context.fillStyle = theme.empty;
    fill_all(context, rectangles[count]);
    for (let c = 0; c < count; ++c) {
      context.fillStyle = theme.colour(c);
      fill_all(context, rectangles[c]);
    }
    this.drawn = rectangles;
    this.label(context, frame, theme);
  }

  // `of`: by host and zone a number from -1 (less in the second run) to 1 (more).
  draw_difference(context, frame, theme, of) {
    for (const [kind, number, x, y, width, height] of this.cells) {
      if (kind === "zone") continue;
      context.fillStyle = theme.difference(kind === "host" ? of.host[number] : of.zone[number]);
      const gap = width > 5 && height > 5 ? 1 : 0;
      context.fillRect(x, y, width - gap, height - gap);
    }
    this.label(context, frame, theme);
  }

  label(context, frame, theme) {
    context.textBaseline = "middle";
    for (const [kind, number, x, y, width, height] of this.cells) {
      if (kind === "zone") {
        context.strokeStyle = theme.ink;
        context.lineWidth = 1;
        if (width > 8 && height > 8) context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
        if (width > 70 && height > 52) {
          const name = this.usage.zone_names[number];
          context.fillStyle = theme.ink;
          draw_text(context, name, x + 6, y + 10, width - 12, "600 13px " + theme.font);
        }
      } else if (width > 46 && height > 22) {
        context.font = "12px " + theme.font;
        const shown = kind === "host" ? this.usage.short_name(number, (text) => fitting_text(context, text, width - 14) === text)
          : fitting_text(context, this.usage.zone_names[number], width - 14);
        if (shown === "") continue;
        context.fillStyle = theme.paper;  // a plate, because the colours below differ
        context.globalAlpha = 0.85;
        context.fillRect(x + 3, y + 3, context.measureText(shown).width + 8, 17);
        context.globalAlpha = 1;
        context.fillStyle = theme.ink;
        context.fillText(shown, x + 7, y + 12);
      }
    }
  }
}

function fill_all(context, rectangles) {
  for (let i = 0; i < rectangles.length; i += 4)
    context.fillRect(rectangles[i], rectangles[i + 1], rectangles[i + 2], rectangles[i + 3]);
}

// The text or its begin with an ellipsis; nothing if there is no room for four letters.
function fitting_text(context, text, width) {
  const key = context.font + "|" + text;
  let full = fitting_text.widths.get(key);
  if (full === undefined) {
    full = context.measureText(text).width;
    if (fitting_text.widths.size > 20000) fitting_text.widths.clear();
    fitting_text.widths.set(key, full);
  }
  if (full <= width) return text;
  const letters = Math.floor(text.length * width / full) - 1;
  return letters >= 4 ? text.slice(0, letters) + "…" : "";
}
fitting_text.widths = new Map();

function draw_text(context, text, x, y, width, font) {
  context.font = font;
  const shown = fitting_text(context, text, width);
  if (shown !== "") context.fillText(shown, x, y);
}
