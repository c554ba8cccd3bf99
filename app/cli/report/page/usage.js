// The page: controls, time, and tables of sums.

function signed(value) { return Math.abs(value) < 1e-6 ? "0 flop" : (value < 0 ? "−" : "+") + withPrefix(Math.abs(value), "flop"); }
function file_name(path) { return path.slice(path.lastIndexOf("/") + 1); }

class Page {
  constructor() {
    const parts = [...document.querySelectorAll("script.usage")];
    this.usages = parts.map((part, i) => new Usage(i));
    this.categories = [];
    for (const usage of this.usages)
      for (const name of usage.categories) if (!this.categories.includes(name)) this.categories.push(name);
    this.shown = this.categories.map(() => true);
    this.theme = new Theme(this.categories);
    this.base = this.usages.reduce((a, b) => (b.end > a.end ? b : a));  // the run that the slider follows
    this.steps = this.base.slices;
    this.view = { kind: "treemap", area: "slice", detail: 99, zone: 0, is_difference: false };
    this.position = 0;
    this.width = this.steps;
    this.is_playing = false;
    this.pictures = this.usages.map((usage, i) => new Picture(usage, this.usages.length > 1
      ? (i === 0 ? "First: " : "Second: ") + file_name(usage.program) + ", " + seconds(usage.end) : "", this.categories, {
      click: (picture, found) => this.click(picture, found),
      zoom: (...values) => this.each_topology((topology) => topology.zoom(...values)),
      drag: (...values) => this.each_topology((topology) => topology.drag(...values)),
    }));
    this.is_same_platform = this.usages.length > 1 && this.has_same_platform();
    // A treemap of one level is all that the first zone offers: begin inside of it.
    const [first] = this.usages;
    while (first.inside[this.view.zone].length === 1 && first.hosts_in[this.view.zone].length === 0)
      this.view.zone = first.inside[this.view.zone][0];
    this.start_zone = this.view.zone;
    this.make_controls();
    for (const picture of this.pictures) picture.run_frame.set(0, picture.usage.slices, this.shown);
    for (const picture of this.pictures) picture.treemap.totals(picture.run_frame);
    this.use();
    this.update();
  }

  has_same_platform() {
    const [a, b] = this.usages, same = (x, y) => x.length === y.length && x.every((value, i) => value === y[i]);
    return same(a.hosts, b.hosts) && same(a.zone_names, b.zone_names) && same([...a.parent], [...b.parent]) &&
      same([...a.host_zone], [...b.host_zone]);
  }

  each_topology(call) {
    for (const picture of this.pictures) call(picture.topology);
    this.request();
  }

  // ---- controls
  make_controls() {
    const [first] = this.usages, title = this.usages.length > 1 ? "Comparison of two runs" : file_name(first.program);
    const facts = [["platform", first.platform], ["hosts", withCommas(first.hosts.length)], ["links", withCommas(first.links.length)],
      ["simulated time", this.usages.map((usage) => seconds(usage.end)).join(" and ")],
      ["slices", withCommas(this.steps) + " of " + seconds(this.base.slice)]];
    byId("top").append(element("h1", title), element("dl.facts", ...facts.map(([name, value]) =>
      element("div", element("dt", name), element("dd", value)))));
    byId("foot").append("Made by rehearse " + rehearse_version + ".");
    byId("pictures").append(...this.pictures.map((picture) => picture.box));
    this.strips = this.pictures.map((picture) => new Strip(picture, this.base, (slice) => this.go(slice - Math.floor(this.width / 2))));
    byId("strips").append(...this.strips.map((strip) => strip.box));
    this.make_categories();
    byId("runs-group").hidden = !this.is_same_platform;
    const levels = Math.max(...this.usages.map((usage) => Math.max(...usage.depth)));
    byId("detail").append(new Option("hosts", 99));
    for (let level = 0; level < levels; ++level) byId("detail").append(new Option(level === 0 ? "zones" : counted(level, "more level"), level));
    if (levels === 0) byId("detail").disabled = true;
    this.widths = [1, 2, 5, 10, 20, 50, 100, 200, 500].filter((width) => width < this.steps);
    for (const width of this.widths) byId("width").append(new Option(counted(width, "slice") + ", " + seconds(width * this.base.slice), width));
    this.widths.push(this.steps);
    byId("width").append(new Option("whole run", this.steps, true, true));
    for (const speed of [5, 10, 30, 60]) byId("speed").append(new Option(speed + " slices per second", speed, speed === 30, speed === 30));
    const on = (id, event, action) => byId(id).addEventListener(event, action);
    on("show-treemap", "click", () => this.show("treemap"));
    on("show-topology", "click", () => this.show("topology"));
    on("show-both", "click", () => this.set_difference(false));
    on("show-difference", "click", () => this.set_difference(true));
    on("area", "change", () => { this.view.area = byId("area").value; this.request(); });
    on("detail", "change", () => { this.view.detail = +byId("detail").value; this.request(); });
    for (const mode of ["auto", "closed", "open"]) on("zones-" + mode, "click", () => this.set_zones(mode));
    on("zoom-all", "click", () => this.each_topology((topology) => topology.show_all()));
    on("position", "input", () => this.go(+byId("position").value));
    on("width", "change", () => this.set_width(+byId("width").value));
    on("play", "click", () => this.play(!this.is_playing));
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("resize", () => this.request());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.theme.read(); this.request(); });
    this.show_controls();
  }

  make_categories() {
    const used = this.categories.map((name, c) => this.usages.some((usage) => {
      const number = usage.categories.indexOf(name);
      return number >= 0 && (usage.of_hosts.category.includes(number) || usage.of_links.category.includes(number));
    }));
    this.category_sums = this.categories.map(() => element("output"));
    this.categories.forEach((name, c) => {
      if (!used[c]) return;
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = true;
      box.id = "category-" + c;
      box.addEventListener("change", () => { this.shown[c] = box.checked; this.refresh_run(); });
      const colour = element("i");
      colour.style.background = this.theme.colour(c);
      byId("categories").append(element("label", box, colour, category_title(name), this.category_sums[c]));
    });
  }
  refresh_run() {
    for (const picture of this.pictures) picture.run_frame.set(0, picture.usage.slices, this.shown);
    this.use();
    this.request();
  }

  show_controls() {
    const press = (id, is_on) => byId(id).setAttribute("aria-pressed", String(is_on));
    press("show-treemap", this.view.kind === "treemap");
    press("show-topology", this.view.kind === "topology");
    press("show-both", !this.view.is_difference);
    press("show-difference", this.view.is_difference);
    for (const mode of ["auto", "closed", "open"]) press("zones-" + mode, this.pictures[0].topology.mode === mode);
    for (const part of document.querySelectorAll(".for-treemap")) part.hidden = this.view.kind !== "treemap";
    for (const part of document.querySelectorAll(".for-topology")) part.hidden = this.view.kind !== "topology";
    byId("runs-group").hidden = !this.is_same_platform || this.view.kind !== "treemap";
    const is_one = this.usages.length === 1 || (this.view.is_difference && this.view.kind === "treemap");
    byId("pictures").classList.toggle("two", !is_one);
    if (this.pictures.length > 1) this.pictures[1].box.hidden = is_one;
    if (this.pictures.length > 1)
      this.pictures[0].caption.textContent = is_one
        ? "Blue: less work in the second run. Orange: more. Areas: work in both runs."
        : "First: " + file_name(this.usages[0].program) + ", " + seconds(this.usages[0].end);
    byId("position").max = String(Math.max(this.steps - this.width, 0));
    this.show_path();
  }
  show_path() {
    const usage = this.usages[0], steps = [];
    for (let zone = this.view.zone; zone >= 0; zone = usage.parent[zone]) steps.unshift(zone);
    const parts = [];
    steps.forEach((zone, i) => {
      if (i > 0) parts.push(element("span", "›"));
      const name = usage.zone_names[zone] + " (" + counted(usage.zone_hosts[zone], "host") + ")";
      if (zone === this.view.zone) return void parts.push(element("strong", name));
      const button = element("button", name);
      button.addEventListener("click", () => this.enter(zone));
      parts.push(button);
    });
    byId("path").replaceChildren(...parts);
  }

  show(kind) {
    this.view.kind = kind;
    this.show_controls();
    this.request();
  }
  set_difference(is_on) {
    this.view.is_difference = is_on && this.is_same_platform;
    this.show_controls();
    this.request();
  }
  set_zones(mode) {
    for (const picture of this.pictures) picture.topology.set_mode(mode);
    this.show_controls();
    this.request();
  }
  enter(zone) {
    this.view.zone = zone;
    this.show_path();
    this.request();
  }
  click(picture, found) {
    if (found === null) return;
    const [kind, number] = found, usage = picture.usage;
    if (this.view.kind === "topology") {
      if (kind === "zone") this.each_topology((topology) => { if (number < topology.usage.zones.length) topology.toggle(number); });
      return;
    }
    // The zone below the present one that contains the place.
    let zone = kind === "host" ? usage.host_zone[number] : number;
    if (!usage.is_in(zone, this.view.zone) || zone === this.view.zone) return;
    while (usage.parent[zone] !== this.view.zone) zone = usage.parent[zone];
    this.enter(zone);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof HTMLSelectElement || (event.target.type === "checkbox" && event.key === " ")) return;
    if (event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter") && event.target.id !== "play") return;
    const at = this.widths.indexOf(this.width);
    const actions = {
      " ": () => this.play(!this.is_playing), ArrowLeft: () => this.go(this.position - 1), ArrowRight: () => this.go(this.position + 1),
      PageUp: () => this.go(this.position - this.width), PageDown: () => this.go(this.position + this.width),
      Home: () => this.go(0), End: () => this.go(this.steps), "+": () => this.set_width(this.widths[at + 1] || this.width),
      "-": () => this.set_width(this.widths[at - 1] || this.width), t: () => this.show("treemap"), g: () => this.show("topology"),
      u: () => { const up = this.usages[0].parent[this.view.zone]; if (up >= 0) this.enter(up); },
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }

  // ---- time
  set_width(width) {
    this.width = Math.min(Math.max(width, 1), this.steps);
    byId("width").value = String(this.width);
    byId("position").max = String(this.steps - this.width);
    this.go(this.position);
  }
  go(position) {
    this.position = Math.min(Math.max(position, 0), this.steps - this.width);
    this.use();
    this.request();
  }
  play(is_on) {
    this.is_playing = is_on;
    byId("play").setAttribute("aria-pressed", String(is_on));
    byId("play").textContent = is_on ? "Pause" : "Play";
    if (!is_on) return;
    if (this.width === this.steps) this.set_width(this.widths.filter((width) => width <= Math.max(1, this.steps / 50)).pop() || 1);
    if (this.position >= this.steps - this.width) this.go(0);
    const number = this.plays = (this.plays || 0) + 1;  // an earlier start may still have a frame to come
    let last = null, part = 0;
    const tick = (now) => {
      if (!this.is_playing || this.plays !== number) return;
      if (last !== null) part += (now - last) / 1000 * +byId("speed").value;
      last = now;
      const steps = Math.floor(part);
      part -= steps;
      if (steps > 0) {
        this.position = Math.min(this.position + steps, this.steps - this.width);
        this.use();
        this.update();
      }
      if (this.position >= this.steps - this.width) return this.play(false);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
  // The window as slices of a run, whose slices may have another length.
  window_of(usage) {
    const scale = this.base.slice / usage.slice, most = usage.slices;
    const from = this.position * scale, to = (this.position + this.width) * scale;
    return [Math.min(from, most), Math.min(to, most)];
  }
  use() {
    for (const picture of this.pictures) picture.frame.set(...this.window_of(picture.usage), this.shown);
  }

  // ---- drawing
  request() {
    if (this.is_requested) return;
    this.is_requested = true;
    requestAnimationFrame(() => {
      this.is_requested = false;
      this.update();
    });
  }
  update() {
    byId("position").value = String(this.position);
    const from = this.position * this.base.slice, to = Math.min((this.position + this.width) * this.base.slice, this.base.end);
    byId("window-text").textContent = (from === 0 ? "0" : seconds(from)) + " to " + seconds(to);
    const difference = this.view.is_difference && this.view.kind === "treemap" ? this.difference() : null;
    this.pictures.forEach((picture, i) => {
      if (difference === null || i === 0) picture.draw(this.view, this.theme, difference);
    });
    for (const strip of this.strips) strip.draw(this);
    this.show_sums();
    ++this.frames;
  }
  // Areas: the work of both runs. Parts: from -1, only the first, to 1, only the second.
  difference() {
    const [a, b] = this.pictures.map((picture) => picture.frame);
    const sum = (x, y) => x.map((value, i) => value + y[i]);
    const part = (x, y) => x.map((value, i) => (value + y[i] > 0 ? (y[i] - value) / (value + y[i]) : 0));
    return { areas: { host: sum(a.host_sum, b.host_sum), zone: sum(a.zone_sum, b.zone_sum) },
      of: { host: part(a.host_sum, b.host_sum), zone: part(a.zone_sum, b.zone_sum) } };
  }

  // Tables are rebuilt at most every 100 ms while time passes.
  show_sums() {
    const now = performance.now();
    if (this.is_playing && now - (this.sums_at || 0) < 100) return;
    this.sums_at = now;
    const count = this.categories.length;
    const all = this.pictures.map((picture) => picture.frame);
    this.category_sums.forEach((output, c) => {
      output.textContent = all.map((frame) => withPrefix(frame.zones[this.view.zone * count + c] || 0, "flop")).join(" | ");
    });
    this.sums_table(all);
    this.links_table(all);
    const [drawing] = this.pictures.map((picture) => picture.drawing);
    const parts = [];
    if (this.view.kind === "topology") {
      parts.push("Squares are hosts, filled by their use; discs are collapsed zones; diamonds are links that others meet in. A wire is as thick as its fullest link is used, in the colour of the category that uses most of it; with a red edge, the link is full. A wire between zones shows all categories.");
      if (drawing.names_left_out > 0) parts.push(counted(drawing.names_left_out, "name") + (drawing.names_left_out === 1 ? " has" : " have") + " no room.");
      if (this.usages[0].wires_more > 0) parts.push("Not drawn: " + counted(this.usages[0].wires_more, "wire") + ".");
    } else parts.push("Each rectangle is a host, in its zones. " + (this.view.is_difference ? "" : this.view.area === "slice"
      ? "Its area is its work in the time window, divided by category."
      : "It is filled by its use in the time window, divided by category."));
    byId("picture-note").textContent = parts.join(" ");
  }
  sums_table(frames) {
    const shown = this.categories.map((name, c) => c).filter((c) => byId("category-" + c) && this.shown[c]), count = this.categories.length;
    const usage = this.usages[0], zone = this.view.zone, most = 25;
    const zones = usage.inside[zone].filter((inner) => usage.zone_hosts[inner] > 0);
    const hosts = [...usage.hosts_in[zone]].sort((a, b) => frames[0].host_sum[b] - frames[0].host_sum[a]).slice(0, most);
    const columns = frames.length === 1 ? [""] : [" (first)", " (second)"];
    const header = ["zone or host"];
    for (const c of shown) for (const which of columns) header.push(category_title(this.categories[c]) + which);
    for (const which of columns) header.push("sum" + which);
    if (frames.length === 1) header.push("use"); else header.push("difference");
    const has = (frame, values, i) => i * count < values.length;
    const line = (name, i, of, sum_of, share) => {
      const cells = [name];
      for (const c of shown) for (const frame of frames) cells.push(withPrefix(has(frame, frame[of], i) ? frame[of][i * count + c] : 0, "flop"));
      const sums = frames.map((frame) => frame[sum_of][i] || 0);
      cells.push(...sums.map((sum) => withPrefix(sum, "flop")));
      cells.push(frames.length === 1 ? percent(frames[0][share](i)) : signed(sums[1] - sums[0]));
      return row(cells);
    };
    const body = [line(usage.zone_names[zone] + " (all)", zone, "zones", "zone_sum", "zone_share")];
    for (const inner of zones) body.push(line(usage.zone_names[inner], inner, "zones", "zone_sum", "zone_share"));
    for (const host of hosts) body.push(line(usage.hosts[host], host, "hosts", "host_sum", "host_share"));
    byId("sums").replaceChildren(row(header, "th"), ...body, restRow(hosts.length, usage.hosts_in[zone].length, "host", header.length));
  }
  links_table(frames) {
    const shown = this.categories.map((name, c) => c).filter((c) => byId("category-" + c) && this.shown[c]), count = this.categories.length;
    const most = 12, table = [];
    frames.forEach((frame, i) => {
      const usage = frame.usage, used = [];
      for (let link = 0; link < frame.link_sum.length; ++link) if (frame.link_sum[link] > 0) used.push(link);
      used.sort((a, b) => frame.link_share(b) - frame.link_share(a) || frame.link_sum[b] - frame.link_sum[a]);
      const header = [(frames.length === 1 ? "" : i === 0 ? "first: " : "second: ") + "link", ...shown.map((c) => category_title(this.categories[c])), "sum", "use"];
      table.push(row(header, "th"));
      for (const link of used.slice(0, most))
        table.push(row([usage.links[link], ...shown.map((c) => withPrefix(frame.links[link * count + c], "B")),
          withPrefix(frame.link_sum[link], "B"), percent(frame.link_share(link))]));
      if (used.length === 0) table.push(row(["no traffic on links", ...header.slice(1).map(() => "")]));
      table.push(restRow(Math.min(used.length, most), used.length, "used link", header.length));
    });
    byId("links").replaceChildren(...table);
  }

  // For tests: what is shown, in numbers.
  state() {
    const areas = (rectangles) => rectangles.map((all) => {
      let area = 0;
      for (let i = 0; i < all.length; i += 4) area += all[i + 2] * all[i + 3];
      return area;
    });
    return { ...this.view, position: this.position, width: this.width, steps: this.steps, playing: this.is_playing, frames: this.frames,
      categories: this.categories, runs: this.pictures.map((picture) => ({
        hosts: [...picture.frame.host_sum].length, host_sum: picture.frame.host_sum.reduce((a, b) => a + b, 0),
        link_sum: picture.frame.link_sum.reduce((a, b) => a + b, 0),
        zones: picture.usage.zones.map((zone, i) => ({ path: picture.usage.path(i), sum: picture.frame.zone_sum[i],
          by: [...picture.frame.zones.slice(i * this.categories.length, (i + 1) * this.categories.length)] })),
        cells: picture.treemap.cells.length, areas: picture.treemap.drawn ? areas(picture.treemap.drawn) : [],
        host_areas: picture.drawing.drawn ? areas(picture.drawing.drawn) : [], hosts_drawn: picture.drawing.hosts_drawn || 0,
        discs: picture.topology.discs ? picture.topology.discs.length : 0, scale: picture.topology.scale })) };
  }
}

const page = new Page();
page.frames = 0;
window.rehearse = { ready: true, page, state: () => page.state() };
