// Reads the data in the page: the report, sources, and recordings with their columns.
function readJson(id) { return JSON.parse(document.getElementById(id).textContent); }

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

const none = 0xffffffff;

class Recording {
  constructor(index) {
    const name = "recording-" + index;
    Object.assign(this, readJson(name));
    const column = (what, Type) => new Type(bytesOf(document.getElementById(name + "-" + what).textContent));
    this.index = index;
    this.first = column("first", Uint32Array);
    this.begin = column("begin", Float64Array);
    const duration = column("duration", Float32Array);
    this.kind = column("kind", Uint32Array);
    this.collective = column("collective", Uint32Array);
    this.sender = column("sender", Uint32Array);
    this.receiver = column("receiver", Uint32Array);
    this.envelope = column("envelope", Uint32Array);
    this.sent = column("sent", Float64Array);
    const flight = column("flight", Float32Array);
    // The first messages inside collectives, in the order of arrival.
    this.inner = { from: column("inner_from", Uint32Array), to: column("inner_to", Uint32Array),
      sent: column("inner_sent", Float64Array), flight: column("inner_flight", Float32Array) };
    this.ranks = this.stops.length;
    this.count = this.begin.length;
    this.messages = this.sent.length;
    this.end_of = this.ends_from(duration);
    this.rank = new Uint32Array(this.count);
    for (let r = 0; r < this.ranks; ++r) this.rank.fill(r, this.first[r], this.first[r + 1]);
    this.arrived = new Float64Array(this.messages);
    for (let m = 0; m < this.messages; ++m) this.arrived[m] = this.sent[m] + flight[m];
    this.is_open = new Set(this.open);
    this.times_of = new Map(this.repeated.map((interval, i) => [interval, this.times[i]]));
    this.lost = [];
    for (let m = 0; m < this.messages && this.lost.length < 1000; ++m) if (this.receiver[m] === none) this.lost.push(m);
    // Categories by kind, so that drawing needs no look-up of names.
    this.doing_of_kind = Uint8Array.from(this.kinds, (row) => row[3]);
  }

  lane_name(rank) { return this.lanes.length > 0 ? this.lanes[rank] : "rank " + rank; }

  // Durations are rounded. An interval that ends at the begin of the next one of its rank, or at the end of the run, gets
  // exactly that date; otherwise the order of dates would differ from the order of events.
  ends_from(duration) {
    const ends = new Float64Array(this.count), rounding = 2 ** -23;
    for (let rank = 0; rank < this.ranks; ++rank)
      for (let i = this.first[rank]; i < this.first[rank + 1]; ++i) {
        const end = this.begin[i] + duration[i];
        const known = i + 1 < this.first[rank + 1] ? this.begin[i + 1] : this.end;
        ends[i] = Math.abs(end - known) <= duration[i] * rounding ? known : end;
      }
    for (const i of this.open) ends[i] = this.end;
    return ends;
  }

  doing(i) { return this.doing_of_kind[this.kind[i]]; }
  text(i) { return this.texts[this.kinds[this.kind[i]][0]] || this.doings[this.doing(i)]; }
  region(i) { return this.texts[this.kinds[this.kind[i]][2]]; }
  function_of_kind(k) {
    const text = this.texts[this.kinds[k][0]] || this.doings[this.kinds[k][3]];
    const at = text.indexOf("(");
    return at < 0 ? text : text.slice(0, at);
  }
  function_name(i) { return this.function_of_kind(this.kind[i]); }
  place(i) {
    const [name, file, line] = this.places[this.kinds[this.kind[i]][1]];
    return { function: this.texts[name], file: this.texts[file], line };
  }
  destination(m) { return this.envelopes[this.envelope[m]][0]; }
  tag(m) { return this.envelopes[this.envelope[m]][1]; }
  bytes(m) { return this.envelopes[this.envelope[m]][3]; }
  is_call(i) { const doing = this.doing(i); return doing !== 0 && doing !== 1; }
}

// The first index in [from, to) whose key is greater than (or, with `or_equal`, at least) the value; `to` if there is none.
function bisect(keys, value, from, to, or_equal) {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (or_equal ? keys[middle] >= value : keys[middle] > value) to = middle; else from = middle + 1;
  }
  return from;
}
