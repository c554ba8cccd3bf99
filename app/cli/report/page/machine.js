// The machine: a picture of hosts and links, and a treemap of hosts by work.
const nodes_max = 220, links_max = 10, busy_max = 400;

function prepareNetwork(r) {
  byId("network").hidden = r.links.length === 0;
  if (!r.links.length) return;
  const end_slices = Math.max(1, Math.ceil(r.end / r.slice));
  for (const link of r.links) {
    const rates = new Float32Array(bytesOf(link.rates));
    link.sums = new Float64Array(rates.length + 1);
    for (let k = 0; k < rates.length; ++k) link.sums[k + 1] = link.sums[k] + rates[k];
  }
  for (const id of ["slice-from", "slice-to"]) byId(id).max = end_slices;
  byId("slice-from").value = 0;
  byId("slice-to").value = end_slices;
  r.graph = networkGraph(r);
}

// Links with the most traffic and the hosts next to them, if there are too many links.
function networkGraph(r) {
  const busiest = [...r.links].sort((a, b) => b.sums[b.sums.length - 1] - a.sums[a.sums.length - 1] || a.id - b.id);
  const shown = busiest.slice(0, Math.floor(nodes_max * 0.6)), nodes = new Map();
  for (const link of shown) nodes.set(link.id, { is_link: true, link, size: link.capacity });
  const hosts = new Map(r.hosts.map((host) => [host.id, host]));
  const edges = [];
  for (const [from, to] of r.edges) {
    for (const id of [from, to])
      if (hosts.has(id) && !nodes.has(id) && nodes.size < nodes_max && (nodes.has(from) || nodes.has(to)))
        nodes.set(id, { is_link: false, host: hosts.get(id), size: hosts.get(id).speed });
    if (nodes.has(from) && nodes.has(to)) edges.push([nodes.get(from), nodes.get(to)]);
  }
  const all = [...nodes.values()];
  for (const is_link of [true, false]) {
    const kind = all.filter((node) => node.is_link === is_link), most = Math.max(...kind.map((node) => node.size), 1);
    for (const node of kind) node.half = 6 + 10 * Math.sqrt(node.size / most) * Math.min(1, 8 / Math.sqrt(all.length));
  }
  const neighbours = new Set(edges.flat()), alone = all.filter((node) => !neighbours.has(node));
  layOut(all.filter((node) => neighbours.has(node)), edges);
  setAside(alone, all.filter((node) => neighbours.has(node)));
  return { nodes: all, edges, is_part: shown.length < r.links.length };
}

// A layout with springs along edges and repulsion between all nodes. It starts from a circle, so it is deterministic.
function layOut(nodes, edges) {
  const n = nodes.length;
  nodes.forEach((node, k) => { node.x = Math.cos(2.4 * k) * Math.sqrt(k + 1); node.y = Math.sin(2.4 * k) * Math.sqrt(k + 1); });
  const distance = 1.6;
  for (let round = 0, rounds = n > 120 ? 150 : 320; round < rounds; ++round) {
    const heat = 0.9 * (1 - round / rounds) + 0.02;
    for (const node of nodes) { node.fx = -0.01 * node.x; node.fy = -0.01 * node.y; }
    for (let a = 0; a < n; ++a) for (let b = a + 1; b < n; ++b) {
      const dx = nodes[a].x - nodes[b].x, dy = nodes[a].y - nodes[b].y, d2 = dx * dx + dy * dy + 0.01;
      const push = distance * distance / d2;
      nodes[a].fx += dx * push; nodes[a].fy += dy * push; nodes[b].fx -= dx * push; nodes[b].fy -= dy * push;
    }
    for (const [a, b] of edges) {
      const dx = a.x - b.x, dy = a.y - b.y, pull = Math.hypot(dx, dy) / distance;
      a.fx -= dx * pull; a.fy -= dy * pull; b.fx += dx * pull; b.fy += dy * pull;
    }
    for (const node of nodes) {
      const force = Math.hypot(node.fx, node.fy) || 1, by = Math.min(force, heat) / force;
      node.x += node.fx * by; node.y += node.fy * by;
    }
  }
}

// Nodes without known neighbours are in a row below the others.
function setAside(nodes, others) {
  const xs = others.map((node) => node.x), ys = others.map((node) => node.y);
  const left = Math.min(...xs, 0), right = Math.max(...xs, left + 1), top = Math.min(...ys, 0), bottom = Math.max(...ys, 0);
  nodes.forEach((node, k) => {
    node.x = left + (right - left) * (k + 0.5) / nodes.length;
    node.y = bottom + Math.max(1, (bottom - top) / 6);
  });
}

function sliceOf(r) {
  let from = +byId("slice-from").value, to = +byId("slice-to").value;
  if (to <= from) to = from + 1;
  return [from, to];
}

function use(r, node) {
  if (!node.is_link) return r.end > 0 && node.host.speed > 0 ? Math.min(1, node.host.flops / (node.host.speed * r.end * 1e-12)) : 0;
  return node.link.capacity > 0 ? Math.min(1, rateOf(r, node.link) / node.link.capacity) : 0;
}

// The average in the time between the sliders.
function rateOf(r, link) {
  const [from, to] = sliceOf(r), last = link.sums.length - 1;
  return (link.sums[Math.min(to, last)] - link.sums[Math.min(from, last)]) / (to - from);
}

function drawNetwork(r) {
  if (!r.graph) return;
  const { nodes, edges } = r.graph, canvas = byId("topology");
  canvas.style.height = Math.min(900, Math.max(420, 14 * nodes.length)) + "px";
  const { context, width, height } = prepare(canvas), c = palette();
  const [from, to] = sliceOf(r);
  byId("slice-text").textContent = seconds(from * r.slice) + " to " + seconds(Math.min(to * r.slice, r.end));
  context.fillStyle = c.paper; context.fillRect(0, 0, width, height);
  const xs = nodes.map((node) => node.x), ys = nodes.map((node) => node.y);
  const left = Math.min(...xs), top = Math.min(...ys), margin = 44;
  const scale_x = (width - 2 * margin) / (Math.max(...xs) - left || 1), scale_y = (height - 2 * margin) / (Math.max(...ys) - top || 1);
  for (const node of nodes) { node.px = margin + (node.x - left) * scale_x; node.py = margin + (node.y - top) * scale_y; }
  context.strokeStyle = c.line; context.lineWidth = 1.2;
  for (const [a, b] of edges) { context.beginPath(); context.moveTo(a.px, a.py); context.lineTo(b.px, b.py); context.stroke(); }
  for (const node of nodes) drawNode(context, node, use(r, node), c);
  r.graph.names = placedNames(nodes, (name) => context.measureText(name).width, width, height);
  context.fillStyle = c.soft; context.textAlign = "left";
  for (const name of r.graph.names) context.fillText(name.text, name.left, name.middle);
  const parts = [];
  if (r.graph.names.length < nodes.length)
    parts.push(withCommas(r.graph.names.length) + " of " + counted(nodes.length, "name") + " have room in the picture.");
  if (r.graph.is_part) parts.push("Only the links with the most traffic and the hosts next to them are drawn.");
  byId("topology-note").textContent = parts.join(" ");
  showLinks(r, to - from);
}

// All known links by their use in the time between the sliders.
function showLinks(r, slices) {
  const table = byId("link-table");
  table.replaceChildren(row(["link", "capacity", "bytes", "used"], "th"));
  const links = r.links.map((link) => ({ link, part: use(r, { is_link: true, link }) })).sort((a, b) => b.part - a.part);
  for (const { link, part } of links.slice(0, links_max))
    table.append(row([link.name, withPrefix(link.capacity, "B/s"), withPrefix(rateOf(r, link) * slices * r.slice * 1e-12, "B"),
      percent(part)]));
  table.append(restRow(links_max, links.length, "link", 4));
}

// Places names below, above or beside their node, where they touch neither a node nor another name. Names without such
// a place are omitted, first those of smaller nodes.
function placedNames(nodes, widthOf, width, height) {
  const tall = 13, gap = 3, taken = nodes.map((node) =>
    ({ left: node.px - node.half, right: node.px + node.half, top: node.py - node.half, bottom: node.py + node.half }));
  const is_free = (box) => box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height &&
    taken.every((other) => box.right <= other.left || other.right <= box.left || box.bottom <= other.top || other.bottom <= box.top);
  const names = [];
  for (const node of [...nodes].sort((a, b) => b.half - a.half)) {
    const text = node.is_link ? node.link.name : node.host.name, wide = widthOf(text), away = node.half + gap;
    const places = [[node.px - wide / 2, node.py + away], [node.px - wide / 2, node.py - away - tall],
                    [node.px + away, node.py - tall / 2], [node.px - away - wide, node.py - tall / 2]];
    for (const [left, top] of places) {
      const box = { left, right: left + wide, top, bottom: top + tall };
      if (!is_free(box)) continue;
      taken.push(box);
      names.push({ text, middle: top + tall / 2, ...box });
      break;
    }
  }
  return names;
}

function drawNode(context, node, part, c) {
  const h = node.half, path = new Path2D();
  if (node.is_link) { path.moveTo(node.px, node.py - h); path.lineTo(node.px + h, node.py); path.lineTo(node.px, node.py + h); path.lineTo(node.px - h, node.py); path.closePath(); }
  else path.rect(node.px - h, node.py - h, 2 * h, 2 * h);
  context.fillStyle = c.panel; context.fill(path);
  context.save(); context.clip(path);
  context.fillStyle = node.is_link ? c.accent : c.doings[0];
  context.fillRect(node.px - h, node.py + h - 2 * h * part, 2 * h, 2 * h * part);
  context.restore();
  context.strokeStyle = c.ink; context.lineWidth = 1.3; context.stroke(path);
}

// Squarified: rows of rectangles that are as square as possible. Source: Bruls, Huizing, van Wijk, Squarified Treemaps, 2000.
function squarify(items, x, y, width, height, place) {
  let rest = [...items], total = rest.reduce((sum, item) => sum + item.area, 0);
  while (rest.length && total > 0) {
    const side = Math.min(width, height), scale = width * height / total;
    let taken = 0, sum = 0, worst = Infinity;
    while (taken < rest.length) {
      const next = sum + rest[taken].area, length = next * scale / side;
      const ratio = Math.max(...rest.slice(0, taken + 1).map((item) => {
        const across = item.area * scale / length;
        return Math.max(across / length, length / across);
      }));
      if (ratio > worst) break;
      worst = ratio; sum = next; ++taken;
    }
    const length = sum * scale / side;
    let along = 0;
    for (const item of rest.slice(0, taken)) {
      const across = item.area * scale / length;
      if (width >= height) place(item, x, y + along, length, across); else place(item, x + along, y, across, length);
      along += across;
    }
    if (width >= height) { x += length; width -= length; } else { y += length; height -= length; }
    rest = rest.slice(taken); total -= sum;
  }
}

function drawTreemap(r) {
  const busy = r.hosts.filter((host) => host.flops > 0).sort((a, b) => b.flops - a.flops).slice(0, busy_max);
  const all_busy = r.hosts.filter((host) => host.flops > 0).length;
  byId("hosts").hidden = busy.length === 0;
  if (!busy.length) return;
  const { context, width, height } = prepare(byId("treemap")), c = palette();
  context.fillStyle = c.paper; context.fillRect(0, 0, width, height);
  context.textAlign = "left";
  squarify(busy.map((host) => ({ host, area: host.flops })), 0, 0, width, height, ({ host }, x, y, w, h) => {
    const part = r.end > 0 ? Math.min(1, host.flops / (host.speed * r.end * 1e-12)) : 0;
    context.fillStyle = c.panel; context.fillRect(x + 1, y + 1, w - 2, h - 2);
    context.globalAlpha = 0.25 + 0.65 * part; context.fillStyle = c.doings[0]; context.fillRect(x + 1, y + 1, w - 2, h - 2);
    context.globalAlpha = 1; context.fillStyle = c.ink;
    if (w > 30 && h > 20) context.fillText(fittedEnd(context, host.name, w - 12), x + 7, y + 13);
    if (w > 60 && h > 38) context.fillText(fitted(context, withPrefix(host.flops, "flop"), w - 12), x + 7, y + 29);
  });
  byId("treemap-note").textContent = (all_busy > busy_max ? busy_max + " of " : "") + counted(all_busy, "host") + ", each as large as its work; the stronger the colour, the larger the part of the run in which it was busy.";
}
