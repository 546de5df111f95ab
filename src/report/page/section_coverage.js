// SPDX-License-Identifier: Apache-2.0
// What was read, and what became of it.

const STATES = [["used", "blue"], ["missing", "line"], ["errored", "orange"], ["unscored", "pink"]];

function coverageSection(audit) {
  const c = audit.coverage, holes = (audit.coverage_by_model ?? []).filter((row) => row.used < row.cells);
  return [
    element("p", {}, coverageSentence(c)),
    holes.length ? coverageFigure(holes) : null,
    table("inputs", [
      { title: "input", of: (row) => row.path, show: (value) => name(value, 120) },
      { title: "observations", of: (row) => row.rows, number: true, show: (value) => number(value, 0) },
      { title: "SHA-256", of: (row) => row.sha256, show: (value) => element("code", { title: value }, clean(value).slice(0, 12)) },
    ], audit.inputs),
    audit.notes.length ? element("details", {}, element("summary", {}, `${plural(audit.notes.length, "note")} on reading`),
      element("ul", { class: "plain" }, audit.notes.map((note) => element("li", {}, cut(note, 600))))) : null,
  ];
}

function coverageSentence(c) {
  const rest = ["missing", "errored", "unscored", "duplicate", "refused"].filter((state) => c[state] > 0)
    .map((state) => `${number(c[state], 0)} ${state}`);
  return `${number(c.rows, 0)} observations were read; ${number(c.used, 0)} are used${rest.length ? `, ${rest.join(", ")}` : ""}. ` +
    "A model is scored on the prompts it has, not on holes; a repeat never counts as a prompt.";
}

function coverageFigure(rows) {
  const most = rows.slice(0, 40), labels = (width) => rowLabels(most.map((row) => row.model), Math.min(220, width * 0.36));
  const long = most.flatMap((row, k) => STATES.map(([state, colour]) => ({ row: k, model: cut(row.model, 60), state, colour, n: row[state] ?? 0, of: row.cells })));
  return figure("Models with holes", `Cells by what became of them${rows.length > most.length ? `: the first ${most.length} of ${rows.length} models that lack some` : ""}.`,
    (width) => chart(width, {
      marginLeft: labels(width).margin, height: 40 + 16 * most.length,
      x: { label: "cells", grid: true, tickFormat: whole }, y: labels(width).scale,
      marks: [Plot.barX(long, { x: "n", y: "row", fill: (d) => `var(--${d.colour})`, tip: true, title: (d) => `${d.model}\n${d.n} of ${d.of} ${d.state}` })],
    }), { legend: legend(STATES.map(([state, colour]) => [colour, state])) });
}
