/* What a reader does with a page of daelab report, and what is seen then: one line of JSON in an element of its own. */
"use strict";
(() => {
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));
  const rows = table => Array.from(table.tBodies[0].rows);
  const column = (table, i) => rows(table).map(row => row.cells[i].dataset.v ?? row.cells[i].textContent);
  const seen = {};

  const has_errors = t => all("th", t).some(h => h.textContent.startsWith("error_multiplier"));
  const table = all("table").find(t => has_errors(t) && rows(t).length > 6);
  const heads = all("th", table), place = heads.findIndex(h => h.textContent.startsWith("error_multiplier "));
  heads[place].querySelector("button").click();
  seen.up = column(table, place).map(Number);
  heads[place].querySelector("button").click();
  seen.down = column(table, place).map(Number);
  seen.sorted = heads[place].getAttribute("aria-sort");

  const input = table.closest(".scroll").previousElementSibling.querySelector("input");
  input.value = "index1";
  input.dispatchEvent(new Event("input"));
  seen.filtered = rows(table).filter(row => !row.hidden).map(row => row.textContent.includes("index1"));

  const figure = all("figure").find(f => f.textContent.includes("errors against the step"));
  const data = JSON.parse(figure.querySelector("script").textContent), curve = data.facets[0].curves[0];
  const svg = figure.querySelector(".panel-svg"), mark = svg.querySelector(".mark");
  const [x, y] = mark.getAttribute("d").match(/M([\d.]+) ([\d.]+)/).slice(1).map(Number);
  const box = svg.getBoundingClientRect();
  const move = new PointerEvent("pointermove", {clientX: box.left + x / 300 * box.width,
                                                clientY: box.top + y / 216 * box.height});
  svg.dispatchEvent(move);
  const tip = document.querySelector(".tip");
  seen.tip = tip.hidden ? "" : tip.textContent;
  seen.first = [curve.values[Number(svg.dataset.x)][0], curve.values[Number(svg.dataset.y)][0]];
  svg.dispatchEvent(new PointerEvent("pointerleave"));
  seen.gone = tip.hidden;
  svg.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
  seen.key = tip.hidden ? "" : tip.textContent;
  seen.spoken = document.querySelector("[aria-live]").textContent;

  const key = figure.querySelector(".key");
  key.click();
  seen.off = getComputedStyle(mark).display;
  key.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"}));
  seen.on = getComputedStyle(mark).display;

  const colour = () => getComputedStyle(document.body).backgroundColor;
  const theme = document.querySelector(".theme"), before = colour(), word = theme.textContent;
  theme.click();
  seen.grounds = [before, colour()];
  seen.words = [word, theme.textContent];
  theme.click();
  seen.back = colour() === before;

  const choice = document.querySelector(".axes-choice");
  if (choice) {
    const owner = choice.closest("figure"), panel = owner.querySelector(".panel-svg");
    const select = choice.querySelector("select"), line = () => panel.querySelector(".line").getAttribute("d");
    const path = line(), label = panel.getAttribute("aria-label");
    const other = Array.from(select.options).find(o => o.textContent === "steps");
    select.value = other.value;
    select.dispatchEvent(new Event("change"));
    seen.axes = {label, after: panel.getAttribute("aria-label"), moved: line() !== path};
  }
  seen.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  seen.width = document.documentElement.clientWidth;

  const pre = document.createElement("pre");
  pre.id = "seen";
  pre.textContent = "SEEN " + JSON.stringify(seen) + " SEEN";
  document.body.append(pre);
})();
