// Formats numbers, and makes elements.
function seconds(picoseconds) {
  const units = [[1e12, "s"], [1e9, "ms"], [1e6, "us"], [1e3, "ns"]];
  for (const [size, unit] of units)
    if (Math.abs(picoseconds) >= size) return +(picoseconds / size).toPrecision(6) + " " + unit;
  return +picoseconds.toPrecision(4) + " ps";
}

function withPrefix(value, unit) {
  const prefixes = ["", "k", "M", "G", "T", "P"];
  let at = 0;
  for (; value >= 1000 && at + 1 < prefixes.length; ++at) value /= 1000;
  return +value.toPrecision(4) + " " + prefixes[at] + unit;
}

function withCommas(value) { return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ","); }
function counted(value, noun) { return withCommas(value) + " " + noun + (value === 1 ? "" : "s"); }
function percent(part) {
  if (part > 0 && part < 0.0005) return "< 0.1 %";
  return (100 * part).toFixed(part > 0 && part < 0.1 ? 1 : 0) + " %";
}

// element("p.note", "text", child...): texts are never interpreted as markup.
function element(what, ...children) {
  const [tag, ...classes] = what.split(".");
  const made = document.createElement(tag || "div");
  if (classes.length) made.className = classes.join(" ");
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

function byId(id) { return document.getElementById(id); }

function row(cells, tag = "td") {
  return element("tr", ...cells.map((cell) => {
    const made = element(tag, cell instanceof Node ? cell : String(cell));
    if (typeof cell === "number" || /^(< )?-?[\d,.]+( [^ ]{1,6})?$/.test(String(cell))) made.className = "n";
    return made;
  }));
}

// The last row of a table that shows only the first `shown` of `all`; nothing if these are all.
function restRow(shown, all, noun, columns) {
  if (shown >= all) return "";
  const cell = element("td.note", withCommas(shown) + " of " + counted(all, noun) + " are shown");
  cell.colSpan = columns;
  return element("tr", cell);
}

// Lines of a source file around the marked ones.
function sourceExcerpt(sources, file, lines, around = 2) {
  const text = sources[file];
  const box = element("div.source");
  if (text === undefined) {
    box.append(element("div", file ? file + " could not be read when this report was made" : "the place is not known"));
    return box;
  }
  const all = text.split("\n");
  let last = 0;
  for (const line of [...new Set(lines)].sort((a, b) => a - b)) {
    const from = Math.max(line - around, last + 1), to = Math.min(line + around, all.length);
    if (last > 0 && from > last + 1) box.append(element("div", element("span.number", "...")));
    for (let n = from; n <= to; ++n) {
      const shown = element(lines.includes(n) ? "div.guilty" : "div", element("span.number", String(n)), all[n - 1] || " ");
      box.append(shown);
      last = n;
    }
  }
  return box;
}
