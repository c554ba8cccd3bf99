# SPDX-License-Identifier: MIT
"""How smoothly the page of a usage plays, for the test and for the benchmark."""

# Plays so many frames at 60 slices per second. Gives the milliseconds between frames, those that the page's own code
# needs for a frame that it draws, and the number of these.
FRAMES = """new Promise((done) => {
  const page = rehearse.page, deltas = [], work = [];
  let last = null, spent = 0;
  page.play(false);
  page.set_width(%(width)d);
  page.go(0);
  page.show("%(kind)s");
  document.getElementById("speed").value = "60";
  const timed = (method) => {
    page[method] = (...values) => {
      const begin = performance.now();
      Page.prototype[method].apply(page, values);
      spent += performance.now() - begin;
    };
  };
  timed("use");
  timed("update");
  page.play(true);
  const step = (now) => {
    if (last !== null) deltas.push(now - last);
    if (spent > 0) work.push(spent);
    last = now;
    spent = 0;
    if (deltas.length < %(frames)d) return requestAnimationFrame(step);
    page.play(false);
    delete page.use;
    delete page.update;
    done({ deltas, work, drawn: work.length });
  };
  requestAnimationFrame(step);
})"""
