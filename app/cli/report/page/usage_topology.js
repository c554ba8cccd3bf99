// The topology: zones as discs with their hosts in rings around their switches, wires between them. Which zones are
// open, and what is at a place of the picture.
// Shape: a transformation zooms and moves the places (usage_places.js).

class Topology {
  constructor(usage) {
    this.usage = usage;
    this.places = new Places(usage);
    // By point and by zone.
    ({ x: this.x, y: this.y, zone_x: this.zone_x, zone_y: this.zone_y, radius: this.radius } = this.places);
    this.nodes_in = this.places.nodes_in;
    this.mode = "auto";
    this.chosen = new Map();  // by zone: whether it is open
    this.scale = 0;           // 0: everything is shown
    this.centre = [0, 0];
    this.shown = new Int32Array(this.x.length);  // by point: the collapsed zone that it is in, or -1
  }

  fit(width, height) {
    this.width = width;
    this.height = height;
    const [left, top, right, bottom] = this.places.bounds();
    this.whole = Math.min(width / Math.max(right - left, 1), height / Math.max(bottom - top, 1), 60);
    this.middle = [(left + right) / 2, (top + bottom) / 2];
    if (this.scale === 0) this.show_all();
  }
  show_all() { this.scale = this.whole * 0.96; this.centre = this.middle; this.is_moved = false; }
  zoom(factor, x, y) {
    const [a, b] = this.world(x, y);
    this.scale = Math.min(Math.max(this.scale * factor, this.whole * 0.5), 120);
    this.centre = [a - (x - this.width / 2) / this.scale, b - (y - this.height / 2) / this.scale];
    this.is_moved = true;
  }
  drag(x, y) { this.centre = [this.centre[0] - x / this.scale, this.centre[1] - y / this.scale]; this.is_moved = true; }
  resize(width, height) {
    const is_all = !this.is_moved;
    this.fit(width, height);
    if (is_all) this.show_all();
  }
  world(x, y) {
    return [this.centre[0] + (x - this.width / 2) / this.scale, this.centre[1] + (y - this.height / 2) / this.scale];
  }
  screen(x, y) {
    return [(x - this.centre[0]) * this.scale + this.width / 2, (y - this.centre[1]) * this.scale + this.height / 2];
  }

  // Zones whose hosts would be smaller than two pixels are collapsed, unless someone chose otherwise.
  is_open(zone) {
    const chosen = this.chosen.get(zone);
    if (chosen !== undefined) return chosen;
    if (this.mode === "open" || this.usage.parent[zone] < 0) return true;
    if (this.mode === "closed") return this.usage.inside[zone].length > 0 && this.usage.depth[zone] < 1;
    return this.scale * host_size >= 2;
  }
  toggle(zone) {
    if (this.usage.parent[zone] < 0) return;
    this.chosen.set(zone, !this.is_open(zone));
    this.visible_for = null;
  }
  set_mode(mode) { this.mode = mode; this.chosen.clear(); this.visible_for = null; }

  // Which zones are open and which are discs, and by point its disc.
  see() {
    const key = this.mode + this.scale + [...this.chosen].join();
    if (this.visible_for === key) return;
    this.visible_for = key;
    this.open = [];
    this.discs = [];
    this.shown.fill(-1);
    const hide = (zone, disc) => {
      for (const point of [...this.nodes_in[zone], ...this.usage.hosts_in[zone]]) this.shown[point] = disc;
      for (const inner of this.usage.inside[zone]) hide(inner, disc);
    };
    const visit = (zone) => {
      if (this.radius[zone] === 0) return;
      if (!this.is_open(zone)) {
        this.discs.push(zone);
        return hide(zone, zone);
      }
      this.open.push(zone);
      for (const inner of this.usage.inside[zone]) visit(inner);
    };
    for (let zone = 0; zone < this.usage.zones.length; ++zone) if (this.usage.parent[zone] < 0) visit(zone);
    this.join_wires();
  }

  // The wires between points that are shown; several between the same two are one line with the links of all.
  join_wires() {
    const { wires, wire_links } = this.usage, known = new Map();
    this.lines = [];
    for (let i = 0, first = 0; i < wires.length; i += 3) {
      const end = wires[i + 2];
      const from = this.end_of(wires[i]), to = this.end_of(wires[i + 1]);
      if (from !== to) {
        const key = from < to ? from + "-" + to : to + "-" + from;
        let line = known.get(key);
        if (line === undefined) {
          line = { from, to, links: [], is_trunk: this.zone_of(wires[i]) !== this.zone_of(wires[i + 1]) };
          known.set(key, line);
          this.lines.push(line);
        }
        for (let k = first; k < end; ++k) line.links.push(wire_links[k]);
      }
      first = end;
    }
  }
  end_of(point) { return this.shown[point] < 0 ? point : this.usage.hosts.length + this.usage.nodes.length + this.shown[point]; }
  zone_of(point) {
    const hosts = this.usage.hosts.length;
    return point < hosts ? this.usage.host_zone[point] : this.usage.node_zone[point - hosts];
  }
  place_of(end) {
    const zone = end - this.usage.hosts.length - this.usage.nodes.length;
    return zone >= 0 ? this.screen(this.zone_x[zone], this.zone_y[zone]) : this.screen(this.x[end], this.y[end]);
  }

  at(x, y) {
    const [a, b] = this.world(x, y), usage = this.usage;
    this.see();
    for (const zone of this.discs)
      if (Math.hypot(a - this.zone_x[zone], b - this.zone_y[zone]) <= this.radius[zone]) return ["zone", zone];
    const reach = Math.max(host_size / 2, 3 / this.scale);
    for (let point = usage.hosts.length + usage.nodes.length - 1; point >= 0; --point) {
      if (this.shown[point] >= 0) continue;
      if (Math.abs(a - this.x[point]) > reach || Math.abs(b - this.y[point]) > reach) continue;
      return point < usage.hosts.length ? ["host", point] : ["node", point - usage.hosts.length];
    }
    const line = this.line_at(x, y);
    if (line !== null) return ["line", line];
    for (let i = this.open.length - 1; i >= 0; --i) {
      const zone = this.open[i];
      if (Math.hypot(a - this.zone_x[zone], b - this.zone_y[zone]) <= this.radius[zone]) return ["zone", zone];
    }
    return null;
  }
  line_at(x, y) {
    let best = null, nearest = 5;
    for (const line of this.lines) {
      if (line.links.length === 0) continue;
      const [ax, ay] = this.place_of(line.from), [bx, by] = this.place_of(line.to);
      const length = (bx - ax) ** 2 + (by - ay) ** 2;
      const part = length > 0 ? Math.min(Math.max(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0), 1) : 0;
      const distance = Math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay));
      if (distance < nearest) { nearest = distance; best = line; }
    }
    return best;
  }

  // The fullest link of a line, and the category with most of it.
  use_of(line, frame) {
    const count = frame.categories.length;
    let share = 0, link = -1;
    for (const each of line.links) {
      const of_link = frame.link_share(each);
      if (of_link > share) { share = of_link; link = each; }
    }
    let category = -1, most = 0;
    for (let c = 0; link >= 0 && c < count; ++c)
      if (frame.links[link * count + c] > most) { most = frame.links[link * count + c]; category = c; }
    return { share, link, category };
  }
}
