// SPDX-License-Identifier: Apache-2.0
// Items: which everyone gets right or wrong, and which go against the grain.

function itemsSection(audit) {
  const items = audit.items;
  if (!items?.item.length) return [element("p", {}, "There are no items to tell apart.")];
  const rows = items.item.map((item, k) => ({
    item, text: items.text?.[k], topic: items.topic?.[k], n: items.n[k], rate: items.rate[k],
    rest: items.rest_correlation[k], kind: items.kind[k],
  }));
  const of = (kind) => rows.filter((row) => row.kind === kind).length;
  return [
    element("p", {}, `${plural(of("always right"), "item")} every model that answered gets right, ${number(of("always wrong"), 0)} none does; ` +
      `${number(of("against the grain"), 0)} go against the grain: models that are better on the rest do worse on them, which often is a wrong key. ` +
      "An item that all get right or wrong tells these models apart no more; it may still tell others apart."),
    scatter(rows),
    itemsTable(rows),
  ];
}

const KINDS = [["against the grain", "orange"], ["always right", "green"], ["always wrong", "pink"], ["", "blue"]];

function scatter(rows) {
  const seen = rows.filter((row) => isNumber(row.rate) && isNumber(row.rest)), many = seen.length > 4000;
  if (seen.length < 3) return null;
  return figure("Items by how hard they are and what they tell", "Share of models that are right, and correlation with the score on all other items. Below the line, an item goes against the grain.",
    (width) => chart(width, {
      height: Math.min(380, 0.7 * width), marginLeft: 46, x: { label: "models that are right, %", percent: true, grid: true }, y: { label: "correlation with the rest", grid: true },
      marks: [
        Plot.ruleY([0], { stroke: "var(--soft)" }),
        Plot.dot(seen, { x: "rate", y: "rest", r: many ? 1.3 : 2.8, fill: (d) => `var(--${(KINDS.find(([kind]) => kind === d.kind) ?? KINDS[3])[1]})`, fillOpacity: many ? 0.35 : 0.65 }),
        Plot.tip(seen, Plot.pointer({ x: "rate", y: "rest", title: (d) => `${cut(d.item, 60)}\n${percent(d.rate)} right, correlation ${number(d.rest, 2)}${d.text ? `\n${cut(d.text, 120)}` : ""}` })),
      ],
    }));
}

function itemsTable(rows) {
  const hasText = rows.some((row) => row.text), hasTopic = rows.some((row) => row.topic !== undefined && row.topic !== null);
  const rank = new Map(KINDS.map(([kind], k) => [kind, k]));
  const ordered = [...rows].sort((a, b) => rank.get(a.kind) - rank.get(b.kind) || (a.rest ?? 2) - (b.rest ?? 2));
  return table("items", [
    { title: "item", of: (row) => row.item },
    { title: "remark", of: (row) => row.kind },
    { title: "right", of: (row) => row.rate, number: true, show: (value) => percent(value, 0) },
    { title: "models", of: (row) => row.n, number: true, show: (value) => number(value, 0) },
    { title: "with the rest", of: (row) => row.rest, number: true, show: (value) => number(value, 2), hint: "correlation of the item with the score on all other items" },
    hasTopic ? { title: "topic", of: (row) => row.topic } : null,
    hasText ? { title: "text", of: (row) => row.text, show: (value) => element("span", { class: "text" }, element("bdi", {}, cut(value, 240))) } : null,
  ].filter(Boolean), ordered);
}
