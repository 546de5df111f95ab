// SPDX-License-Identifier: Apache-2.0
// The page: sections in order, the theme, and drawing again when the width changes.

const SECTIONS = [
  ["answers", "In short", answersSection],
  ["scores", "Scores", scoresSection],
  ["prompts", "Independent prompts", promptsSection],
  ["templates", "Wordings", templatesSection],
  ["signals", "Signals", signalsSection],
  ["items", "Items", itemsSection],
  ["coverage", "What was read", coverageSection],
];

function theme(choice) {
  const dark = choice ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = dark;
  return dark;
}

function build(audit) {
  const toggle = element("button", { type: "button", class: "theme" });
  const tell = () => {
    toggle.textContent = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    toggle.setAttribute("aria-label", `switch to the ${toggle.textContent} theme`);
  };
  toggle.addEventListener("click", () => {
    theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    tell();
    drawAll(true);
  });
  const sections = SECTIONS.map(([id, title, make]) =>
    element("section", { id, "aria-labelledby": `${id}-title` }, element("h2", { id: `${id}-title` }, title), make(audit)));
  const links = SECTIONS.map(([id, title]) => element("a", { href: `#${id}` }, title));

  theme();
  tell();
  document.body.append(
    element("a", { class: "skip", href: "#answers" }, "skip to the answers"),
    element("header", { class: "top" }, element("div", {}, element("nav", { "aria-label": "sections" }, links),
      element("button", { type: "button", class: "wide", onclick: () => print() }, "print"), toggle)),
    element("main", {},
      element("h1", {}, element("bdi", {}, cut(audit.title, 120))),
      element("p", { class: "soft" }, clean(audit.subtitle)),
      sections),
    foot(audit), tip);
  drawAll(true);
  follow(sections, links);
}

function foot(audit) {
  return element("footer", {},
    element("p", {}, `Made by assay ${clean(audit.assay_version)}, seed ${clean(audit.seed)}. The same data, version and seed give the same page.`),
    element("p", {}, "Methods: corrected scores, BHM-ESC; scores over templates, PromptEval; effective dimensionality, BenchScope. ",
      "Comparisons of pairs of models and plans of what to run next are not part of this page."),
    copyable(audit.command_line));
}

// Which section is being read.
function follow(sections, links) {
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      links.forEach((link) => link.removeAttribute("aria-current"));
      links[sections.indexOf(entry.target)].setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-15% 0px -75% 0px" });
  sections.forEach((section) => observer.observe(section));
}

let waiting = 0;
addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => drawAll(false), 120);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { theme(); drawAll(true); });
// On paper nothing can be opened: all of it is.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((details) => { details.open = true; });
  theme("light");
  drawAll(true);
});
addEventListener("afterprint", () => {
  closed.forEach((details) => { details.open = false; });
  theme();
  drawAll(true);
});

build(JSON.parse(document.getElementById("audit").textContent));
