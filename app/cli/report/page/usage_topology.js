// The topology: zones as discs with their hosts in rings around their switches, wires between them.
// Shape: places are computed once, in a unit of their own; a transformation zooms and moves them.

const host_size = 1, host_distance = 1.5;  // the side of a host's square, and between the middles of neighbours

// The place of a circle that touches two of the placed ones, near the middle; places that make the picture wide come
// first. Many circles: in rows. Adds it.
function place_circle(placed, radius, count) {
  const add = (x, y) => {
    placed.push([x, y, radius]);
    return [x, y];
  };
  if (placed.length === 0) return add(0, 0);
  if (count > 60) {
    const rows = placed.rows || (placed.rows = { x: 0, y: placed[0][2], height: 0, width: 2.6 * radius * Math.sqrt(count) });
    if (rows.x + 2 * radius > rows.width && rows.x > 0) { rows.y += rows.height; rows.x = 0; rows.height = 0; }
    const place = [rows.x + radius - rows.width / 2, rows.y + radius];
    rows.x += 2 * radius;
    rows.height = Math.max(rows.height, 2 * radius);
    return add(...place);
  }
  let best = null, least = Infinity;
  const consider = (x, y) => {
    const far = Math.hypot(0.6 * x, y);
    if (far >= least - 1e-9) return;
    if (placed.every(([a, b, r]) => (x - a) ** 2 + (y - b) ** 2 >= (r + radius) ** 2 * (1 - 1e-9))) { best = [x, y]; least = far; }
  };
  for (const [a, b, r] of placed) { consider(a + r + radius, b); consider(a - r - radius, b); consider(a, b + r + radius); consider(a, b - r - radius); }
  for (let i = 0; i < placed.length; ++i)
    for (let k = i + 1; k < placed.length; ++k) {
      const [ax, ay, ar] = placed[i], [bx, by, br] = placed[k], d = Math.hypot(bx - ax, by - ay);
      const p = ar + radius, q = br + radius;
      if (d > p + q || d < Math.abs(p - q) || d === 0) continue;
      const along = (p * p - q * q + d * d) / (2 * d), across = Math.sqrt(Math.max(p * p - along * along, 0));
      const ux = (bx - ax) / d, uy = (by - ay) / d;
      consider(ax + along * ux - across * uy, ay + along * uy + across * ux);
      consider(ax + along * ux + across * uy, ay + along * uy - across * ux);
    }
  return add(...best);
}

class Topology {
  constructor(usage) {
    this.usage = usage;
    const points = usage.hosts.length + usage.nodes.length;
    this.x = new Float64Array(points);
    this.y = new Float64Array(points);
    this.zone_x = new Float64Array(usage.zones.length);
    this.zone_y = new Float64Array(usage.zones.length);
    this.radius = new Float64Array(usage.zones.length);
    this.nodes_in = usage.zones.map(() => []);
    usage.nodes.forEach((node, i) => this.nodes_in[usage.node_zone[i]].push(usage.hosts.length + i));
    for (let zone = usage.zones.length - 1; zone >= 0; --zone) this.arrange(zone);  // inner zones first
    for (let zone = 0; zone < usage.zones.length; ++zone) if (usage.parent[zone] < 0) this.move(zone, 0, 0);
    this.mode = "auto";
    this.chosen = new Map();  // by zone: whether it is open
    this.scale = 0;           // 0: everything is shown
    this.centre = [0, 0];
    this.shown = new Int32Array(points);  // by point: the collapsed zone that it is in, or -1
    this.links_of_pair = [];
  }

  // Positions in the zone, relative to its middle. Nodes are in the middle, hosts in rings around them; inner zones
  // are placed where there is room, from the middle outwards, the largest first.
  arrange(zone) {
    const usage = this.usage, nodes = this.nodes_in[zone], hosts = usage.hosts_in[zone];
    let reach = this.rings(nodes, 0);
    reach = this.rings(hosts, reach);
    const placed = reach > 0 ? [[0, 0, reach]] : [];
    const inner = usage.inside[zone].filter((each) => this.radius[each] > 0).sort((a, b) => this.radius[b] - this.radius[a]);
    for (const each of inner) [this.zone_x[each], this.zone_y[each]] = place_circle(placed, 1.06 * this.radius[each] + 0.5, inner.length);
    // The middle of all, so that the disc around them is small.
    if (placed.length > 0) {
      let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
      for (const [x, y, r] of placed) {
        left = Math.min(left, x - r); right = Math.max(right, x + r);
        top = Math.min(top, y - r); bottom = Math.max(bottom, y + r);
      }
      const x = (left + right) / 2, y = (top + bottom) / 2;
      for (const each of inner) { this.zone_x[each] -= x; this.zone_y[each] -= y; }
      for (const point of [...nodes, ...hosts]) { this.x[point] -= x; this.y[point] -= y; }
      for (const circle of placed) { circle[0] -= x; circle[1] -= y; }
    }
    this.radius[zone] = Math.max(0, ...placed.map(([x, y, r]) => Math.hypot(x, y) + r)) + (placed.length > 0 ? 0.6 : 0);
  }

  // Places points in rings around the middle, outside of `from`; returns the new radius. Few have room for their names.
  rings(points, from) {
    const distance = points.length <= 40 ? 1.5 * host_distance : host_distance;
    let at = 0, radius = from;
    if (points.length === 1 && from === 0) {
      this.x[points[0]] = this.y[points[0]] = 0;
      return host_distance / 2;
    }
    for (let ring = 0; at < points.length; ++ring) {
      radius += distance;
      const room = Math.max(1, Math.floor(2 * Math.PI * radius / distance));
      const count = Math.min(room, points.length - at);
      for (let i = 0; i < count; ++i, ++at) {
        const angle = 2 * Math.PI * (i + (ring % 2 === 0 ? 0.5 : 0.25)) / count - Math.PI / 2;
        this.x[points[at]] = radius * Math.cos(angle);
        this.y[points[at]] = radius * Math.sin(angle);
      }
    }
    return points.length > 0 ? radius + distance / 2 : from;
  }

  move(zone, x, y) {
    this.zone_x[zone] = x;
    this.zone_y[zone] = y;
    for (const point of [...this.nodes_in[zone], ...this.usage.hosts_in[zone]]) { this.x[point] += x; this.y[point] += y; }
    for (const inner of this.usage.inside[zone]) this.move(inner, x + this.zone_x[inner], y + this.zone_y[inner]);
  }

  fit(width, height) {
    this.width = width;
    this.height = height;
    const [left, top, right, bottom] = this.bounds();
    this.whole = Math.min(width / Math.max(right - left, 1), height / Math.max(bottom - top, 1), 60);
    this.middle = [(left + right) / 2, (top + bottom) / 2];
    if (this.scale === 0) this.show_all();
  }
  show_all() { this.scale = this.whole * 0.96; this.centre = this.middle; this.is_moved = false; }
  // Of all hosts, nodes and zones, without the outermost discs.
  bounds() {
    let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
    const add = (x, y, r) => {
      left = Math.min(left, x - r); right = Math.max(right, x + r);
      top = Math.min(top, y - r); bottom = Math.max(bottom, y + r);
    };
    for (let point = 0; point < this.x.length; ++point) add(this.x[point], this.y[point], host_distance);
    for (let zone = 0; zone < this.radius.length; ++zone)
      if (this.usage.parent[zone] >= 0 && this.radius[zone] > 0) add(this.zone_x[zone], this.zone_y[zone], this.radius[zone]);
    return left < right ? [left, top, right, bottom] : [-1, -1, 1, 1];
  }
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

  draw(context, frame, theme) {
    this.see();
    this.draw_ground(context, theme);
    this.draw_lines(context, frame, theme);
    this.draw_hosts(context, frame, theme);
    this.draw_trunks(context, frame, theme);
    this.draw_discs(context, frame, theme);
    this.draw_nodes(context, frame, theme);
    this.draw_names(context, frame, theme);
  }

  // What does not change with time is drawn once for a place and size: open zones, unused wires and
  // small hosts.
  draw_ground(context, theme) {
    const ratio = context.getTransform().a;
    const key = [this.visible_for, this.scale, this.centre, this.width, this.height, ratio, theme.is_dark].join();
    if (this.ground_key !== key) {
      this.ground_key = key;
      this.ground = this.ground || document.createElement("canvas");
      this.ground.width = Math.round(this.width * ratio);
      this.ground.height = Math.round(this.height * ratio);
      const made = this.ground.getContext("2d", { alpha: false });
      made.setTransform(ratio, 0, 0, ratio, 0, 0);
      made.fillStyle = theme.paper;
      made.fillRect(0, 0, this.width, this.height);
      this.draw_open_zones(made, theme);
      const idle = [];
      for (const line of this.lines) if (!line.is_trunk) idle.push([...this.place_of(line.from), ...this.place_of(line.to)]);
      this.stroke_all(made, idle, theme.line, 0.6);
      const size = this.host_pixels();
      made.fillStyle = theme.empty;
      for (let host = 0; host < this.usage.hosts.length; ++host) {
        if (this.shown[host] >= 0) continue;
        const [x, y] = this.screen(this.x[host], this.y[host]);
        if (this.is_visible(x, y, size)) made.fillRect(x - size / 2, y - size / 2, size, size);
      }
    }
    context.drawImage(this.ground, 0, 0, this.width, this.height);
  }
  host_pixels() { return Math.max(host_size * this.scale, 1.5); }
  is_visible(x, y, size) { return x + size >= 0 && x - size <= this.width && y + size >= 0 && y - size <= this.height; }

  // Short paths: browsers need more time for one with thousands of lines.
  stroke_all(context, all, colour, width) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    for (let i = 0; i < all.length; i += 32) {
      context.beginPath();
      for (let k = i; k < all.length && k < i + 32; ++k) {
        context.moveTo(all[k][0], all[k][1]);
        context.lineTo(all[k][2], all[k][3]);
      }
      context.stroke();
    }
  }

  draw_open_zones(context, theme) {
    context.lineWidth = 1;
    context.strokeStyle = theme.line;
    for (const zone of this.open) {
      if (this.usage.parent[zone] < 0) continue;
      const [x, y] = this.screen(this.zone_x[zone], this.zone_y[zone]);
      context.beginPath();
      context.arc(x, y, this.radius[zone] * this.scale, 0, 2 * Math.PI);
      context.fillStyle = this.usage.depth[zone] % 2 === 0 ? theme.paper : theme.panel;
      context.fill();
      context.stroke();
    }
  }

  // One path for each width and colour.
  draw_lines(context, frame, theme) {
    const bundles = new Map(), saturated = [];
    const add = (key, points) => {
      const bundle = bundles.get(key);
      if (bundle === undefined) bundles.set(key, [points]); else bundle.push(points);
    };
    const thick = Math.min(Math.max(this.scale * 0.5, 1.5), 12);
    for (const line of this.lines) {
      if (line.is_trunk) continue;
      const [ax, ay] = this.place_of(line.from), [bx, by] = this.place_of(line.to);
      if (Math.max(ax, bx) < 0 || Math.min(ax, bx) > this.width || Math.max(ay, by) < 0 || Math.min(ay, by) > this.height) continue;
      const points = [ax, ay, bx, by], use = this.use_of(line, frame);
      if (use.share <= 0) continue;
      const width = 0.8 + Math.ceil(use.share * 8) / 8 * thick;
      if (use.share >= 0.95) saturated.push([...points, width]);
      add(use.category + " " + width, points);
    }
    for (const [ax, ay, bx, by, width] of saturated) this.stroke_all(context, [[ax, ay, bx, by]], theme.bad, width + 5);
    for (const [key, all] of bundles) {
      const [category, width] = key.split(" ").map(Number);
      this.stroke_all(context, all, theme.colour(category), width);
    }
  }

  // Wires between zones: the whole width is the capacity of the fullest link, the stripes are its use by category.
  draw_trunks(context, frame, theme) {
    const whole = Math.min(Math.max(this.scale * 0.4, 3), 16), count = frame.categories.length;
    for (const line of this.lines) {
      if (!line.is_trunk) continue;
      const [ax, ay] = this.place_of(line.from), [bx, by] = this.place_of(line.to), length = Math.hypot(bx - ax, by - ay);
      if (length === 0 || Math.max(ax, bx) < 0 || Math.min(ax, bx) > this.width || Math.max(ay, by) < 0 || Math.min(ay, by) > this.height) continue;
      const { share, link } = this.use_of(line, frame), ux = -(by - ay) / length, uy = (bx - ax) / length;
      const stripe = (from, width, colour) => {
        const middle = from + width / 2 - whole / 2;
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.beginPath();
        context.moveTo(ax + ux * middle, ay + uy * middle);
        context.lineTo(bx + ux * middle, by + uy * middle);
        context.stroke();
      };
      if (share >= 0.95) stripe(-2.5, whole + 5, theme.bad);
      else stripe(-1, whole + 2, theme.soft);
      stripe(0, whole, theme.empty);
      if (link < 0) continue;
      const capacity = Math.max(this.usage.link_speed[link] * frame.seconds, frame.link_sum[link]);
      let done = 0;
      for (let c = 0; c < count; ++c) {
        const part = whole * frame.links[link * count + c] / capacity;
        if (part > 0) stripe(done, part, theme.colour(c));
        done += part;
      }
    }
  }

  draw_discs(context, frame, theme) {
    const count = frame.categories.length;
    for (const zone of this.discs) {
      const [x, y] = this.screen(this.zone_x[zone], this.zone_y[zone]), radius = this.radius[zone] * this.scale * 0.96;
      if (x + radius < 0 || x - radius > this.width || y + radius < 0 || y - radius > this.height) continue;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fillStyle = theme.empty;
      context.fill();
      const speed = this.usage.zone_speed[zone] * frame.seconds;
      let angle = -Math.PI / 2;
      for (let c = 0; c < count; ++c) {
        const part = share_of(frame.zones[zone * count + c], Math.max(speed, frame.zone_sum[zone]));
        if (part <= 0) continue;
        context.beginPath();
        context.moveTo(x, y);
        context.arc(x, y, radius, angle, angle + 2 * Math.PI * part);
        context.fillStyle = theme.colour(c);
        context.fill();
        angle += 2 * Math.PI * part;
      }
      context.lineWidth = 1.5;
      context.strokeStyle = theme.ink;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  // Switches are dots; a node that is a link (a backbone) is a diamond, filled as that link is used.
  draw_nodes(context, frame, theme) {
    const first = this.usage.hosts.length, count = frame.categories.length;
    for (let i = 0; i < this.usage.nodes.length; ++i) {
      if (this.shown[first + i] >= 0) continue;
      const [x, y] = this.screen(this.x[first + i], this.y[first + i]), link = this.usage.node_link[i];
      const size = link >= 0 ? Math.min(Math.max(this.scale * 0.7, 7), 26) : Math.min(Math.max(this.scale * 0.25, 1.5), 7);
      const outline = () => {
        context.beginPath();
        if (link >= 0) {
          context.moveTo(x, y - size); context.lineTo(x + size, y); context.lineTo(x, y + size); context.lineTo(x - size, y);
          context.closePath();
        } else context.arc(x, y, size, 0, 2 * Math.PI);
      };
      outline();
      context.fillStyle = link >= 0 ? theme.empty : theme.soft;
      context.fill();
      if (link < 0) continue;
      context.save();
      context.clip();
      let done = 0;
      for (let c = 0; c < count; ++c) {
        const capacity = this.usage.link_speed[link] * frame.seconds;
        const part = share_of(frame.links[link * count + c], Math.max(capacity, frame.link_sum[link]));
        context.fillStyle = theme.colour(c);
        context.fillRect(x - size, y + size - 2 * size * (done + part), 2 * size, 2 * size * part);
        done += part;
      }
      context.restore();
      context.lineWidth = frame.link_share(link) >= 0.95 ? 3 : 1.5;
      context.strokeStyle = frame.link_share(link) >= 0.95 ? theme.bad : theme.ink;
      outline();
      context.stroke();
    }
  }

  draw_hosts(context, frame, theme) {
    const usage = this.usage, count = frame.categories.length, size = this.host_pixels();
    this.hosts_drawn = 0;
    const empty = [], filled = Array.from({ length: count }, () => []);
    for (let host = 0; host < usage.hosts.length; ++host) {
      if (this.shown[host] >= 0) continue;
      const [x, y] = this.screen(this.x[host], this.y[host]);
      if (!this.is_visible(x, y, size)) continue;
      const left = x - size / 2, bottom = y + size / 2;
      ++this.hosts_drawn;
      const sum = frame.host_sum[host];
      if (size >= 6 || sum > 0) empty.push(left, y - size / 2, size, size);
      if (!(sum > 0)) continue;
      const capacity = Math.max(usage.host_speed[host] * frame.seconds, sum);
      let done = 0;
      for (let c = 0; c < count; ++c) {
        const part = frame.hosts[host * count + c] / capacity;
        if (part <= 0) continue;
        filled[c].push(left, bottom - size * (done + part), size, size * part);
        done += part;
      }
    }
    context.fillStyle = theme.empty;
    fill_all(context, empty);
    for (let c = 0; c < count; ++c) {
      context.fillStyle = theme.colour(c);
      fill_all(context, filled[c]);
    }
    context.strokeStyle = theme.ink;
    context.lineWidth = 1;
    for (let i = 0; size >= 9 && i < empty.length; i += 4)
      context.strokeRect(empty[i] + 0.5, empty[i + 1] + 0.5, size - 1, size - 1);
    this.drawn = filled;
  }

  // Names where there is room: of zones, of hosts, and of links that are nodes. A name that would touch another is left out.
  draw_names(context, frame, theme) {
    const taken = [];
    this.names_left_out = 0;
    const write = (text, x, y, width, font) => {
      context.font = font;
      const shown = fitting_text(context, text, width);
      const half = context.measureText(shown).width / 2 + 5;
      const is_free = taken.every(([l, t, r, b]) => x + half < l || x - half > r || y + 10 < t || y - 10 > b);
      if (shown === "" || !is_free || x - half < 0 || x + half > this.width || y < 10 || y > this.height - 10) {
        ++this.names_left_out;
        return;
      }
      taken.push([x - half, y - 10, x + half, y + 10]);
      context.globalAlpha = 0.85;
      context.fillStyle = theme.paper;
      context.fillRect(x - half, y - 9, 2 * half, 18);
      context.globalAlpha = 1;
      context.fillStyle = theme.ink;
      context.fillText(shown, x, y + 1);
    };
    context.textAlign = "center";
    context.textBaseline = "middle";
    const usage = this.usage;
    for (const zone of [...this.discs].sort((a, b) => this.radius[b] - this.radius[a])) {
      const [x, y] = this.screen(this.zone_x[zone], this.zone_y[zone]), radius = this.radius[zone] * this.scale;
      write(usage.zone_names[zone], x, y - (radius > 26 ? 9 : 0), Math.max(2 * radius, 80), "600 13px " + theme.font);
      if (radius > 26) write(percent(frame.zone_share(zone)), x, y + 12, 2 * radius, "12px " + theme.font);
    }
    for (let i = 0; i < usage.nodes.length; ++i) {
      if (usage.node_link[i] < 0 || this.shown[usage.hosts.length + i] >= 0) continue;
      const [x, y] = this.screen(this.x[usage.hosts.length + i], this.y[usage.hosts.length + i]);
      const size = Math.min(Math.max(this.scale * 0.7, 7), 26);
      write(usage.nodes[i] + ": " + percent(frame.link_share(usage.node_link[i])), x, y + size + 13, 260, "600 13px " + theme.font);
    }
    for (const line of this.lines) {
      if (!line.is_trunk) continue;
      const use = this.use_of(line, frame);
      if (use.share < 0.95) continue;
      const [ax, ay] = this.place_of(line.from), [bx, by] = this.place_of(line.to);
      if (Math.hypot(ax - bx, ay - by) > 60)
        write(usage.links[use.link] + ": " + percent(use.share), (ax + bx) / 2, (ay + by) / 2, 260, "600 13px " + theme.font);
    }
    for (const zone of this.open) {
      if (usage.parent[zone] < 0) continue;
      const [x, y] = this.screen(this.zone_x[zone], this.zone_y[zone]), radius = this.radius[zone] * this.scale;
      if (radius > 18) write(usage.zone_names[zone], x, y - radius + 2, Math.max(1.6 * radius, 90), "600 13px " + theme.font);
    }
    context.font = "12px " + theme.font;
    if (this.scale >= 16)
      for (let host = 0; host < usage.hosts.length; ++host) {
        if (this.shown[host] >= 0) continue;
        const [x, y] = this.screen(this.x[host], this.y[host]);
        if (x < 0 || x > this.width || y < 0 || y > this.height) continue;
        write(usage.short_name(host, (text) => fitting_text(context, text, this.scale * 2.1) === text), x, y + this.scale * host_size / 2 + 10, this.scale * 2.2, "12px " + theme.font);
      }
    context.textAlign = "left";
  }
}
