// The places of zones, hosts and switches: zones as discs with their hosts in rings around their switches.
// Shape: places are computed once, in a unit of their own: x and y by point (hosts, then nodes), zone_x, zone_y and
// radius by zone.

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

class Places {
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
}
