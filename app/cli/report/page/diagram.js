// The space-time diagram: a lane for each rank, calls as bars, messages as arrows. If bars would be narrower than a
// pixel, columns show by colour the share of time of each kind of activity. Too many arrows are thinned.
const gutter = 74, axis_height = 26, bars_max = 3000, arrows_max = 2500, ordered_max = 200000, bin_width = 3;

class Diagram {
  constructor(canvas, tip, note) {
    this.canvas = canvas; this.tip = tip; this.note = note;
    this.selected = none; this.hit_kinds = null; this.wanted = false;
    this.on_select = () => {}; this.on_view = () => {};
    this.listen();
  }

  show(recording, axis) {
    this.recording = recording;
    this.sums = null; this.levels = null; this.groups = null; this.selected = none; this.top = 0;
    this.set_axis(axis);
  }

  // Positions: dates, or places in an order that is consistent with every message and every rank.
  set_axis(axis) {
    const r = this.recording;
    if (axis === "order" && r.count > ordered_max) axis = "time";
    this.axis = axis;
    if (axis === "order") {
      if (!this.levels) this.levels = orderLevels(r);
      ({ x0: this.x0, x1: this.x1, m0: this.m0, m1: this.m1 } = this.levels);
    } else {
      this.x0 = r.begin; this.x1 = r.end_of; this.m0 = r.sent; this.m1 = r.arrived;
    }
    this.sums = null;
    this.end = axis === "order" ? this.levels.end : Math.max(r.end, 1);
    this.blocks = messageBlocks(this.m0, this.m1);
    this.show_all();
  }

  show_all() { this.set_view(-0.01 * this.end, 1.02 * this.end); }
  set_view(from, to) {
    const least = this.axis === "order" ? 4 : 10;
    const width = Math.min(Math.max(to - from, least), 1.2 * this.end);
    const middle = (from + to) / 2;
    this.from = Math.max(Math.min(middle - width / 2, this.end * 1.05 - width), -0.05 * this.end);
    this.to = this.from + width;
    this.redraw();
    this.on_view();
  }
  zoom(factor, at = (this.from + this.to) / 2) {
    this.set_view(at - (at - this.from) / factor, at + (this.to - at) / factor);
  }
  pan(part) { const by = (this.to - this.from) * part; this.set_view(this.from + by, this.to + by); }
  reveal(i) {
    const width = this.to - this.from, middle = (this.x0[i] + this.x1[i]) / 2;
    if (this.x0[i] < this.from || Math.min(this.x1[i], this.x0[i] + width / 2) > this.to)
      this.set_view(middle - width / 2, middle + width / 2);
    const lane = this.recording.rank[i] * this.lane;
    if (lane < this.top || lane + this.lane > this.top + this.room) this.scroll_to(lane - this.room / 2);
    this.redraw();
  }
  scroll_to(top) {
    this.top = Math.max(0, Math.min(top, this.recording.ranks * this.lane - this.room));
    this.redraw();
  }
  select(i) { this.selected = i; if (i !== none) this.reveal(i); else this.redraw(); }

  x_of(position) { return gutter + (position - this.from) / (this.to - this.from) * (this.width - gutter); }
  position_of(x) { return this.from + (x - gutter) / (this.width - gutter) * (this.to - this.from); }
  y_of(rank) { return axis_height + rank * this.lane - this.top; }

  redraw() {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => { this.wanted = false; this.draw(); });
  }

  draw() {
    if (!this.recording) return;
    const ranks = this.recording.ranks;
    this.lane = Math.max(9, Math.min(58, Math.floor(560 / ranks)));
    const height = Math.min(ranks * this.lane, 620) + axis_height + 8;
    this.canvas.style.height = height + "px";
    const { context, width } = prepare(this.canvas);
    this.width = width; this.room = height - axis_height - 8; this.colours = palette();
    this.top = Math.max(0, Math.min(this.top, ranks * this.lane - this.room));
    context.fillStyle = this.colours.paper;
    context.fillRect(0, 0, width, height);
    this.hatched = hatching(context, this.colours);
    this.draw_axis(context, height);
    context.save();
    context.beginPath();
    context.rect(gutter, axis_height, width - gutter, height - axis_height);
    context.clip();
    this.binned = 0; this.bars = 0;
    const first = Math.max(0, Math.floor(this.top / this.lane));
    const last = Math.min(ranks, Math.ceil((this.top + this.room) / this.lane) + 1);
    for (let rank = first; rank < last; ++rank) this.draw_lane(context, rank);
    this.draw_collectives(context);
    this.draw_inner_messages(context, first, last);
    this.draw_messages(context, first, last);
    this.draw_selected(context);
    context.restore();
    this.draw_names(context, first, last);
    this.notify();
  }

  draw_axis(context, height) {
    if (this.axis === "order") return;
    const c = this.colours, step = axisStep(this.to - this.from, this.width / 130);
    context.strokeStyle = c.line; context.fillStyle = c.soft; context.textAlign = "center"; context.lineWidth = 1;
    for (let at = Math.ceil(Math.max(this.from, 0) / step) * step; at <= Math.min(this.to, this.end * 1.02); at += step) {
      const x = Math.round(this.x_of(at)) + 0.5;
      context.beginPath(); context.moveTo(x, axis_height - 5); context.lineTo(x, height); context.stroke();
      context.fillText(seconds(Math.round(at)), x, 11);
    }
  }

  draw_names(context, first, last) {
    const c = this.colours, stride = Math.max(1, Math.ceil(14 / this.lane));
    context.fillStyle = c.paper; context.fillRect(0, axis_height, gutter - 2, this.room + 8);
    context.textAlign = "right";
    for (let rank = first; rank < last; ++rank) {
      if (rank % stride) continue;
      const y = this.y_of(rank) + this.lane / 2;
      if (y < axis_height + 4) continue;
      const state = this.recording.stops[rank].state;
      context.fillStyle = state === "ended" ? c.ink : c.bad;
      context.fillText(this.recording.lane_name(rank), gutter - 8, y, gutter - 10);
    }
  }

  // The visible intervals of a rank.
  visible(rank) {
    const r = this.recording, from = r.first[rank], to = r.first[rank + 1];
    return [bisect(this.x1, this.from, from, to, true), bisect(this.x0, this.to, from, to, false)];
  }

  draw_lane(context, rank) {
    const c = this.colours, y = this.y_of(rank), high = this.lane > 12 ? this.lane - 6 : this.lane - 2;
    context.fillStyle = c.line;
    context.fillRect(gutter, Math.round(y + this.lane / 2), this.width - gutter, 1);
    const [low, end] = this.visible(rank);
    const top = y + (this.lane - high) / 2;
    if (end - low > Math.min(bars_max, (this.width - gutter) / 3)) return this.draw_bins(context, rank, low, end, top, high);
    this.bars += Math.max(0, end - low);
    for (let i = low; i < end; ++i) this.draw_bar(context, i, top, high);
    this.draw_failure(context, rank, y + this.lane / 2, Math.min(high / 2, 8));
  }

  // A cross where the rank has failed.
  draw_failure(context, rank, y, size) {
    const r = this.recording, stop = r.stops[rank], last = r.first[rank + 1] - 1;
    if (stop.state !== "failed" || (this.axis !== "time" && last < r.first[rank])) return;
    const x = this.x_of(this.axis === "time" ? stop.time : this.x1[last]);
    if (x < gutter) return;
    context.strokeStyle = this.colours.bad; context.lineWidth = 3;
    around(context, this.colours.paper, () => {
      context.beginPath();
      context.moveTo(x - size, y - size); context.lineTo(x + size, y + size);
      context.moveTo(x - size, y + size); context.lineTo(x + size, y - size);
      context.stroke();
    });
  }

  draw_bar(context, i, top, high) {
    const r = this.recording, c = this.colours, is_open = r.is_open.has(i);
    if (this.axis === "order" && !r.is_call(i)) return;
    const x = Math.max(this.x_of(this.x0[i]), gutter - 2);
    const wide = Math.max(Math.min(this.x_of(this.x1[i]), this.width + 2) - x, 1.5);
    const is_dim = this.hit_kinds && !this.hit_kinds[r.kind[i]];
    context.globalAlpha = is_dim ? 0.18 : 1;
    context.fillStyle = is_open ? this.hatched : c.doings[r.doing(i)];
    const low = r.is_call(i) ? 0 : high * 0.25;
    context.fillRect(x, top + low, wide, high - 2 * low);
    if (is_open) { context.strokeStyle = c.bad; context.lineWidth = 2; context.strokeRect(x + 1, top + 1, wide - 2, high - 2); }
    else if (wide > 4) { context.strokeStyle = c.paper; context.lineWidth = 1; context.strokeRect(x + 0.5, top + low + 0.5, wide - 1, high - 2 * low - 1); }
    if (wide > 46 && high >= 13 && r.is_call(i)) {
      context.textAlign = "left";
      const text = fitted(context, r.function_name(i), wide - 12);
      if (is_open && text) { context.fillStyle = c.paper; context.fillRect(x + 4, top + high / 2 - 8, context.measureText(text).width + 6, 16); }
      context.fillStyle = is_open ? c.bad : c.on_doings[r.doing(i)];
      context.fillText(text, x + 7, top + high / 2 + 0.5);
    }
    context.globalAlpha = 1;
  }

  // Columns of a few pixels, with the share of time of each kind of activity.
  draw_bins(context, rank, low, end, top, high) {
    const sums = this.sums || (this.sums = timeSums(this)), c = this.colours;
    const step = (this.to - this.from) / (this.width - gutter) * bin_width, doings = sums.length;
    this.binned += end - low;
    let i = low;
    for (let x = gutter, at = this.from; x < this.width && i < end; x += bin_width, at += step) {
      const next = bisect(this.x0, at + step, i, end, true);
      if (next <= i) continue;
      let y = top + high, total = 0;
      const parts = [];
      for (let d = 0; d < doings; ++d) {
        const part = sums[d] ? (sums[d][next] - sums[d][i]) / step : 0;
        parts.push(part); total += part;
      }
      const scale = high / Math.max(total, 1);
      for (let d = 0; d < doings; ++d) {
        if (parts[d] <= 0) continue;
        context.fillStyle = c.doings[d];
        y -= parts[d] * scale;
        context.fillRect(x, y, bin_width, parts[d] * scale + 0.5);
      }
      if (total === 0) { context.fillStyle = c.doings[this.recording.doing(i)]; context.fillRect(x, top + high / 2, bin_width, 2); }
      i = next;
    }
  }

  draw_messages(context, first, last) {
    const r = this.recording, c = this.colours, seen = [];
    const in_sight = (m) => {
      const source = r.rank[r.sender[m]], destination = r.destination(m);
      return Math.max(source, destination) >= first && Math.min(source, destination) < last;
    };
    const { from, to } = this, blocks = this.blocks.filter((block) => block.from <= to && block.to >= from);
    this.thinned = Math.max(1, Math.ceil(blocks.length * block_messages / (2 * arrows_max)));
    for (const block of blocks)
      for (let m = block.first; m < block.end; m += this.thinned)
        if (this.m0[m] <= to && this.m1[m] >= from && in_sight(m)) seen.push(m);
    if (seen.length > arrows_max) this.thinned *= 2;
    const stride = seen.length > arrows_max ? 2 : 1, is_sparse = this.thinned === 1 && seen.length < 600;
    context.globalAlpha = this.thinned > 1 ? 0.25 : seen.length > 300 ? 0.5 : 0.85;
    for (let k = 0; k < seen.length; k += stride) this.draw_message(context, seen[k], c, is_sparse);
    if (this.thinned > 1) for (const m of r.lost) if (this.m0[m] <= to && in_sight(m)) this.draw_message(context, m, c, false);
    this.arrows = Math.ceil(seen.length / stride);
    context.globalAlpha = 1;
  }

  draw_message(context, m, c, has_head) {
    const r = this.recording, is_lost = r.receiver[m] === none;
    let x0 = this.x_of(this.m0[m]), x1 = this.x_of(this.m1[m]);
    const y0 = this.y_of(r.rank[r.sender[m]]) + this.lane / 2;
    let y1 = this.y_of(r.destination(m)) + this.lane / 2;
    context.lineWidth = is_lost ? 2.2 : 1.2;
    context.strokeStyle = context.fillStyle = is_lost ? c.bad : c.arrow;
    if (is_lost) { x1 = Math.min(x1, x0 + 34); y1 = y0 + (y1 - y0) * 0.4; context.setLineDash([4, 3]); context.globalAlpha = 1; }
    const line = () => { context.beginPath(); context.moveTo(x0, y0); context.lineTo(x1, y1); context.stroke(); };
    if (is_lost || has_head) around(context, c.paper, line); else line();
    context.setLineDash([]);
    if (is_lost) {
      around(context, c.paper, () => {
        context.beginPath();
        for (const way of [-1, 1]) { context.moveTo(x1 - 5, y1 - 5 * way); context.lineTo(x1 + 5, y1 + 5 * way); }
        context.stroke();
      });
    } else if (has_head) {
      arrowHead(context, x1, y1, Math.atan2(y1 - y0, x1 - x0));
    }
  }

  // Messages inside collectives, if they are few. They have only dates, and no place in the order of calls.
  draw_inner_messages(context, first, last) {
    const { sent, flight, from, to } = this.recording.inner, seen = [];
    this.inner = this.inner_hidden = 0;
    if (this.axis === "order") return;
    for (let m = 0; m < sent.length; ++m)
      if (sent[m] <= this.to && sent[m] + flight[m] >= this.from && Math.max(from[m], to[m]) >= first && Math.min(from[m], to[m]) < last) seen.push(m);
    if (seen.length > arrows_max / 2) { this.inner_hidden = seen.length; return; }
    this.inner = seen.length;
    context.strokeStyle = context.fillStyle = this.colours.arrow; context.lineWidth = 1;
    context.globalAlpha = seen.length > 300 ? 0.35 : 0.7;
    for (const m of seen) {
      const x0 = this.x_of(sent[m]), x1 = this.x_of(sent[m] + flight[m]);
      const y0 = this.y_of(from[m]) + this.lane / 2, y1 = this.y_of(to[m]) + this.lane / 2;
      context.setLineDash([5, 3]);
      context.beginPath(); context.moveTo(x0, y0); context.lineTo(x1, y1); context.stroke();
      context.setLineDash([]);
      if (seen.length < 300) arrowHead(context, x1, y1, Math.atan2(y1 - y0, x1 - x0));
    }
    context.globalAlpha = 1;
  }

  draw_collectives(context) {
    const r = this.recording, groups = this.groups || (this.groups = collectiveGroups(r)), c = this.colours;
    const in_sight = groups.filter((group) => group.length > 1 && group.some((i) => this.x1[i] >= this.from && this.x0[i] <= this.to));
    if (in_sight.length > 60) return;
    context.strokeStyle = c.doings[8]; context.lineWidth = 1.5; context.setLineDash([2, 3]);
    for (const group of in_sight) {
      context.beginPath();
      for (const i of group) context.lineTo(this.x_of(this.x0[i]) + 3, this.y_of(r.rank[i]) + this.lane / 2);
      context.stroke();
    }
    context.setLineDash([]);
  }

  draw_selected(context) {
    if (this.selected === none) return;
    const i = this.selected, x = this.x_of(this.x0[i]), y = this.y_of(this.recording.rank[i]);
    context.strokeStyle = this.colours.ink; context.lineWidth = 2.5;
    context.strokeRect(x - 1, y + 1, Math.max(this.x_of(this.x1[i]) - x, 2) + 2, this.lane - 2);
  }

  notify() {
    const parts = [];
    if (this.binned) parts.push(withCommas(this.binned) + " bars are shown as columns of their shares of time; zoom in to see each");
    if (this.thinned > 1) parts.push("one of " + withCommas(this.thinned) + " messages is drawn");
    if (this.inner_hidden) parts.push("messages inside collectives are drawn when you zoom in");
    const more = this.recording.passages_more, { sent, flight } = this.recording.inner, last = sent.length - 1;
    if (more && this.axis === "time" && this.to > sent[last] + flight[last])
      parts.push("those after " + seconds(sent[last] + flight[last]) + " (" + withCommas(more) + ") are not in this file");
    if (this.axis === "order") parts.push("axis: an order of the calls that is consistent with all messages; distances have no meaning");
    this.note.textContent = parts.join(". ") + (parts.length ? "." : "");
  }

  // The interval at a point, or none.
  at(x, y) {
    const r = this.recording, rank = Math.floor((y - axis_height + this.top) / this.lane);
    if (!r || x < gutter || y < axis_height || rank < 0 || rank >= r.ranks) return none;
    const slack = 3 * (this.to - this.from) / this.width, position = this.position_of(x);
    const first = bisect(this.x1, position - slack, r.first[rank], r.first[rank + 1], true);
    let best = none, least = Infinity;
    for (let i = first; i < r.first[rank + 1] && this.x0[i] <= position + slack && i < first + 200; ++i) {
      if (this.axis === "order" && !r.is_call(i)) continue;
      const distance = Math.max(0, this.x0[i] - position, position - this.x1[i]);
      if (distance < least) { least = distance; best = i; }
    }
    return best;
  }

  listen() {
    const canvas = this.canvas;
    let drag = null;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.shiftKey) this.scroll_to(this.top + event.deltaY + event.deltaX);
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.pan(event.deltaX / 1000);
      else this.zoom(Math.exp(-event.deltaY / 300), this.position_of(Math.max(event.offsetX, gutter)));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      drag = { x: event.offsetX, y: event.offsetY, from: this.from, to: this.to, top: this.top, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (drag) {
        const by = (event.offsetX - drag.x) / (this.width - gutter) * (drag.to - drag.from);
        drag.moved = drag.moved || Math.hypot(event.offsetX - drag.x, event.offsetY - drag.y) > 3;
        if (!drag.moved) return;
        this.tip.hidden = true;
        this.set_view(drag.from - by, drag.to - by);
        this.scroll_to(drag.top - (event.offsetY - drag.y));
      } else {
        this.hover(event.offsetX, event.offsetY);
      }
    });
    canvas.addEventListener("pointerup", (event) => {
      if (drag && !drag.moved) this.on_select(this.at(event.offsetX, event.offsetY));
      drag = null;
    });
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
  }

  hover(x, y) {
    const i = this.at(x, y), r = this.recording;
    if (i === none) { this.tip.hidden = true; return; }
    const place = r.place(i), times = r.times_of.get(i);
    showTip(this.tip, this.canvas, x, y, [
      r.text(i), place.file && place.file + ":" + place.line + " in " + place.function, r.region(i) && "region " + r.region(i),
      times && times + " times", r.is_open.has(i) ? "from " + seconds(r.begin[i]) + ", forever"
        : seconds(r.end_of[i] - r.begin[i]) + ", from " + seconds(r.begin[i]) + " to " + seconds(r.end_of[i])]);
  }
}

// For each kind of activity, prefix sums of its time over the intervals.
function timeSums(diagram) {
  const r = diagram.recording, sums = [];
  for (const doing of new Set(r.doing_of_kind)) sums[doing] = new Float64Array(r.count + 1);
  for (let i = 0; i < r.count; ++i) {
    const length = diagram.x1[i] - diagram.x0[i], doing = r.doing(i);
    sums[doing][i + 1] = length;
  }
  for (const sum of sums) if (sum) for (let i = 0; i < r.count; ++i) sum[i + 1] += sum[i];
  return Array.from(sums);
}

// Messages in blocks that can be skipped as a whole.
const block_messages = 512;
function messageBlocks(m0, m1) {
  const blocks = [];
  for (let first = 0; first < m0.length; first += block_messages) {
    const block = { first, end: Math.min(first + block_messages, m0.length), from: Infinity, to: -Infinity };
    for (let m = block.first; m < block.end; ++m) {
      if (m0[m] < block.from) block.from = m0[m];
      if (m1[m] > block.to) block.to = m1[m];
    }
    blocks.push(block);
  }
  return blocks;
}

function collectiveGroups(r) {
  const groups = r.collectives.map(() => []);
  if (r.collective.length) for (let i = 0; i < r.count; ++i) if (r.collective[i] !== none) groups[r.collective[i]].push(i);
  return groups;
}

// The interval at which a message ends: the first one at its destination that ends after its arrival.
function receivingInterval(r, m) {
  const rank = r.destination(m);
  const at = bisect(r.end_of, r.arrived[m], r.first[rank], r.first[rank + 1], true);
  return Math.min(Math.max(at, r.receiver[m]), r.first[rank + 1] - 1);
}

// Numbers the begins and ends of intervals. Each has a larger number than the previous one of its rank, and the end of a
// receive has a larger number than the begin of its send. Kahn's algorithm; the dates prove that there are no cycles.
function orderLevels(r) {
  const nodes = 2 * r.count, level = new Float64Array(nodes), waits = new Uint8Array(nodes), into = new Map();
  const calls = Uint32Array.from({ length: r.count }, (_, i) => i);
  for (const i of calls) waits[2 * i + 1] = 1;
  for (let rank = 0; rank < r.ranks; ++rank)
    for (let i = r.first[rank] + 1; i < r.first[rank + 1]; ++i) waits[2 * i] = 1;
  const ends = new Uint32Array(r.messages).fill(none), pending = new Uint32Array(nodes);
  for (let m = 0; m < r.messages; ++m) {
    if (r.receiver[m] === none) continue;
    ends[m] = receivingInterval(r, m);
    const node = 2 * r.sender[m];
    if (!into.has(node)) into.set(node, []);
    into.get(node).push(2 * ends[m] + 1);
    ++pending[2 * ends[m] + 1];
  }
  for (let n = 0; n < nodes; ++n) pending[n] += waits[n];
  const ready = [];
  for (let n = 0; n < nodes; ++n) if (pending[n] === 0) ready.push(n);
  const relax = (n, at) => { if (at > level[n]) level[n] = at; if (--pending[n] === 0) ready.push(n); };
  while (ready.length) {
    const n = ready.pop(), i = n >> 1;
    const own = r.is_call(i) ? 1 : 0;
    if (n % 2 === 0) {
      relax(n + 1, level[n] + own);
      for (const other of into.get(n) || []) relax(other, level[n] + 1);
    } else if (i + 1 < r.first[r.rank[i] + 1]) {
      relax(n + 1, level[n] + (own ? 0.25 : 0));
    }
  }
  const x0 = new Float64Array(r.count), x1 = new Float64Array(r.count);
  let end = 1;
  for (const i of calls) { x0[i] = level[2 * i]; x1[i] = level[2 * i + 1]; end = Math.max(end, x1[i]); }
  for (const i of r.is_open) x1[i] = end;
  const m0 = new Float64Array(r.messages), m1 = new Float64Array(r.messages);
  for (let m = 0; m < r.messages; ++m) {
    m0[m] = x0[r.sender[m]] + 0.3;
    m1[m] = ends[m] === none ? end : Math.max(m0[m] + 0.4, x1[ends[m]] - 0.3);
    if (r.is_open.has(ends[m])) m1[m] = m0[m] + 0.7;
  }
  return { x0, x1, m0, m1, end };
}
