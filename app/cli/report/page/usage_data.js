// The use of hosts and links by slice of time and category.

// Rows of slices. `sums` has the sum of each row up to and with each used slice, in units of total / 2^30.
class UseRows {
  constructor(column, kind, subjects) {
    this.subject = column(kind + "_subject", Uint32Array);
    this.category = column(kind + "_category", Uint32Array);
    this.total = column(kind + "_total", Float64Array);
    this.count = this.subject.length;
    this.subjects = subjects;
    this.decode(new Uint8Array(column(kind + "_cells", Uint8Array)));
    this.unit = Float64Array.from(this.total, (total) => total / 2 ** 30);
  }

  decode(bytes) {
    const sums = new Uint32Array(bytes.length), slices = new Uint32Array(bytes.length);
    this.offset = new Uint32Array(this.count + 1);
    this.first = new Uint32Array(this.count);
    this.is_dense = new Uint8Array(this.count);  // one run
    let at = 0, cell = 0;
    const number = () => {
      let value = bytes[at++];
      if (value < 128) return value;
      value &= 127;
      for (let shift = 128; ; shift *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * shift;
        if (byte < 128) return value;
      }
    };
    for (let row = 0; row < this.count; ++row) {
      const runs = number();
      let slice = 0, sum = 0;
      for (let run = 0; run < runs; ++run) {
        slice += number();
        if (run === 0) this.first[row] = slice;
        for (let left = number(); left > 0; --left) {
          sum += number();
          slices[cell] = slice++;
          sums[cell++] = sum;
        }
      }
      this.is_dense[row] = runs === 1 ? 1 : 0;
      this.offset[row + 1] = cell;
    }
    this.sums = sums.slice(0, cell);
    this.slices = slices.slice(0, cell);
  }

  // The sum of a row before the slice, in units; a part of a slice counts in proportion.
  before(row, slice) {
    const whole = Math.floor(slice), begin = this.offset[row], end = this.offset[row + 1];
    let at;  // the first cell from `whole` on
    if (this.is_dense[row]) at = begin + Math.min(Math.max(whole - this.first[row], 0), end - begin);
    else at = bisect(this.slices, whole, begin, end, true);
    const sum = at === begin ? 0 : this.sums[at - 1];
    const part = slice - whole;
    if (part === 0 || at === end || this.slices[at] !== whole) return sum;
    return sum + part * (this.sums[at] - sum);
  }

  // Adds the use between two slices to into[subject * categories + number of the category].
  add(from, to, categories, number_of, into) {
    for (let row = 0; row < this.count; ++row) {
      const sum = this.before(row, to) - this.before(row, from);
      if (sum > 0) into[this.subject[row] * categories + number_of[this.category[row]]] += sum * this.unit[row];
    }
  }
}

class Usage {
  constructor(index) {
    const name = "usage-" + index;
    Object.assign(this, readJson(name));
    this.index = index;
    const column = (what, Type) => {
      const place = document.getElementById(name + "-" + what);
      const made = new Type(bytesOf(place.textContent));
      place.remove();  // it is not needed twice
      return made;
    };
    this.host_zone = column("host_zone", Uint32Array);
    this.host_speed = column("host_speed", Float64Array);
    this.link_speed = column("link_speed", Float64Array);
    this.node_zone = column("node_zone", Uint32Array);
    this.wires = column("wires", Uint32Array);  // from, to, end of the links
    this.wire_links = column("wire_links", Uint32Array);
    this.of_hosts = new UseRows(column, "host", this.hosts.length);
    this.of_links = new UseRows(column, "link", this.links.length);
    this.zone_names = this.zones.map((zone) => zone[0]);
    this.parent = Int32Array.from(this.zones, (zone) => zone[1]);
    this.root = 0;
    this.inside = this.zones.map(() => []);
    this.hosts_in = this.zones.map(() => []);
    this.depth = new Uint32Array(this.zones.length);
    for (let zone = 0; zone < this.zones.length; ++zone) {
      if (this.parent[zone] < 0) continue;
      this.inside[this.parent[zone]].push(zone);
      this.depth[zone] = this.depth[this.parent[zone]] + 1;
    }
    for (let host = 0; host < this.hosts.length; ++host) this.hosts_in[this.host_zone[host]].push(host);
    this.zone_speed = this.zone_sums(this.host_speed);
    this.zone_hosts = this.zone_sums(new Float64Array(this.hosts.length).fill(1));
    this.link_number = new Map(this.links.map((link, i) => [link, i]));
    this.node_link = Int32Array.from(this.nodes, (node) => node !== "" && this.link_number.has(node)
      ? this.link_number.get(node) : -1);
  }

  // Of values by host: the sums by zone.
  zone_sums(values) {
    const sums = new Float64Array(this.zones.length);
    for (let host = 0; host < values.length; ++host) sums[this.host_zone[host]] += values[host];
    for (let zone = this.zones.length - 1; zone > 0; --zone)
      if (this.parent[zone] >= 0) sums[this.parent[zone]] += sums[zone];
    return sums;
  }

  path(zone) {
    const names = [];
    for (let at = zone; at >= 0; at = this.parent[at]) names.unshift(this.zone_names[at]);
    return names.join("/");
  }
  // The name of a host, or what follows the name of its zone in it; the longer one that fits, or nothing.
  short_name(host, fits) {
    const name = this.hosts[host], zone = this.zone_names[this.host_zone[host]];
    if (fits(name)) return name;
    let same = 0;
    while (same < name.length && name[same] === zone[same]) ++same;
    const rest = name.slice(same).replace(/^[-_. ]+/, "");
    return rest !== "" && rest !== name && fits(rest) ? rest : "";
  }

  // The sums of a zone's hosts by slice, of the chosen categories: [slice * categories + category].
  over_time(zone, categories, number_of, shown) {
    const sums = new Float64Array(this.slices * categories), rows = this.of_hosts;
    const is_inside = this.zones.map((each, i) => this.is_in(i, zone));
    for (let row = 0; row < rows.count; ++row) {
      const category = number_of[rows.category[row]];
      if (!shown[category] || !is_inside[this.host_zone[rows.subject[row]]]) continue;
      for (let cell = rows.offset[row], before = 0; cell < rows.offset[row + 1]; ++cell) {
        sums[rows.slices[cell] * categories + category] += (rows.sums[cell] - before) * rows.unit[row];
        before = rows.sums[cell];
      }
    }
    return sums;
  }
  is_in(zone, outer) {
    for (let at = zone; at >= 0; at = this.parent[at]) if (at === outer) return true;
    return false;
  }
}

// The use of one run in a time window, of the chosen categories.
class Frame {
  constructor(usage, categories) {
    this.usage = usage;
    this.categories = categories;  // names
    this.number_of = Uint32Array.from(usage.categories, (name) => categories.indexOf(name));
    const count = categories.length;
    this.hosts = new Float64Array(usage.hosts.length * count);
    this.links = new Float64Array(usage.links.length * count);
    this.zones = new Float64Array(usage.zones.length * count);
    this.host_sum = new Float64Array(usage.hosts.length);
    this.link_sum = new Float64Array(usage.links.length);
    this.zone_sum = new Float64Array(usage.zones.length);
    this.seconds = 0;
  }

  // `from` and `to`: slices of this run, which may have parts; `shown`: by category.
  set(from, to, shown) {
    const usage = this.usage, count = this.categories.length;
    this.from = from;
    this.to = to;
    this.seconds = (to - from) * usage.slice * 1e-12;
    this.hosts.fill(0);
    this.links.fill(0);
    usage.of_hosts.add(from, to, count, this.number_of, this.hosts);
    usage.of_links.add(from, to, count, this.number_of, this.links);
    for (let c = 0; c < count; ++c) {
      if (shown[c]) continue;
      for (let i = c; i < this.hosts.length; i += count) this.hosts[i] = 0;
      for (let i = c; i < this.links.length; i += count) this.links[i] = 0;
    }
    sum_groups(this.hosts, count, this.host_sum);
    sum_groups(this.links, count, this.link_sum);
    this.zones.fill(0);
    for (let host = 0; host < this.host_sum.length; ++host) {
      const zone = usage.host_zone[host] * count;
      if (this.host_sum[host] > 0) for (let c = 0; c < count; ++c) this.zones[zone + c] += this.hosts[host * count + c];
    }
    for (let zone = usage.zones.length - 1; zone > 0; --zone) {
      const up = usage.parent[zone];
      if (up >= 0) for (let c = 0; c < count; ++c) this.zones[up * count + c] += this.zones[zone * count + c];
    }
    sum_groups(this.zones, count, this.zone_sum);
  }

  host_share(host) { return share_of(this.host_sum[host], this.usage.host_speed[host] * this.seconds); }
  zone_share(zone) { return share_of(this.zone_sum[zone], this.usage.zone_speed[zone] * this.seconds); }
  link_share(link) { return share_of(this.link_sum[link], this.usage.link_speed[link] * this.seconds); }
}

function share_of(part, whole) { return whole > 0 ? Math.min(part / whole, 1) : 0; }

function sum_groups(values, count, into) {
  for (let i = 0, at = 0; i < into.length; ++i) {
    let sum = 0;
    for (let c = 0; c < count; ++c) sum += values[at++];
    into[i] = sum;
  }
}
