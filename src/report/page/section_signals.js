// SPDX-License-Identifier: Apache-2.0
// How many signals: the scree beside chance, what goes together, and whether more items would add any.

function signalsSection(audit) {
  const signals = audit.signals, figures = audit.figures;
  if (!signals) return [element("p", {}, sentence(audit.signals_reason ?? "signals need two models or more on the same items"))];
  return [
    element("p", {}, signalsSentence(signals)),
    element("div", { class: "pair" }, scree(signals), saturation(signals.saturation)),
    figures.correlations ? correlationsFigure(figures.correlations) : null,
    figures.outcomes ? outcomesFigure(figures.outcomes) : null,
    signals.groups?.some((group) => group.length > 1) ? groupsTable(signals.groups) : null,
    signals.audit?.verdict?.length ? verdict(signals.audit.verdict) : null,
  ];
}

function signalsSentence(s) {
  const within = (interval) => { const shown = range([interval?.low, interval?.high]); return shown ? ` (${percent(interval.level, 0)} interval ${shown})` : ""; };
  const without = s.ed_replicate;
  const replicate = isNumber(without?.value)
    ? ` With the noise of the answers removed it is ${number(without.value, 2)}${within(without)}.`
    : ` This is an upper bound: much of it is the luck of each answer, which ${without ? `these repeats do not suffice to remove (it ${clean(without.reason ?? "needs more of them")})` : "single runs cannot tell"}.`;
  return `The effective dimensionality of the scores as they are, ${plural(s.models, "model")} on ${plural(s.items, "item")}, is ${number(s.ed.task, 2)}` +
    `${within(s.ed_interval)}; pure noise would give ${number(s.null.marchenko_pastur, 1)}, ` +
    `and ${number(s.parallel_analysis, 0)} component${s.parallel_analysis === 1 ? " is" : "s are"} larger than in shuffled tables.${replicate}`;
}

function scree(s) {
  const total = s.spectrum.reduce((a, b) => a + (b ?? 0), 0) || 1, most = Math.min(s.spectrum.length, 30);
  const rows = s.spectrum.slice(0, most).map((value, k) => ({ k: k + 1, share: value / total, chance: (s.null.permutation_q95?.[k] ?? NaN) / total }));
  return figure("Components beside chance", "How much of the differences between models each component holds, and the 95th percentile where answers are shuffled.",
    (width) => chart(width, {
      height: 260, marginLeft: 46, insetLeft: 12, insetRight: 12, x: { label: "component", tickFormat: whole }, y: { label: "share, %", percent: true, grid: true },
      marks: [
        Plot.ruleX(rows, { x: "k", y: "share", stroke: "var(--blue)", strokeWidth: Math.max(2, 0.5 * width / most) }),
        Plot.lineY(rows, { x: "k", y: "chance", stroke: "var(--orange)", strokeWidth: 2 }),
        Plot.tip(rows, Plot.pointerX({ x: "k", y: "share", title: (d) => `component ${d.k}: ${percent(d.share)}\nby chance below ${percent(d.chance)}` })),
        Plot.ruleY([0], { stroke: "var(--line)" }),
      ],
    }), { legend: legend([["blue", "these data"], ["orange", "chance, 95th percentile"]]) });
}

function saturation(curves) {
  const of = curves?.items, limit = of?.fits?.[0]?.ed_inf;
  const points = (of?.sizes ?? []).map((n, k) => ({ n, ed: of.mean[k], sd: of.sd[k] })).filter((d) => isNumber(d.ed));
  if (points.length < 2) return null;
  return figure("Would more items add signals?", `Effective dimensionality of random subsets of the items, mean and one standard deviation${isNumber(limit) ? `; the curve heads for ${number(limit, 1)}` : ""}.`,
    (width) => chart(width, {
      height: 260, marginLeft: 46, x: { label: "items", tickFormat: whole }, y: { label: "dimension", grid: true, zero: true },
      marks: [
        Plot.areaY(points, { x: "n", y1: (d) => d.ed - (d.sd ?? 0), y2: (d) => d.ed + (d.sd ?? 0), fill: "var(--blue)", fillOpacity: 0.2 }),
        Plot.lineY(points, { x: "n", y: "ed", stroke: "var(--blue)" }),
        Plot.dot(points, { x: "n", y: "ed", fill: "var(--blue)", r: 3, tip: true, title: (d) => `${d.n} items: ${number(d.ed, 2)}` }),
        isNumber(limit) ? Plot.ruleY([limit], { stroke: "var(--orange)", strokeDasharray: "4 3" }) : null,
      ],
    }));
}

function correlationsFigure(map) {
  const title = (k) => (map.labels ? cut(map.labels[k], 40) : `about ${k}`);
  return figure("What goes together", `Correlation of ${clean(map.what ?? "items")} over models, like next to like; what is the same for all models is left out${map.of > map.rows ? `; ${map.of} drawn as ${map.rows}` : ""}.`,
    heatmap(map, (row, column, value) => `${title(row)} and ${title(column)}: ${value === null ? "no variance" : number(value, 2)}`),
    { legend: ramp(number(map.low, 0), number(map.high, 0), true) });
}

function outcomesFigure(map) {
  return figure("The table itself", "Models from best to worst, items from easy to hard; pink is no score." +
    (map.of_rows > map.rows || map.of_columns > map.columns ? ` ${map.of_rows} models on ${map.of_columns} items are drawn as ${map.rows} by ${map.columns} means.` : ""),
    heatmap(map, (row, column, value) => `${map.models ? cut(map.models[row], 40) : `models about ${row}`}, ${map.items ? cut(map.items[column], 40) : `items about ${column}`}: ${value === null ? "no score" : number(value, 2)}`, { square: false }),
    { legend: ramp(number(map.low, 0), number(map.high, 0)) });
}

function groupsTable(groups) {
  const together = groups.filter((group) => group.length > 1);
  return [element("h3", {}, "Columns that go together"), table("groups of columns", [
    { title: "size", of: (row) => row.length, number: true, show: (value) => number(value, 0) },
    { title: "columns", of: (row) => row.join(", "), show: (value) => element("span", { class: "text" }, cut(value, 400)) },
  ], together)];
}

function verdict(sentences) {
  return [element("h3", {}, "What a maintainer can do"),
    element("ul", { class: "plain" }, sentences.map((row) => element("li", {}, clean(row.answer),
      row.do ? [element("br"), element("b", {}, clean(row.do))] : null,
      element("br"), element("span", { class: "soft" }, `assumes: ${clean(row.assumption)}`))))];
}
