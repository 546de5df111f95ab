// SPDX-License-Identifier: Apache-2.0
// First the answers, in plain words; then what three numbers mean that people mix up; what is not answered.

function answersSection(audit) {
  return [
    element("ul", { class: "cards" }, audit.answers.map(card)),
    Object.values(audit.numbers).some(Boolean) ? threeNumbers(audit.numbers) : null,
    audit.unanswered.length ? [
      element("h3", {}, "What these data cannot answer"),
      element("ul", { class: "plain" }, audit.unanswered.map((open) =>
        element("li", {}, clean(open.question), " ", element("span", { class: "soft" }, `It needs ${clean(open.needs)}.`)))),
    ] : null,
  ];
}

function card(answer) {
  const interval = range(answer.interval, answer.unit);
  return element("li", { class: "card" },
    element("h3", {}, clean(answer.question)),
    element("div", { class: "value" }, shown(answer.value, answer.unit, answer.interval)),
    element("div", { class: "range" }, interval ? `${interval} (${percent(answer.level, 0)} interval)` : sentence(answer.interval_reason)),
    element("p", {}, clean(answer.answer)),
    answer.estimand ? element("span", { class: "tag" }, `about ${clean(answer.estimand)}`) : null,
    element("details", {}, element("summary", {}, "How, and what would break it"),
      element("dl", {},
        pair("n", isNumber(answer.n) ? `${number(answer.n, 0)} ${clean(answer.n_of ?? "")}` : null),
        pair("method", answer.method),
        pair("assumes", answer.assumption),
        pair("to do", answer.do)),
      answer.command ? copyable(answer.command) : null));
}

const pair = (term, text) => (text ? [element("dt", {}, term), element("dd", {}, clean(text))] : null);

function threeNumbers(numbers) {
  const of = (key, title) => {
    const entry = numbers[key];
    if (!entry)
      return element("div", {}, title, element("b", {}, "\u2013"), element("p", { class: "soft" }, sentence(numbers[`${key}_reason`])));
    const interval = range(entry.interval);
    return element("div", {}, title, element("b", {}, shown(entry.value, null, entry.interval)),
      interval ? element("span", { class: "soft" }, interval) : null, element("p", {}, sentence(entry.sentence)));
  };
  return [
    element("h3", {}, "Three numbers that are easily mixed up"),
    element("div", { class: "three" }, of("distinct_prompts", "distinct prompts"),
      of("effective_sample", "effective sample size"), of("dimension", "dimension")),
  ];
}
