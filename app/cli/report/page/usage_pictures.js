// Colours, and one picture of a run: a canvas with its treemap and its topology.

// Okabe, Ito, Color Universal Design, 2008, in an order in which neighbours differ; then tints of them. Work without a
// category is grey.
const category_colours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7a5195",
  "#8c6d31", "#66c2a5", "#1f4e79", "#b15928"];

class Theme {
  constructor(categories) {
    this.categories = categories;
    this.read();
  }
  read() {
    const style = getComputedStyle(document.documentElement);
    const value = (name) => style.getPropertyValue("--" + name).trim();
    for (const name of ["paper", "ink", "soft", "line", "panel", "bad"]) this[name] = value(name);
    this.is_dark = matchMedia("(prefers-color-scheme: dark)").matches;
    this.empty = this.is_dark ? "#2b333c" : "#e3e8ed";
    this.font = 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
    this.colours = [];
    let next = 0;
    for (const name of this.categories)
      this.colours.push(name === "" ? "#8a949e" : category_colours[next++ % category_colours.length]);
  }
  colour(category) { return this.colours[category]; }
  // From -1 (only the first run) over 0 to 1 (only the second run).
  difference(part) {
    const from = this.is_dark ? [60, 68, 77] : [227, 232, 237], to = part < 0 ? [0, 114, 178] : [213, 94, 0];
    const much = Math.min(Math.abs(part), 1);
    return "rgb(" + from.map((value, i) => Math.round(value + (to[i] - value) * much)).join(" ") + ")";
  }
}

class Picture {
  constructor(usage, caption, categories, actions) {
    this.usage = usage;
    this.frame = new Frame(usage, categories);
    this.run_frame = new Frame(usage, categories);
    this.treemap = new Treemap(usage);
    this.topology = new Topology(usage);
    this.drawing = new TopologyDrawing(this.topology);
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = -1;
    this.canvas.setAttribute("role", "img");
    this.tip = element("div.tip");
    this.tip.hidden = true;
    this.caption = element("figcaption", caption);
    this.box = element("figure", this.caption, element("div.picture", this.canvas, this.tip));
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.actions = actions;
    this.listen();
  }

  size() {
    const { clientWidth: width, clientHeight: height } = this.canvas, ratio = window.devicePixelRatio || 1;
    if (this.width === width && this.height === height && this.ratio === ratio) return;
    Object.assign(this, { width, height, ratio });
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.topology.resize(width, height);
  }

  // Values that the areas of the treemap show.
  areas(area) {
    if (area === "slice") return { host: this.frame.host_sum, zone: this.frame.zone_sum };
    if (area === "run") return { host: this.run_frame.host_sum, zone: this.run_frame.zone_sum };
    return { host: this.usage.host_speed, zone: this.usage.zone_speed };
  }

  draw(view, theme, difference) {
    this.size();
    const context = this.context;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = theme.paper;
    context.fillRect(0, 0, this.width, this.height);
    this.drawn_view = view.kind;
    if (view.kind === "topology") this.drawing.draw(context, this.frame, theme);
    else {
      this.treemap.layout(view.zone, difference ? difference.areas : this.areas(view.area), view.detail, this.width, this.height);
      if (difference) this.treemap.draw_difference(context, this.frame, theme, difference.of);
      else this.treemap.draw(context, this.frame, theme, view.area !== "slice");
      if (this.treemap.cells.length === 0) this.say_nothing(theme);
    }
  }
  say_nothing(theme) {
    this.context.fillStyle = theme.soft;
    this.context.textAlign = "center";
    this.context.font = "15px " + theme.font;
    this.context.fillText("no work in this time window", this.width / 2, this.height / 2);
    this.context.textAlign = "left";
  }

  listen() {
    const at = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.x, event.clientY - box.y];
    };
    let held = null, has_moved = false;
    this.canvas.addEventListener("pointerdown", (event) => { held = at(event); has_moved = false; });
    this.canvas.addEventListener("pointermove", (event) => {
      const [x, y] = at(event);
      if (held !== null && event.buttons && this.drawn_view === "topology") {
        if (Math.hypot(x - held[0], y - held[1]) < 3 && !has_moved) return;
        has_moved = true;
        this.actions.drag(x - held[0], y - held[1]);
        held = [x, y];
        return;
      }
      this.show_tip(x, y);
    });
    this.canvas.addEventListener("pointerup", (event) => {
      const [x, y] = at(event);
      if (held !== null && !has_moved) this.actions.click(this, this.find(x, y));
      held = null;
    });
    this.canvas.addEventListener("pointerleave", () => { held = null; this.tip.hidden = true; });
    this.canvas.addEventListener("wheel", (event) => {
      if (this.drawn_view !== "topology") return;
      event.preventDefault();
      this.actions.zoom(Math.exp(-event.deltaY / 400), ...at(event));
    }, { passive: false });
  }

  // [kind, number or line] at a place; null: nothing.
  find(x, y) { return this.drawn_view === "topology" ? this.topology.at(x, y) : this.treemap.at(x, y); }

  show_tip(x, y) {
    const found = this.find(x, y), lines = found === null ? [] : this.describe(found);
    this.tip.hidden = lines.length === 0;
    if (this.tip.hidden) return;
    this.tip.replaceChildren(...lines.map((line, i) => element(i === 0 ? "strong" : "div", line)));
    const left = x + 14 + this.tip.offsetWidth > this.width ? x - 14 - this.tip.offsetWidth : x + 14;
    this.tip.style.left = Math.max(left, 0) + "px";
    this.tip.style.top = Math.max(Math.min(y + 14, this.height - this.tip.offsetHeight - 4), 0) + "px";
  }
  describe([kind, number]) {
    const usage = this.usage, frame = this.frame, count = frame.categories.length;
    const parts = (uses, at, unit) => frame.categories.map((name, c) => [category_title(name), uses[at * count + c]])
      .filter(([, value]) => value > 0).map(([name, value]) => name + ": " + withPrefix(value, unit));
    if (kind === "host")
      return [usage.hosts[number], usage.path(usage.host_zone[number]),
        percent(frame.host_share(number)) + " of " + withPrefix(usage.host_speed[number], "flop/s"), ...parts(frame.hosts, number, "flop")];
    if (kind === "zone" || kind === "sum")
      return [usage.path(number), counted(usage.zone_hosts[number], "host"),
        percent(frame.zone_share(number)) + " of " + withPrefix(usage.zone_speed[number], "flop/s"), ...parts(frame.zones, number, "flop")];
    const links = kind === "line" ? [...new Set(number.links)] : usage.node_link[number] >= 0 ? [usage.node_link[number]] : [];
    if (links.length === 0) return kind === "node" ? [usage.nodes[number] || "junction"] : [];
    const used = links.sort((a, b) => frame.link_share(b) - frame.link_share(a)).slice(0, 4);
    const lines = [used.map((link) => usage.links[link]).join(", ") + (links.length > 4 ? ", …" : "")];
    for (const link of used)
      lines.push(usage.links[link] + ": " + percent(frame.link_share(link)) + " of " + withPrefix(usage.link_speed[link], "B/s"),
        ...parts(frame.links, link, "B"));
    return lines;
  }
}

// The work of a zone over the whole run, by category, with a mark at the time window.
class Strip {
  constructor(picture, base, go) {
    this.picture = picture;
    this.base = base;
    this.canvas = element("canvas.strip");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "work over time, by category");
    this.box = element("div.picture", this.canvas);
    this.context = this.canvas.getContext("2d", { alpha: false });
    const choose = (event) => {
      if (event.buttons === 0) return;
      const box = this.canvas.getBoundingClientRect();
      go(Math.floor((event.clientX - box.x) / box.width * base.slices));
    };
    this.canvas.addEventListener("pointerdown", choose);
    this.canvas.addEventListener("pointermove", choose);
  }

  // The curves are drawn once into another canvas.
  draw(page) {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight, ratio = window.devicePixelRatio || 1;
    const key = [page.view.zone, width, height, ratio, page.theme.is_dark, page.shown].join();
    if (this.key !== key) {
      this.key = key;
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.kept = document.createElement("canvas");
      this.kept.width = this.canvas.width;
      this.kept.height = this.canvas.height;
      this.paint(this.kept.getContext("2d"), page, this.canvas.width, this.canvas.height);
    }
    const context = this.context, theme = page.theme, all = this.canvas.width;
    context.drawImage(this.kept, 0, 0);
    const from = page.position / page.steps * all, to = (page.position + page.width) / page.steps * all;
    context.fillStyle = theme.paper;
    context.globalAlpha = 0.6;
    context.fillRect(0, 0, from, this.canvas.height);
    context.fillRect(to, 0, all - to, this.canvas.height);
    context.globalAlpha = 1;
    context.strokeStyle = theme.ink;
    context.lineWidth = 1.5 * ratio;
    context.strokeRect(from, 1, Math.max(to - from, 2), this.canvas.height - 2);
  }
  paint(context, page, width, height) {
    const { usage, frame } = this.picture, theme = page.theme, count = frame.categories.length;
    context.fillStyle = theme.paper;
    context.fillRect(0, 0, width, height);
    const zone = Math.min(page.view.zone, usage.zones.length - 1);
    const sums = usage.over_time(zone, count, frame.number_of, page.shown);
    const capacity = usage.zone_speed[zone] * usage.slice * 1e-12, step = usage.slice / this.base.slice / this.base.slices * width;
    context.fillStyle = theme.empty;
    context.fillRect(0, 0, usage.end / (this.base.slice * this.base.slices) * width, height);
    for (let slice = 0; slice < usage.slices; ++slice) {
      let bottom = height;
      for (let c = 0; c < count; ++c) {
        const part = capacity > 0 ? Math.min(sums[slice * count + c] / capacity, 1) * height : 0;
        if (part <= 0) continue;
        context.fillStyle = theme.colour(c);
        context.fillRect(slice * step, bottom - part, step + 0.5, part);
        bottom -= part;
      }
    }
  }
}

function category_title(name) { return name === "" ? "(no category)" : name; }
