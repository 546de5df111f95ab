// SPDX-License-Identifier: Apache-2.0
// Independent prompts: how many topics there are, how alike prompts are, and which are the same.

function promptsSection(audit) {
  const score = audit.score, figures = audit.figures, prompts = figures.prompts ?? audit.items;
  if (!score) return [element("p", {}, sentence(audit.score_reason ?? "without the texts of the prompts nothing is known of their likeness"))];
  const joint = score.joint?.clusters;
  return [
    element("p", {}, joint && isNumber(joint.mean)
      ? `All models together take the ${plural(score.prompts.n, "prompt")} for ${number(joint.mean, 1)} topics (${percent(score.level, 0)} set ${number(joint.low, 0)} to ${number(joint.high, 0)}): ` +
        `two prompts of a topic are answered alike. Likeness is measured by ${embeddingName(score.embedding)}.`
      : "The number of topics is not known."),
    element("div", { class: "pair" },
      figures.topics_posterior ? posteriorFigure(figures.topics_posterior, score) : null,
      figures.map ? mapFigure(figures.map, prompts) : null),
    figures.dendrogram ? dendrogramFigure(figures.dendrogram, prompts) : null,
    figures.similarity ? similarityFigure(figures.similarity) : null,
    figures.duplicates?.length ? [element("h3", {}, "Prompts that are nearly the same"), duplicatesTable(figures.duplicates)]
      : figures.duplicates ? element("p", {}, "No two prompts are so alike that one would call them the same.") : null,
  ];
}

const embeddingName = (embedding) => ({ tfidf: "the words they share (TF-IDF)", minilm: "meaning (MiniLM)" })[embedding] ?? clean(embedding);

function posteriorFigure(posterior, score) {
  const rows = posterior.clusters.map((s, k) => ({ s, p: posterior.p[k] }));
  return figure("How many topics", `Probability of each number of topics, all models together, out of ${plural(score.prompts.n, "prompt")}.`,
    (width) => chart(width, {
      height: 220, marginLeft: 50, x: { label: "topics", tickFormat: whole }, y: { label: "probability", grid: true },
      marks: [
        rows.length > 60 ? Plot.areaY(rows, { x: "s", y: "p", fill: "var(--blue)", fillOpacity: 0.35 }) : Plot.ruleX(rows, { x: "s", y: "p", stroke: "var(--blue)", strokeWidth: Math.max(2, Math.min(14, 0.6 * width / rows.length)) }),
        rows.length > 60 ? Plot.lineY(rows, { x: "s", y: "p", stroke: "var(--blue)" }) : null,
        Plot.tip(rows, Plot.pointerX({ x: "s", y: "p", title: (d) => `${d.s} topics: ${percent(d.p)}` })),
        Plot.ruleY([0], { stroke: "var(--line)" }),
      ],
    }));
}

function mapFigure(map, items) {
  const rows = map.x.map((x, k) => ({ x, y: map.y[k], topic: map.topic[k], item: cut(items.item[k], 60), text: cut(items.text?.[k], 160) }));
  return figure("A map of the prompts", `The two directions in which the prompts differ most${isNumber(map.share) ? ` (${percent(map.share, 0)} of all differences)` : ""}; one colour a topic, colours repeat.`,
    (width) => chart(width, {
      height: Math.min(420, width * 0.75), inset: 8, x: { axis: null }, y: { axis: null },
      marks: [
        Plot.dot(rows, { x: "x", y: "y", r: rows.length > 2000 ? 1.5 : 3, fill: (d) => topicColour(d.topic), fillOpacity: 0.75 }),
        Plot.tip(rows, Plot.pointer({ x: "x", y: "y", title: (d) => `${d.item}\n${d.text}` })),
      ],
    }));
}

const TOPIC_COLOURS = ["blue", "orange", "green", "pink", "sky"];
const topicColour = (topic) => (topic < 0 ? "var(--line)" : `var(--${TOPIC_COLOURS[topic % TOPIC_COLOURS.length]})`);

// merges: [left, right, height] with nodes below n the leaves; order: leaves from left to right.
function dendrogramFigure(dendrogram, items) {
  const n = dendrogram.order.length, x = new Float64Array(2 * n - 1), top = new Float64Array(2 * n - 1);
  dendrogram.order.forEach((leaf, k) => { x[leaf] = k + 0.5; });
  const lines = dendrogram.merges.map(([a, b, height], k) => {
    x[n + k] = (x[a] + x[b]) / 2;
    top[n + k] = height;
    return { a: x[a], b: x[b], from: top[a], to: top[b], height };
  });
  const highest = Math.max(...lines.map((line) => line.height), 1e-9), cuts = dendrogram.cuts ?? [];
  const likeliest = Math.max(...cuts.map((one) => one.p), 1e-9);
  return figure("The tree of prompts", "Prompts join where they are as far apart as the height says; the bars beside it say how probable it is, given the answers, that the topics are what a cut at that height leaves (\u03c0(S|x)).",
    (width) => chart(width, {
      height: 340, marginLeft: 46, marginBottom: 24,
      x: { domain: [0, 1.14 * n], axis: null }, y: { domain: [0, highest], label: "distance", grid: true },
      marks: [
        Plot.ruleX(lines, { x: "a", y1: "from", y2: "height", stroke: "var(--soft)", strokeWidth: n > 400 ? 0.5 : 1 }),
        Plot.ruleX(lines, { x: "b", y1: "to", y2: "height", stroke: "var(--soft)", strokeWidth: n > 400 ? 0.5 : 1 }),
        Plot.ruleY(lines, { y: "height", x1: "a", x2: "b", stroke: "var(--soft)", strokeWidth: n > 400 ? 0.5 : 1 }),
        Plot.rectY(cuts, { x1: 1.02 * n, x2: (d) => (1.02 + 0.12 * d.p / likeliest) * n, y1: "low", y2: (d) => Math.min(d.high, highest), fill: "var(--orange)", tip: true, title: (d) => `${d.clusters} topics: ${percent(d.p)}` }),
        n <= 60 ? Plot.text(dendrogram.order.map((leaf, k) => ({ x: k + 0.5, text: cut(items.item[leaf], 14) })), { x: "x", y: 0, text: "text", rotate: -60, textAnchor: "end", dy: 6, fontSize: 9 }) : null,
      ],
    }), { minimum: 560 });
}

function similarityFigure(map) {
  return figure("How alike prompts are", `Cosine of each pair of prompts, in the tree's order${map.of > map.rows ? `; ${map.of} prompts drawn as ${map.rows}, a cell is the largest of its pairs` : ""}.`,
    heatmap(map, (row, column, value) => `prompts ${map.labels ? `${cut(map.labels[row], 40)} and ${cut(map.labels[column], 40)}` : `about ${row} and ${column}`}: ${number(value, 2)}`),
    { legend: ramp(number(map.low, 2), number(map.high, 2)) });
}

function duplicatesTable(duplicates) {
  const text = (value) => element("span", { class: "text" }, element("bdi", {}, cut(value, 240)));
  return table("prompts that are nearly the same", [
    { title: "prompt", of: (row) => row.a },
    { title: "and", of: (row) => row.b },
    { title: "cosine", of: (row) => row.similarity, number: true, show: (value) => number(value, 3) },
    { title: "text", of: (row) => row.text_a, show: text },
    { title: "text of the other", of: (row) => row.text_b, show: text },
  ], duplicates, { sorted: null });
}
