// The waits of ranks at the end, as a graph of ranks on a circle and as sentences.
const waits_max = 48;

function showWaits(r) {
  const waiting = r.stops.map((stop, rank) => ({ ...stop, rank })).filter((stop) => stop.waits.length);
  byId("waits").hidden = waiting.length === 0;
  if (!waiting.length) return;
  const named = new Set(waiting.map((stop) => stop.rank));
  for (const stop of waiting) if (stop.waits.length <= 8) stop.waits.forEach((rank) => named.add(rank));
  const ranks = [...named].sort((a, b) => a - b);
  byId("wait-graph").replaceChildren(ranks.length <= waits_max ? waitGraph(r, waiting, ranks)
    : element("p.note", counted(waiting.length, "rank") + " wait: too many for a picture"));
  const list = element("ul");
  for (const stop of waiting.slice(0, 40)) {
    const place = stop.interval === undefined ? null : r.place(stop.interval);
    const whom = stop.waits.length > 8 ? "any of " + stop.waits.length + " ranks"
      : (stop.waits.length > 1 ? "one of the ranks " : "rank ") + stop.waits.join(", ");
    list.append(element("li", "rank " + stop.rank + " is in ",
      element("code", stop.interval === undefined ? "a call" : r.text(stop.interval)),
      place && place.file ? " at " + place.file + ":" + place.line : "", " and waits for " + whom));
  }
  if (waiting.length > 40) list.append(element("li", "and " + counted(waiting.length - 40, "more rank")));
  byId("wait-list").replaceChildren(list);
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function waitGraph(r, waiting, ranks) {
  const radius = Math.max(70, ranks.length * 13), size = 2 * radius + 90, centre = size / 2;
  const high = ranks.length === 2 ? 150 : size;  // two ranks are side by side
  const place = new Map(ranks.map((rank, k) => {
    const angle = 2 * Math.PI * k / ranks.length - (ranks.length === 2 ? Math.PI : Math.PI / 2);
    return [rank, [centre + radius * Math.cos(angle), centre + radius * Math.sin(angle)]];
  }));
  const picture = svg("svg", { viewBox: `0 ${(size - high) / 2} ${size} ${high}`, style: `width:100%;max-width:${Math.min(size, 620)}px`, role: "img",
                               "aria-label": "graph of waiting ranks" });
  picture.append(svg("defs", {}, svg("marker", { id: "tip-of-arrow", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8,
    markerHeight: 8, orient: "auto-start-reverse" }, svg("path", { d: "M0 0L10 5L0 10z", fill: "var(--bad)" }))));
  for (const stop of waiting) {
    if (stop.waits.length > 8) continue;
    for (const other of stop.waits) {
      const [x0, y0] = place.get(stop.rank), [x1, y1] = place.get(other);
      const length = Math.hypot(x1 - x0, y1 - y0) || 1, ux = (x1 - x0) / length, uy = (y1 - y0) / length;
      const bend = 0.16 * length, mx = (x0 + x1) / 2 - uy * bend, my = (y0 + y1) / 2 + ux * bend;
      picture.append(svg("path", { d: `M${x0 + 24 * ux} ${y0 + 24 * uy}Q${mx} ${my} ${x1 - 27 * ux} ${y1 - 27 * uy}`, fill: "none",
        stroke: "var(--bad)", "stroke-width": 2, "stroke-dasharray": stop.waits.length > 1 ? "5 4" : "none",
        "marker-end": "url(#tip-of-arrow)" }));
    }
  }
  for (const rank of ranks) {
    const [x, y] = place.get(rank), state = r.stops[rank].state;
    const name = svg("text", { x, y: y + 5, "text-anchor": "middle" }, String(rank));
    picture.append(svg("g", {}, svg("title", {}, "rank " + rank + ", " + state),
      svg("circle", { cx: x, cy: y, r: 21, fill: "var(--panel)", stroke: state === "ended" ? "var(--soft)" : "var(--bad)",
        "stroke-width": 2 }), name));
  }
  return picture;
}
