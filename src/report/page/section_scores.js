// SPDX-License-Identifier: Apache-2.0
// Scores, raw against corrected: a forest plot and its table. Without texts of prompts there are raw ones only.

const MODELS_DRAWN = 60;

function scoresSection(audit) {
  const score = audit.score, means = audit.means;
  if (!score && !means) return [element("p", {}, sentence(audit.means_reason ?? "no scores from 0 to 1 were found"))];
  if (!score) return [
    element("p", {}, `Every prompt counts once, and the interval takes prompts to be independent. ${sentence(audit.score_reason)}`),
    forest(means.map((row) => ({ model: row.model, raw: row.mean, interval: row.interval, about: "these prompts" })), audit.level),
    meansTable(means),
  ];
  return [
    element("p", {}, "The raw score counts every prompt once; what its interval is about stands in the table: where that is topics, the prompts of a topic are one draw. " +
      "The corrected score counts every topic once (BHM-ESC). As published it is pulled towards one half where there are few runs; where it could be learnt from the answers how far topics differ, that pull is gone."),
    forest(score.models.map((row) => ({
      model: row.model, raw: row.raw.mean, interval: row.raw.lead?.interval ?? row.raw.wilson, about: row.raw.lead?.about ?? "these prompts",
      corrected: corrected(row)?.mean, ofTopics: corrected(row)?.interval_mean,
    })), score.level),
    scoresTable(score),
  ];
}

// The one that the headline names: learnt where there is one.
const corrected = (row) => (isNumber(row.hyper?.mean) ? row.hyper : row.corrected);

// rows: [{ model, raw, interval, about, corrected?, ofTopics? }]
function forest(rows, level) {
  const models = rows.filter((row) => isNumber(row.raw)).sort((a, b) => b.raw - a.raw).slice(0, MODELS_DRAWN), both = models.some((row) => isNumber(row.corrected));
  const raw = models.map((row, k) => ({ row: k, model: row.model, what: "raw", at: row.raw, interval: row.interval, about: row.about }));
  const others = models.map((row, k) => ({ row: k, model: row.model, what: "corrected", at: row.corrected, interval: row.ofTopics, about: "these topics" })).filter((row) => isNumber(row.at));
  const drawn = (points, colour, dy) => [
    Plot.ruleY(points.filter((d) => d.interval), { x1: (d) => d.interval[0], x2: (d) => d.interval[1], y: "row", stroke: colour, strokeWidth: 2, strokeOpacity: 0.75, dy }),
    Plot.dot(points, { x: "at", y: "row", fill: colour, r: 3.5, dy, tip: true, title: (d) => `${cut(d.model, 60)}\n${d.what} ${percent(d.at)}\n${range(d.interval, "share") ?? "no interval"}, ${d.about}` }),
  ];
  const labels = (width) => rowLabels(models.map((row) => row.model), Math.min(250, width * 0.38));
  return figure(both ? "Scores, raw and corrected" : "Scores",
    `Points with ${percent(level, 0)} intervals, by raw score${rows.length > models.length ? `; the first ${models.length} of ${rows.length} models` : ""}. ` +
    "Where two models' intervals overlap widely, this page does not say which is better: compare them on the same prompts.",
    (width) => chart(width, {
      marginLeft: labels(width).margin, height: 50 + 22 * models.length,
      x: { label: "score, %", percent: true, grid: true, nice: true }, y: { ...labels(width).scale, padding: 0.3 },
      marks: [...drawn(raw, "var(--blue)", both ? -4 : 0), ...drawn(others, "var(--orange)", 4)],
    }), { legend: both ? legend([["blue", "raw, all prompts alike"], ["orange", "corrected, a topic counts once"]]) : null });
}

function meansTable(means) {
  return table("scores", [
    { title: "model", of: (row) => row.model },
    { title: "prompts", of: (row) => row.n, number: true, show: (value) => number(value, 0) },
    { title: "raw", of: (row) => row.mean, number: true, show: (value) => percent(value) },
    { title: "Wilson, %", of: (row) => row.interval?.[0], whole: true, show: (_, row) => between(row.interval), hint: "prompts as independent draws" },
  ], [...means].sort((a, b) => b.mean - a.mean));
}

function scoresTable(score) {
  return table("scores", [
    { title: "model", of: (row) => row.model },
    { title: "prompts", of: (row) => row.n, number: true, show: (value) => number(value, 0) },
    { title: "runs", of: (row) => row.trials, number: true, show: (value) => number(value, 0) },
    { title: "raw", of: (row) => row.raw.mean, number: true, show: (value) => percent(value) },
    { title: "interval, %", of: (row) => row.raw.lead?.interval?.[0], whole: true, show: (_, row) => between(row.raw.lead?.interval), hint: "the interval that was measured to cover, and what it is about" },
    { title: "about", of: (row) => row.raw.lead?.about, whole: true, show: (value) => clean(value) },
    { title: "Wilson", of: (row) => row.raw.wilson?.[0], whole: true, show: (_, row) => between(row.raw.wilson), hint: "prompts as independent draws" },
    { title: "clustered", of: (row) => row.raw.clustered?.[0], whole: true, show: (_, row) => between(row.raw.clustered), hint: "topics as independent draws" },
    { title: "corrected", of: (row) => corrected(row)?.mean, number: true, show: (value) => percent(value), hint: "a topic counts once; how far topics differ learnt from the answers, where it could be" },
    { title: "these topics", of: (row) => corrected(row)?.interval_mean?.[0], whole: true, show: (_, row) => between(corrected(row)?.interval_mean), hint: "interval of the corrected score, about these topics" },
    { title: "as published", of: (row) => row.corrected?.mean, number: true, show: (value) => percent(value), hint: "the corrected score as BHM-ESC was published, pulled towards one half" },
    { title: "topics", of: (row) => row.clusters?.mean, number: true, show: (value) => number(value, 1), hint: "this model's expected number of topics" },
  ], [...score.models].sort((a, b) => b.raw.mean - a.raw.mean));
}
