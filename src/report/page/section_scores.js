// SPDX-License-Identifier: Apache-2.0
// Scores, raw against corrected: a forest plot and its table.

const MODELS_DRAWN = 60;

function scoresSection(audit) {
  const score = audit.score;
  if (!score) return [element("p", {}, sentence(audit.score_reason ?? "no scores of prompts were found"))];
  return [
    element("p", {}, "The raw score counts every prompt once; its interval treats the prompts of a topic as one draw. " +
      "The corrected score counts every topic once (BHM-ESC as published) and is pulled towards one half where there are few runs."),
    forest(score),
    scoresTable(score),
  ];
}

function forest(score) {
  const models = score.models.slice(0, MODELS_DRAWN);
  const label = (row) => cut(row.model, 34);
  const rows = models.flatMap((row) => [
    { model: label(row), what: "raw", at: row.raw.mean, interval: row.raw.lead?.interval ?? row.raw.wilson, about: row.raw.lead?.about ?? "these prompts" },
    { model: label(row), what: "corrected", at: row.corrected?.mean, interval: row.corrected?.interval_mean, about: "these topics" },
  ]).filter((row) => isNumber(row.at));
  const colour = (row) => (row.what === "raw" ? "var(--blue)" : "var(--orange)");
  const shift = (what) => rows.filter((row) => row.what === what);
  const drawn = (what, dy) => [
    Plot.ruleY(shift(what).filter((row) => row.interval), { x1: (d) => d.interval[0], x2: (d) => d.interval[1], y: "model", stroke: colour(shift(what)[0] ?? { what }), strokeWidth: 2, strokeOpacity: 0.75, dy }),
    Plot.dot(shift(what), { x: "at", y: "model", fill: colour(shift(what)[0] ?? { what }), r: 3.5, dy, tip: true, title: (d) => `${d.model}\n${d.what} ${percent(d.at)}\n${range(d.interval, "share") ?? "no interval"}, ${d.about}` }),
  ];
  return figure("Scores, raw and corrected",
    `Points with ${percent(score.level, 0)} intervals${score.models.length > models.length ? `; the first ${models.length} of ${score.models.length} models, by corrected score` : ""}. ` +
    "Where two models' intervals overlap widely, this page does not say which is better: compare them on the same prompts.",
    (width) => chart(width, {
      marginLeft: Math.min(250, width * 0.38), height: 50 + 22 * models.length,
      x: { label: "score", percent: true, grid: true, nice: true }, y: { label: null, domain: models.map(label), padding: 0.3 },
      marks: [...drawn("raw", -4), ...drawn("corrected", 4)],
    }), { legend: legend([["blue", "raw, all prompts alike"], ["orange", "corrected, a topic counts once"]]) });
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
    { title: "corrected", of: (row) => row.corrected?.mean, number: true, show: (value) => percent(value) },
    { title: "these topics", of: (row) => row.corrected?.interval_mean?.[0], whole: true, show: (_, row) => between(row.corrected?.interval_mean) },
    { title: "topics", of: (row) => row.clusters?.mean, number: true, show: (value) => number(value, 1), hint: "this model's expected number of topics" },
  ], score.models);
}
