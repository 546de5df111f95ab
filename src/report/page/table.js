// SPDX-License-Identifier: Apache-2.0
// Tables that sort by any column and filter by text. Rows are drawn some at a time, so that thousands of
// items stay smooth.

const ROWS_AT_A_TIME = 200;

// columns: [{ title, of: row => value, show?: (value, row) => node or text, number?: true, whole?: true, hint? }]
// (whole: not broken into lines)
function table(caption, columns, rows, { filter = rows.length > 12, sorted = null } = {}) {
  const body = element("tbody");
  const count = element("span", { role: "status" });
  const heads = columns.map((column, k) =>
    element("th", { scope: "col", class: column.number ? "number" : null, "aria-sort": "none", title: column.hint },
      element("button", { type: "button", onclick: () => sortBy(k) }, column.title)));
  const search = element("input", { type: "search", placeholder: "filter", "aria-label": `filter: ${caption}`, oninput: draw });
  const more = element("button", { type: "button", onclick: () => { limit += 5 * ROWS_AT_A_TIME; draw(); } });
  let order = rows.map((_, k) => k), by = null, down = false, limit = ROWS_AT_A_TIME;

  function sortBy(k) {
    down = by === k ? !down : Boolean(columns[k].number);
    by = k;
    const keys = rows.map(columns[k].of);
    order.sort((a, b) => compare(keys[a], keys[b], down) || a - b);
    heads.forEach((head, j) => head.setAttribute("aria-sort", j !== k ? "none" : down ? "descending" : "ascending"));
    draw();
  }

  function draw() {
    const wanted = search.value.trim().toLowerCase();
    const matching = wanted ? order.filter((k) => textOf(rows[k]).includes(wanted)) : order;
    body.replaceChildren(...matching.slice(0, limit).map((k) => element("tr", {}, columns.map((column) => cellOf(column, rows[k])))));
    count.textContent = matching.length === rows.length ? plural(rows.length, "row") : `${number(matching.length, 0)} of ${plural(rows.length, "row")}`;
    more.hidden = matching.length <= limit;
    more.textContent = `show more (${number(matching.length - limit, 0)} left)`;
  }

  const texts = new Map();
  function textOf(row) {
    if (!texts.has(row)) texts.set(row, columns.map((column) => String(column.of(row) ?? "")).join(" ").slice(0, 4000).toLowerCase());
    return texts.get(row);
  }

  if (sorted !== null) sortBy(sorted);
  else draw();
  return element("div", { class: "table" },
    element("div", { class: "tools" }, filter ? search : null, count, more),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      element("table", {}, element("caption", { hidden: true }, caption), element("thead", {}, element("tr", {}, heads)), body)));
}

function cellOf(column, row) {
  const value = column.of(row);
  const content = column.show ? column.show(value, row) : column.number ? number(value) : name(value);
  return element("td", { class: column.number ? "number" : column.whole ? "whole" : null }, content);
}

// What is missing stands last whichever way.
function compare(a, b, down) {
  const none = (x) => x === null || x === undefined || Number.isNaN(x);
  if (none(a) || none(b)) return none(a) - none(b);
  const way = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  return down ? -way : way;
}
