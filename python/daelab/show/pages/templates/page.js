"use strict";
(() => {
  const SVG = document.querySelector("svg")?.namespaceURI;
  const make = (name, attributes, text) => {
    const e = name === "path" || name === "g" || name === "text" || name === "circle"
      ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const key in attributes) e.setAttribute(key, attributes[key]);
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));

  /* ---- light and dark ---- */
  const root = document.documentElement;
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = make("button", {type: "button", class: "theme"});
  const name_theme = () => { theme.textContent = dark() ? "Light" : "Dark"; };
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; name_theme(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name_theme);
  name_theme();
  document.querySelector("header").append(theme);

  /* ---- tables: sorted by a column, filtered by words ---- */
  const missing = v => v === "" || v === "-";
  const value = cell => {
    const text = cell.textContent.trim();
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    return cell.classList.contains("n") && !missing(text) ? Number(text) : text;
  };
  const compare = (a, b) => missing(a) || missing(b) ? missing(a) - missing(b)
    : typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", {numeric: true});
  const sort = (table, column) => {
    const heads = all("th", table), head = heads[column];
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach(h => h.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = all("tbody tr", table).map(row => ({row, v: value(row.cells[column])}));
    rows.sort((a, b) => missing(a.v) || missing(b.v) ? compare(a.v, b.v) : down ? compare(b.v, a.v) : compare(a.v, b.v));
    table.tBodies[0].append(...rows.map(r => r.row));
  };
  const filter = (table, words) => all("tbody tr", table).forEach(row => {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every(w => text.includes(w));
  });
  for (const table of all("table")) {
    all("th", table).forEach((head, i) => {
      const button = make("button", {type: "button", title: "sort"});
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, i));
      head.append(button);
    });
    if (table.tBodies[0].rows.length <= 12) continue;
    const label = make("label", {class: "filter"}, "Rows with: "), input = make("input", {type: "search"});
    input.addEventListener("input", () => filter(table, input.value.toLowerCase().split(/\s+/).filter(w => w)));
    label.append(input);
    table.closest(".scroll").before(label);
  }

  /* ---- figures ---- */
  const W = 300, H = 216, L = 50, R = 10, T = 10, B = 38;
  const speak = make("div", {class: "aside", "aria-live": "polite"});
  const tip = make("div", {class: "tip", hidden: ""});
  document.body.append(speak, tip);
  const shown = x => x === null ? "-" : Number(x.toPrecision(5)).toString().replace("e+", "e");
  const title = q => q.unit ? q.label + ", " + q.unit : q.label;
  const superscript = n => String(n).replace(/./g, c => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]);
  const nice = span => {
    const decade = 10 ** Math.floor(Math.log10(span / 5)), times = span / 5 / decade;
    return decade * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
  };

  /* The same axes as those drawn in the file. */
  const axis_of = (data, q, other, takes_failed) => {
    const log = data.quantities[q].log;
    let low = Infinity, high = -Infinity;
    for (const facet of data.facets) for (const curve of facet.curves) curve.values[q].forEach((x, k) => {
      const failed = takes_failed && curve.failed && curve.failed[k];
      if (x === null || (log && x <= 0) || (curve.values[other][k] === null && !failed)) return;
      const place = log ? Math.log10(x) : x;
      low = Math.min(low, place);
      high = Math.max(high, place);
    });
    if (low > high) { low = 0; high = 1; }
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= 1e-12 * size) { const half = log || size === 0 ? 0.5 : 0.5 * size; low -= half; high += half; }
    const step = log ? 1 : nice(high - low);
    low = step * Math.floor(low / step + 1e-9);
    high = step * Math.ceil(high / step - 1e-9);
    const tick = log ? Math.max(1, Math.ceil((high - low) / 6)) : nice(high - low);
    return {log, low, high, tick};
  };
  const place = (axis, x) => {
    if (x === null) return NaN;
    if (axis.log && x <= 0) return 0;
    return Math.min(Math.max(((axis.log ? Math.log10(x) : x) - axis.low) / (axis.high - axis.low), 0), 1);
  };
  const ticks = axis => {
    const list = [];
    for (let i = Math.ceil(axis.low / axis.tick - 1e-9); i * axis.tick <= axis.high + 1e-9 * axis.tick && list.length < 16; i++)
      list.push(i * axis.tick);
    return list;
  };
  const SHAPES = ["m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", "m-2.7 -2.7h5.4v5.4h-5.4z", "m0 -3.6l3.4 6h-6.8z",
    "m0 -3.8l3.8 3.8l-3.8 3.8l-3.8 -3.8z", "m0 3.6l3.4 -6h-6.8z",
    "m-3.5 -1.2h2.3v-2.3h2.4v2.3h2.3v2.4h-2.3v2.3h-2.4v-2.3h-2.3z", "m-3.4 -2.4l6.8 4.8v-4.8l-6.8 4.8z",
    "m-2.4 -3.4l4.8 6.8h-4.8l4.8 -6.8z"];
  const shape = s => SHAPES[(s + 3 * Math.floor(s / 8)) % 8];

  const panel_of = (figure, svg) => ({svg, facet: figure.data.facets[Number(svg.dataset.facet)],
    x: Number(svg.dataset.x), y: Number(svg.dataset.y), at: -1});
  const scale = (figure, panel) => {
    panel.ax = axis_of(figure.data, panel.x, panel.y, true);
    panel.ay = axis_of(figure.data, panel.y, panel.x, false);
  };
  const across = (panel, x) => L + place(panel.ax, x) * (W - L - R);
  const below = (panel, y) => H - B - place(panel.ay, y) * (H - T - B);
  const spots = (figure, panel) => {
    const list = [];
    for (const curve of panel.facet.curves) {
      if (figure.off.has(curve.series)) continue;
      curve.values[panel.x].forEach((x, k) => {
        const failed = curve.failed && curve.failed[k], px = across(panel, x);
        const py = failed ? T + 5 : below(panel, curve.values[panel.y][k]);
        if (!Number.isNaN(px) && !Number.isNaN(py)) list.push({curve, k, px, py, failed});
      });
    }
    return list;
  };

  /* ---- values under the cursor, or by the arrow keys ---- */
  const hide = panel => {
    tip.hidden = true;
    panel.svg.querySelector(".near")?.remove();
  };
  const show = (figure, panel, spot) => {
    hide(panel);
    if (!spot) return;
    const {data} = figure, q = data.quantities, curve = spot.curve;
    const lines = [panel.x, panel.y].map(i => title(q[i]) + " = " + shown(curve.values[i][spot.k]));
    const note = curve.notes ? curve.notes[spot.k] : "";
    if (note) lines.push(note);
    tip.replaceChildren(make("b", {}, data.series[curve.series]), ...lines.map(l => make("div", {}, l)));
    panel.svg.append(make("circle", {class: "near", cx: spot.px, cy: spot.py, r: 6}));
    const box = panel.svg.getBoundingClientRect();
    tip.hidden = false;
    const left = box.left + spot.px / W * box.width + 12, room = root.clientWidth - tip.offsetWidth - 8;
    tip.style.left = scrollX + Math.max(4, Math.min(left, room)) + "px";
    tip.style.top = scrollY + box.top + spot.py / H * box.height + 12 + "px";
    speak.textContent = panel.facet.title + ", " + data.series[curve.series] + ": " + lines.join("; ");
  };
  const nearest = (list, x, y) => {
    let best = null, least = 30 * 30;
    for (const s of list) {
      const d = (s.px - x) ** 2 + (s.py - y) ** 2;
      if (d < least) { least = d; best = s; }
    }
    return best;
  };
  const watch = (figure, panel) => {
    const svg = panel.svg;
    svg.setAttribute("tabindex", "0");
    svg.addEventListener("pointermove", event => {
      const box = svg.getBoundingClientRect();
      show(figure, panel, nearest(spots(figure, panel), (event.clientX - box.left) / box.width * W, (event.clientY - box.top) / box.height * H));
    });
    svg.addEventListener("pointerleave", () => hide(panel));
    svg.addEventListener("blur", () => hide(panel));
    svg.addEventListener("keydown", event => {
      const by = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
      if (event.key === "Escape") hide(panel);
      if (!by) return;
      event.preventDefault();
      const list = spots(figure, panel);
      if (!list.length) return;
      panel.at = (panel.at + by + list.length) % list.length;
      show(figure, panel, list[panel.at]);
    });
  };

  /* ---- other axes: the panel is drawn anew ---- */
  const draw_axes = (figure, panel) => {
    const g = make("g", {class: "axes"});
    for (const t of ticks(panel.ax)) {
      const x = across(panel, panel.ax.log ? 10 ** t : t);
      g.append(make("path", {class: "grid", d: `M${x} ${T}V${H - B}`}),
        make("text", {class: "tx", x, y: H - B + 13}, panel.ax.log ? "10" + superscript(t) : shown(t)));
    }
    for (const t of ticks(panel.ay)) {
      const y = below(panel, panel.ay.log ? 10 ** t : t);
      g.append(make("path", {class: "grid", d: `M${L} ${y}H${W - R}`}),
        make("text", {class: "ty", x: L - 4, y: y + 3.5}, panel.ay.log ? "10" + superscript(t) : shown(t)));
    }
    g.append(make("path", {class: "frame", d: `M${L} ${T}V${H - B}H${W - R}`}),
      make("text", {class: "lx", x: (L + W - R) / 2, y: H - 6}, title(figure.data.quantities[panel.x])),
      make("text", {class: "ly", transform: `translate(11 ${(T + H - B) / 2})rotate(-90)`}, title(figure.data.quantities[panel.y])));
    return g;
  };
  const draw_curve = (panel, curve) => {
    const kind = `s${curve.series % 8}${curve.series >= 8 ? " more" : ""}`, parts = [];
    let line = "", marks = "", joined = false;
    curve.values[panel.x].forEach((x, k) => {
      const px = across(panel, x), py = below(panel, curve.values[panel.y][k]);
      const there = !Number.isNaN(px) && !Number.isNaN(py);
      if (there) { line += `${joined ? "L" : "M"}${px} ${py}`; marks += `M${px} ${py}${shape(curve.series)}`; }
      joined = there;
      if (curve.failed && curve.failed[k] && !Number.isNaN(px))
        parts.push(make("path", {class: "fail " + kind, "data-series": curve.series, d: `M${px - 3} ${T + 2}l6 6m0 -6l-6 6`}));
    });
    return [make("path", {class: "line " + kind, "data-series": curve.series, d: line}),
      make("path", {class: "mark " + kind, "data-series": curve.series, d: marks}), ...parts];
  };
  const redraw = (figure, panel) => {
    scale(figure, panel);
    const curves = make("g", {class: "curves"});
    for (const curve of panel.facet.curves) curves.append(...draw_curve(panel, curve));
    panel.svg.replaceChildren(draw_axes(figure, panel), curves);
    panel.svg.dataset.x = panel.x;
    panel.svg.dataset.y = panel.y;
    panel.svg.setAttribute("aria-label", panel.facet.title + ": " + title(figure.data.quantities[panel.y]) + " against " + title(figure.data.quantities[panel.x]));
    switch_off(figure);
  };
  const choose = figure => {
    const row = make("div", {class: "axes-choice"});
    for (const [side, bit, key] of [["across", 1, "x"], ["up", 2, "y"]]) {
      const label = make("label", {}, side + ": "), select = make("select", {});
      figure.data.quantities.forEach((q, i) => {
        if (q.sides & bit) select.append(make("option", {value: i}, title(q)));
      });
      select.value = figure.panels[0][key];
      select.addEventListener("change", () => figure.panels.forEach(panel => { panel[key] = Number(select.value); redraw(figure, panel); }));
      label.append(select);
      row.append(label);
    }
    figure.element.querySelector(".legend").before(row);
  };

  /* ---- curves on and off ---- */
  const switch_off = figure => all("[data-series]", figure.element).forEach(e => {
    if (!e.closest(".legend")) e.classList.toggle("hidden", figure.off.has(Number(e.dataset.series)));
  });
  const toggle = (figure, key) => {
    const series = Number(key.dataset.series);
    if (!figure.off.delete(series)) figure.off.add(series);
    key.setAttribute("aria-pressed", String(!figure.off.has(series)));
    switch_off(figure);
  };
  const keys = figure => all(".key", figure.element).forEach(key => {
    key.setAttribute("role", "button");
    key.setAttribute("tabindex", "0");
    key.setAttribute("aria-pressed", "true");
    key.addEventListener("click", () => toggle(figure, key));
    key.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle(figure, key);
    });
  });

  for (const element of all("figure")) {
    const data = JSON.parse(element.querySelector("script").textContent);
    const figure = {element, data, off: new Set()};
    figure.panels = all(".panel-svg", element).map(svg => panel_of(figure, svg));
    figure.panels.forEach(panel => { scale(figure, panel); watch(figure, panel); });
    keys(figure);
    if (element.dataset.chooses) choose(figure);
  }
})();
