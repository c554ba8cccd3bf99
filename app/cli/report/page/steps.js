// Steps through the calls in the order of their ends, and shows the call of each rank at that date.
const stands_max = 12, excerpts_max = 4;

class Steps {
  constructor(diagram, text, stands, sources) {
    this.diagram = diagram; this.text = text; this.stands = stands; this.sources = sources; this.at = -1;
  }

  show(recording) {
    this.recording = recording; this.order = null; this.at = -1;
    this.stands.replaceChildren();
    this.text.textContent = "step through the calls with the arrow keys, or click on one";
  }

  // Made on demand, because sorting a million numbers takes a second.
  ordered() {
    if (this.order) return this.order;
    const r = this.recording, calls = [];
    for (let i = 0; i < r.count; ++i) if (r.is_call(i)) calls.push(i);
    this.order = Uint32Array.from(calls).sort((a, b) =>
      r.end_of[a] - r.end_of[b] || r.begin[a] - r.begin[b] || r.rank[a] - r.rank[b] || a - b);
    return this.order;
  }

  by(count) {
    const length = this.ordered().length;
    if (length) this.go(this.at < 0 ? (count > 0 ? 0 : length - 1) : Math.max(0, Math.min(length - 1, this.at + count)));
  }
  first() { if (this.ordered().length) this.go(0); }
  last() { this.go(this.ordered().length - 1); }
  go_to_interval(i) {
    if (i === none) return;
    if (!this.recording.is_call(i)) { this.diagram.select(i); return; }
    this.go(this.ordered().indexOf(i));
  }

  go(at) {
    const r = this.recording, i = this.ordered()[at];
    this.at = at;
    this.diagram.select(i);
    this.text.textContent = "step " + withCommas(at + 1) + " of " + withCommas(this.order.length) + ": " + r.lane_name(r.rank[i]) +
      (r.is_open.has(i) ? " is in " : " ends ") + r.function_name(i) + " at " + seconds(r.end_of[i]);
    this.show_stands(i, r.end_of[i]);
  }

  // The call of each rank at that date, or its last one before.
  stand(rank, date) {
    const r = this.recording;
    let i = bisect(r.begin, date, r.first[rank], r.first[rank + 1], false) - 1;
    while (i >= r.first[rank] && !r.is_call(i)) --i;
    return i >= r.first[rank] ? i : none;
  }

  show_stands(current, date) {
    const r = this.recording, others = [];
    for (let rank = 0; rank < r.ranks && others.length + 1 < stands_max; ++rank) if (rank !== r.rank[current]) others.push(rank);
    const ranks = [r.rank[current], ...others].sort((a, b) => a - b);
    const table = element("table", row([r.lanes.length > 0 ? "actor" : "rank", "call", "place"], "th"));
    const places = [];
    for (const rank of ranks) {
      const i = rank === r.rank[current] ? current : this.stand(rank, date);
      if (i === none) continue;
      const place = r.place(i), is_over = r.end_of[i] < date || (i !== current && r.end_of[i] <= date && !r.is_open.has(i));
      const line = row([r.lanes.length > 0 ? r.lanes[rank] : String(rank), element("code", (is_over ? "after " : "in ") + r.text(i)),
                        place.file ? place.file + ":" + place.line + " in " + place.function : ""]);
      if (i === current) line.className = "now";
      table.append(line);
      if (place.file) places.push({ rank: r.lanes.length > 0 ? r.lanes[rank] : rank, place, is_now: i === current });
    }
    this.stands.replaceChildren(element("div.wide", table), placesWithSource(places, this.sources));
    if (ranks.length < r.ranks)
      this.stands.append(element("p.note", "and " + counted(r.ranks - ranks.length, "more rank")));
  }
}

// One excerpt for each line, with the ranks at this line; the current one first.
function placesWithSource(places, sources) {
  const box = element("div.places"), by_line = new Map();
  for (const one of places) {
    const key = one.place.file + ":" + one.place.line;
    if (!by_line.has(key)) by_line.set(key, { place: one.place, ranks: [], is_now: false });
    by_line.get(key).ranks.push(one.rank);
    by_line.get(key).is_now ||= one.is_now;
  }
  const sorted = [...by_line.values()].sort((a, b) => b.is_now - a.is_now).slice(0, excerpts_max);
  if (by_line.size > excerpts_max)
    box.append(element("p.note", excerpts_max + " of " + counted(by_line.size, "place") + " are shown"));
  for (const { place, ranks, is_now } of sorted) {
    const title = (typeof ranks[0] === "string" ? "" : ranks.length === 1 ? "rank " : "ranks ") + ranks.slice(0, 8).join(", ") + (ranks.length > 8 ? "..." : "");
    box.append(element("div.place", element("header", element(is_now ? "b" : "span", title), " at ",
      element("code", place.file + ":" + place.line)), sourceExcerpt(sources, place.file, [place.line], 2)));
  }
  return box;
}
