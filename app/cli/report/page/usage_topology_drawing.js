// Draws the topology (usage_topology.js): wires and hosts filled by their use in a frame, zones and names.

class TopologyDrawing {
  constructor(topology) { this.topology = topology; }

  draw(context, frame, theme) {
    this.topology.see();
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
    const key = [this.topology.visible_for, this.topology.scale, this.topology.centre, this.topology.width, this.topology.height, ratio, theme.is_dark].join();
    if (this.ground_key !== key) {
      this.ground_key = key;
      this.ground = this.ground || document.createElement("canvas");
      this.ground.width = Math.round(this.topology.width * ratio);
      this.ground.height = Math.round(this.topology.height * ratio);
      const made = this.ground.getContext("2d", { alpha: false });
      made.setTransform(ratio, 0, 0, ratio, 0, 0);
      made.fillStyle = theme.paper;
      made.fillRect(0, 0, this.topology.width, this.topology.height);
      this.draw_open_zones(made, theme);
      const idle = [];
      for (const line of this.topology.lines) if (!line.is_trunk) idle.push([...this.topology.place_of(line.from), ...this.topology.place_of(line.to)]);
      this.stroke_all(made, idle, theme.line, 0.6);
      const size = this.host_pixels();
      made.fillStyle = theme.empty;
      for (let host = 0; host < this.topology.usage.hosts.length; ++host) {
        if (this.topology.shown[host] >= 0) continue;
        const [x, y] = this.topology.screen(this.topology.x[host], this.topology.y[host]);
        if (this.is_visible(x, y, size)) made.fillRect(x - size / 2, y - size / 2, size, size);
      }
    }
    context.drawImage(this.ground, 0, 0, this.topology.width, this.topology.height);
  }
  host_pixels() { return Math.max(host_size * this.topology.scale, 1.5); }
  is_visible(x, y, size) { return x + size >= 0 && x - size <= this.topology.width && y + size >= 0 && y - size <= this.topology.height; }

  is_outside(ax, ay, bx, by) {  // of a line
    return Math.max(ax, bx) < 0 || Math.min(ax, bx) > this.topology.width || Math.max(ay, by) < 0 || Math.min(ay, by) > this.topology.height;
  }

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
    for (const zone of this.topology.open) {
      if (this.topology.usage.parent[zone] < 0) continue;
      const [x, y] = this.topology.screen(this.topology.zone_x[zone], this.topology.zone_y[zone]);
      context.beginPath();
      context.arc(x, y, this.topology.radius[zone] * this.topology.scale, 0, 2 * Math.PI);
      context.fillStyle = this.topology.usage.depth[zone] % 2 === 0 ? theme.paper : theme.panel;
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
    const thick = Math.min(Math.max(this.topology.scale * 0.5, 1.5), 12);
    for (const line of this.topology.lines) {
      if (line.is_trunk) continue;
      const [ax, ay] = this.topology.place_of(line.from), [bx, by] = this.topology.place_of(line.to);
      if (this.is_outside(ax, ay, bx, by)) continue;
      const points = [ax, ay, bx, by], use = this.topology.use_of(line, frame);
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
    const whole = Math.min(Math.max(this.topology.scale * 0.4, 3), 16), count = frame.categories.length;
    for (const line of this.topology.lines) {
      if (!line.is_trunk) continue;
      const [ax, ay] = this.topology.place_of(line.from), [bx, by] = this.topology.place_of(line.to), length = Math.hypot(bx - ax, by - ay);
      if (length === 0 || this.is_outside(ax, ay, bx, by)) continue;
      const { share, link } = this.topology.use_of(line, frame), ux = -(by - ay) / length, uy = (bx - ax) / length;
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
      const capacity = Math.max(this.topology.usage.link_speed[link] * frame.seconds, frame.link_sum[link]);
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
    for (const zone of this.topology.discs) {
      const [x, y] = this.topology.screen(this.topology.zone_x[zone], this.topology.zone_y[zone]);
      const radius = this.topology.radius[zone] * this.topology.scale * 0.96;
      if (x + radius < 0 || x - radius > this.topology.width || y + radius < 0 || y - radius > this.topology.height) continue;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fillStyle = theme.empty;
      context.fill();
      const speed = this.topology.usage.zone_speed[zone] * frame.seconds;
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
    const first = this.topology.usage.hosts.length, count = frame.categories.length;
    for (let i = 0; i < this.topology.usage.nodes.length; ++i) {
      if (this.topology.shown[first + i] >= 0) continue;
      const [x, y] = this.topology.screen(this.topology.x[first + i], this.topology.y[first + i]), link = this.topology.usage.node_link[i];
      const size = link >= 0 ? Math.min(Math.max(this.topology.scale * 0.7, 7), 26) : Math.min(Math.max(this.topology.scale * 0.25, 1.5), 7);
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
        const capacity = this.topology.usage.link_speed[link] * frame.seconds;
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
    const usage = this.topology.usage, count = frame.categories.length, size = this.host_pixels();
    this.hosts_drawn = 0;
    const empty = [], filled = Array.from({ length: count }, () => []);
    for (let host = 0; host < usage.hosts.length; ++host) {
      if (this.topology.shown[host] >= 0) continue;
      const [x, y] = this.topology.screen(this.topology.x[host], this.topology.y[host]);
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
      if (shown === "" || !is_free || x - half < 0 || x + half > this.topology.width || y < 10 || y > this.topology.height - 10) {
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
    const usage = this.topology.usage;
    for (const zone of [...this.topology.discs].sort((a, b) => this.topology.radius[b] - this.topology.radius[a])) {
      const [x, y] = this.topology.screen(this.topology.zone_x[zone], this.topology.zone_y[zone]), radius = this.topology.radius[zone] * this.topology.scale;
      write(usage.zone_names[zone], x, y - (radius > 26 ? 9 : 0), Math.max(2 * radius, 80), "600 13px " + theme.font);
      if (radius > 26) write(percent(frame.zone_share(zone)), x, y + 12, 2 * radius, "12px " + theme.font);
    }
    for (let i = 0; i < usage.nodes.length; ++i) {
      if (usage.node_link[i] < 0 || this.topology.shown[usage.hosts.length + i] >= 0) continue;
      const [x, y] = this.topology.screen(this.topology.x[usage.hosts.length + i], this.topology.y[usage.hosts.length + i]);
      const size = Math.min(Math.max(this.topology.scale * 0.7, 7), 26);
      write(usage.nodes[i] + ": " + percent(frame.link_share(usage.node_link[i])), x, y + size + 13, 260, "600 13px " + theme.font);
    }
    for (const line of this.topology.lines) {
      if (!line.is_trunk) continue;
      const use = this.topology.use_of(line, frame);
      if (use.share < 0.95) continue;
      const [ax, ay] = this.topology.place_of(line.from), [bx, by] = this.topology.place_of(line.to);
      if (Math.hypot(ax - bx, ay - by) > 60)
        write(usage.links[use.link] + ": " + percent(use.share), (ax + bx) / 2, (ay + by) / 2, 260, "600 13px " + theme.font);
    }
    for (const zone of this.topology.open) {
      if (usage.parent[zone] < 0) continue;
      const [x, y] = this.topology.screen(this.topology.zone_x[zone], this.topology.zone_y[zone]), radius = this.topology.radius[zone] * this.topology.scale;
      if (radius > 18) write(usage.zone_names[zone], x, y - radius + 2, Math.max(1.6 * radius, 90), "600 13px " + theme.font);
    }
    context.font = "12px " + theme.font;
    if (this.topology.scale >= 16)
      for (let host = 0; host < usage.hosts.length; ++host) {
        if (this.topology.shown[host] >= 0) continue;
        const [x, y] = this.topology.screen(this.topology.x[host], this.topology.y[host]);
        if (x < 0 || x > this.topology.width || y < 0 || y > this.topology.height) continue;
        const scale = this.topology.scale, name = usage.short_name(host, (text) => fitting_text(context, text, scale * 2.1) === text);
        write(name, x, y + scale * host_size / 2 + 10, scale * 2.2, "12px " + theme.font);
      }
    context.textAlign = "left";
  }
}
