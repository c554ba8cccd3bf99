// Time by call and by rank, and the amounts that ranks send to each other.
const calls_max = 25, pairs_max = 15;

function showCalls(r) {
  byId("calls").hidden = r.count === 0 || r.end === 0;
  if (byId("calls").hidden) return;
  const by_name = new Map(), by_rank = Array.from({ length: r.ranks }, () => new Float64Array(r.doings.length));
  const names = r.kinds.map((_, k) => r.function_of_kind(k));
  for (let i = 0; i < r.count; ++i) {
    const name = names[r.kind[i]], length = r.end_of[i] - r.begin[i];
    let sum = by_name.get(name);
    if (!sum) by_name.set(name, sum = { calls: 0, time: 0, most: 0, most_rank: 0, doing: r.doing(i) });
    sum.calls += r.times_of.get(i) || 1;
    sum.time += length;
    if (length > sum.most) { sum.most = length; sum.most_rank = r.rank[i]; }
    by_rank[r.rank[i]][r.doing(i)] += length;
  }
  const all = r.end * r.ranks || 1;
  const table = byId("call-table");
  table.replaceChildren(row(["call", "number", "total time", "part of the run", "longest", "on rank"], "th"));
  for (const [name, sum] of [...by_name].sort((a, b) => b[1].time - a[1].time).slice(0, calls_max))
    table.append(row([element("code", name), withCommas(sum.calls), seconds(sum.time), percent(sum.time / all),
                      seconds(sum.most), String(sum.most_rank)]));
  table.append(restRow(calls_max, by_name.size, "call", 6));
  r.by_rank = by_rank;
}

// A column for each rank with its shares of time. If there are many ranks, several share a column.
function drawProfile(r) {
  if (!r.by_rank) return;
  const { context, width, height } = prepare(byId("profile")), c = palette();
  context.fillStyle = c.paper; context.fillRect(0, 0, width, height);
  const left = 44, room = width - left - 8, floor = height - 26, tall = floor - 10;
  const per = Math.ceil(r.ranks / room), columns = Math.ceil(r.ranks / per), wide = Math.min(60, room / columns);
  context.fillStyle = c.soft; context.textAlign = "right";
  for (const part of [0, 0.5, 1]) context.fillText(percent(part), left - 6, floor - part * tall);
  context.textAlign = "center";
  const label_every = Math.ceil(columns * 26 / room);
  for (let column = 0; column < columns; ++column) {
    let y = floor;
    for (let doing = 0; doing < r.doings.length; ++doing) {
      let sum = 0, counted_ranks = 0;
      for (let rank = column * per; rank < Math.min((column + 1) * per, r.ranks); ++rank, ++counted_ranks) sum += r.by_rank[rank][doing];
      const high = sum / counted_ranks / (r.end || 1) * tall;
      context.fillStyle = c.doings[doing];
      context.fillRect(left + column * wide, y - high, Math.max(wide - (wide > 5 ? 2 : 0), 1), high);
      y -= high;
    }
    context.fillStyle = c.soft;
    if (column % label_every === 0) context.fillText(String(column * per), left + (column + 0.5) * wide, floor + 13);
  }
}

const matrix_cells = 256;

function showTraffic(r) {
  byId("traffic").hidden = r.messages === 0;
  if (!r.messages) return;
  const per = Math.ceil(r.ranks / matrix_cells), cells = Math.ceil(r.ranks / per);
  const bytes = new Float64Array(cells * cells), count = new Float64Array(cells * cells);
  const pairs = new Map();
  for (let m = 0; m < r.messages; ++m) {
    const from = r.rank[r.sender[m]], to = r.destination(m), key = from * r.ranks + to;
    const at = Math.floor(from / per) * cells + Math.floor(to / per);
    bytes[at] += r.bytes(m); ++count[at];
    const pair = pairs.get(key);
    if (pair) { pair.bytes += r.bytes(m); ++pair.count; } else pairs.set(key, { from, to, bytes: r.bytes(m), count: 1 });
  }
  r.matrix = { per, cells, bytes, count };
  const table = byId("pair-table");
  table.replaceChildren(row(["from rank", "to rank", "messages", "bytes"], "th"));
  for (const pair of [...pairs.values()].sort((a, b) => b.bytes - a.bytes || b.count - a.count || a.from - b.from || a.to - b.to)
    .slice(0, pairs_max))
    table.append(row([String(pair.from), String(pair.to), withCommas(pair.count), withPrefix(pair.bytes, "B")]));
  table.append(restRow(pairs_max, pairs.size, "pair", 4));
}

// Darker is more, on a logarithmic scale from the smallest to the largest amount of a pair.
function drawMatrix(r) {
  if (!r.matrix) return;
  const { per, cells, bytes, count } = r.matrix, left = 62, top = 44, canvas = byId("matrix");
  canvas.style.height = Math.min(460, top + 10 + 48 * cells) + "px";
  const { context, width, height } = prepare(canvas), c = palette();
  context.fillStyle = c.paper; context.fillRect(0, 0, width, height);
  const side = Math.min(48, Math.min(width - left - 8, height - top - 8) / cells);
  const weight = bytes.map((value, at) => count[at] ? Math.log1p(value) + 1 : 0), most = weight.reduce((a, b) => Math.max(a, b), 1);
  context.fillStyle = c.panel; context.fillRect(left, top, side * cells, side * cells);
  context.fillStyle = c.accent;
  for (let at = 0; at < weight.length; ++at) {
    if (!weight[at]) continue;
    context.globalAlpha = 0.15 + 0.85 * weight[at] / most;
    context.fillRect(left + (at % cells) * side, top + Math.floor(at / cells) * side, Math.max(side - (side > 6 ? 1 : 0), 1), Math.max(side - (side > 6 ? 1 : 0), 1));
  }
  context.globalAlpha = 1; context.fillStyle = c.soft;
  const every = Math.ceil(22 / side);
  for (let cell = 0; cell < cells; cell += every) {
    context.textAlign = "center"; context.fillText(String(cell * per), left + (cell + 0.5) * side, top - 9);
    context.textAlign = "right"; context.fillText(String(cell * per), left - 6, top + (cell + 0.5) * side);
  }
  context.textAlign = "left"; context.fillText("to rank", left, 12);
  context.fillText("from", 6, top - 9);
}

// Tables that the report brings with it: texts in rows.
function showTables(tables) {
  const section = byId("tables");
  section.hidden = tables.length === 0;
  for (const table of tables) {
    const rows = element("table");
    rows.append(row(table.header, "th"));
    for (const cells of table.rows) rows.append(row(cells));
    const wide = element("div.wide");
    wide.append(rows);
    section.append(element("h2", table.title), wide);
    if (table.note) section.append(element("p.note", table.note));
  }
}
