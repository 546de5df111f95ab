// SPDX-License-Identifier: Apache-2.0
// How far the score moves with the wording: the distribution over templates, and who wins under which.

const GRIDS_DRAWN = 30, FEWEST_OF_A_CURVE = 5;

function templatesSection(audit) {
  const grids = audit.templates;
  if (!grids?.length) return [element("p", {}, sentence(audit.templates_reason ?? "every prompt was asked in one wording"))];
  return [ridgelines(grids), grids.length > 1 ? winners(grids) : null, wordingsTable(grids)];
}

const gridName = (grid) => cut(grid.task ? `${grid.model} / ${grid.task}` : grid.model, 40);

// The method that has earned the first place stands first.
const leading = (grid) => grid.estimates[0];

function ridgelines(grids) {
  const few = grids.slice(0, GRIDS_DRAWN), names = few.map(gridName), enough = few.filter((grid) => leading(grid).scores.length >= FEWEST_OF_A_CURVE);
  const curves = enough.flatMap((grid) => density(leading(grid).scores).map((at) => ({ ...at, grid: few.indexOf(grid) })));
  const points = few.flatMap((grid, k) => leading(grid).scores.map((x, t) => ({ x, grid: k, template: cut(grid.template_ids?.[t] ?? `template ${t + 1}`, 40), interval: leading(grid).interval?.scores?.[t] })));
  const medians = few.map((grid, k) => ({ x: leading(grid).quantiles?.["0.5"], grid: k })).filter((d) => isNumber(d.x));
  const highest = Math.max(...curves.map((at) => at.y), 1e-9);
  return figure("Scores over the wordings", `One row a model: ${enough.length ? "the curve says how many wordings give a score, " : ""}each dot is a wording, the bar is the median.` +
    (grids.length > few.length ? ` The first ${few.length} of ${grids.length} are drawn.` : ""),
    (width) => chart(width, {
      marginLeft: rowLabels(names, Math.min(230, width * 0.36)).margin, height: 60 + 58 * few.length,
      x: { label: "score under a wording, %", percent: true, grid: true },
      y: { axis: null, domain: [-0.25 * highest, highest] }, fy: { ...rowLabels(names, Math.min(230, width * 0.36)).scale, padding: 0.05 },
      marks: [
        Plot.areaY(curves, { x: "x", y: "y", fy: "grid", fill: "var(--blue)", fillOpacity: 0.3 }),
        Plot.lineY(curves, { x: "x", y: "y", fy: "grid", stroke: "var(--blue)" }),
        Plot.ruleX(medians, { x: "x", fy: "grid", y1: -0.2 * highest, y2: 0.4 * highest, stroke: "var(--orange)", strokeWidth: 2.5 }),
        Plot.dot(points, { x: "x", y: () => -0.14 * highest, fy: "grid", r: 2, fill: "var(--soft)", fillOpacity: 0.7, tip: true, title: (d) => `${d.template}\n${percent(d.x)}${d.interval ? ` (${range(d.interval, "share")})` : ""}` }),
      ],
    }));
}

// A kernel estimate, with Silverman's width, where scores can be.
function density(scores) {
  const n = scores.length, mean = scores.reduce((a, b) => a + b, 0) / n;
  const sd = Math.sqrt(scores.reduce((a, b) => a + (b - mean) ** 2, 0) / Math.max(1, n - 1));
  const width = Math.max(0.005, 1.06 * sd * n ** -0.2), low = Math.max(0, Math.min(...scores) - 3 * width), high = Math.min(1, Math.max(...scores) + 3 * width);
  return Array.from({ length: 81 }, (_, k) => {
    const x = low + (high - low) * k / 80;
    return { x, y: scores.reduce((sum, s) => sum + Math.exp(-0.5 * ((x - s) / width) ** 2), 0) / (n * width * Math.sqrt(2 * Math.PI)) };
  });
}

// By the templates that all of a task's models have, in the same order.
function winners(grids) {
  const tasks = new Map();
  for (const grid of grids) tasks.set(grid.task ?? "", [...(tasks.get(grid.task ?? "") ?? []), grid]);
  const counts = [];
  for (const [task, rivals] of tasks) {
    const ids = JSON.stringify(rivals[0].template_ids);
    if (rivals.length < 2 || rivals.some((grid) => JSON.stringify(grid.template_ids) !== ids)) continue;
    const won = new Map(rivals.map((grid) => [grid, 0]));
    leading(rivals[0]).scores.forEach((_, t) => {
      const best = Math.max(...rivals.map((grid) => leading(grid).scores[t]));
      for (const grid of rivals) if (leading(grid).scores[t] === best) won.set(grid, won.get(grid) + 1);
    });
    for (const [grid, n] of won) if (n > 0) counts.push({ model: grid.model, task: cut(task, 30), n, of: leading(grid).scores.length });
  }
  if (!counts.length) return null;
  const models = [...new Set(counts.map((row) => row.model))];
  return figure("Who wins under which wording", "How many wordings put each model first, by the estimated scores; a tie counts for each; models that never come first are left out.",
    (width) => chart(width, {
      marginLeft: rowLabels(models, Math.min(230, width * 0.36)).margin, height: 50 + 24 * models.length,
      x: { label: "wordings", grid: true, tickFormat: whole }, y: rowLabels(models, Math.min(230, width * 0.36)).scale,
      marks: [Plot.barX(counts, { x: "n", y: (d) => models.indexOf(d.model), fill: "var(--blue)", tip: true, title: (d) => `${cut(d.model, 60)}${d.task ? ` on ${d.task}` : ""}: first under ${d.n} of ${d.of} wordings` })],
    }));
}

function wordingsTable(grids) {
  const rows = grids.map((grid) => ({ grid, first: leading(grid) }));
  const at = (p) => ({ title: `${100 * p}\u2009%`, of: ({ first }) => first.quantiles?.[String(p)], number: true, show: (value, { first }) => element("span", { title: range(first.interval?.quantiles?.[String(p)], "share") ?? "" }, percent(value)), hint: "quantile over wordings" });
  return table("scores over wordings", [
    { title: "model", of: ({ grid }) => gridName(grid) },
    { title: "wordings", of: ({ grid }) => grid.templates, number: true, show: (value) => number(value, 0) },
    { title: "cells run", of: ({ grid }) => grid.observed, number: true, show: (value, { grid }) => `${number(value, 0)} of ${number(grid.templates * grid.items, 0)}` },
    { title: "mean", of: ({ first }) => first.mean, number: true, show: (value, { first }) => `${percent(value)} (${range(first.interval?.mean, "share") ?? "no interval"})` },
    at(0.05), at(0.25), at(0.5), at(0.75), at(0.95),
    { title: "spread", of: ({ grid }) => grid.spread?.noise_free_sd, number: true, show: (value) => percent(value), hint: "standard deviation over wordings, sampling noise removed" },
    { title: "by", of: ({ first }) => first.method },
  ], rows);
}
