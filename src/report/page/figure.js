// SPDX-License-Identifier: Apache-2.0
// Figures: a drawing that can be drawn again (another width, another theme), its caption, and saving it.

const redraws = [];

// draw(width) gives an SVG or a canvas; describe is read to those who do not see it.
function figure(title, caption, draw, { legend = null, minimum = 320, describe = caption } = {}) {
  const place = element("div", { role: "img", "aria-label": `${title}. ${describe}`, tabindex: "0" });
  const save = ["SVG", "PNG"].map((kind) =>
    element("button", { type: "button", "aria-label": `save ${title} as ${kind}`, onclick: () => saveFigure(place.firstElementChild, title, kind) }, kind));
  const whole = element("figure", {}, element("h3", {}, title), legend, place,
    element("div", { class: "tools" }, save), element("figcaption", {}, caption));
  let drawnFor = 0;
  function redraw(force) {
    const width = Math.max(minimum, Math.round(place.clientWidth || 640));
    if (!force && width === drawnFor) return;
    drawnFor = width;
    const drawing = draw(width);
    place.replaceChildren(drawing);
    if (drawing instanceof HTMLCanvasElement) save[0].hidden = true;
  }
  redraws.push(redraw);
  return whole;
}

function drawAll(force) {
  for (const redraw of redraws) redraw(force);
}

function legend(entries) {
  return element("ul", { class: "legend" }, entries.map(([colour, text]) =>
    element("li", {}, element("span", { style: { background: `var(--${colour})` } }), text)));
}

// A chart's rows, one a name, and the margin that their labels need, at most so wide. The rows are numbered,
// since two long names may be cut to the same label; what is cut is the middle, since names begin alike.
function rowLabels(names, widest) {
  const most = Math.max(8, Math.floor((widest - 18) / LETTER)), labels = names.map((one) => cutMiddle(one, most));
  const margin = Math.min(widest, 18 + LETTER * Math.max(4, ...labels.map((one) => one.length)));
  return { margin, scale: { label: null, domain: names.map((_, k) => k), tickFormat: (k) => labels[k] } };
}
const LETTER = 7.6; // a digit of 12 pixels

// Ticks of counts: no fractions.
const whole = (x) => (Number.isInteger(x) ? number(x, 0) : "");

// What all charts have in common. Text within is Plot's own text nodes.
function chart(width, options) {
  const made = Plot.plot({
    width,
    style: { background: "transparent", color: "var(--ink)", fontSize: "12px", overflow: "visible" },
    ...options,
  });
  const svg = made instanceof SVGElement ? made : made.querySelector("svg");
  svg.setAttribute("aria-hidden", "true"); // its place has the words
  return svg;
}

const cssValue = (property) => getComputedStyle(document.documentElement).getPropertyValue(property).trim();

async function saveFigure(drawing, title, kind) {
  const file = `${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.${kind.toLowerCase()}`;
  if (drawing instanceof HTMLCanvasElement) return drawing.toBlob((blob) => download(blob, file));
  const blob = new Blob([standalone(drawing)], { type: "image/svg+xml" });
  if (kind === "SVG") return download(blob, file);
  const image = new Image(), address = URL.createObjectURL(blob);
  image.onload = () => {
    const canvas = element("canvas", { width: 2 * image.width, height: 2 * image.height });
    const context = canvas.getContext("2d");
    context.fillStyle = cssValue("--paper");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((png) => download(png, file));
    URL.revokeObjectURL(address);
  };
  image.src = address;
}

// An SVG that needs no page around it: the theme's colours in place of their names.
function standalone(svg) {
  const copy = svg.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "sans-serif");
  copy.setAttribute("color", cssValue("--ink"));
  return new XMLSerializer().serializeToString(copy).replace(/var\((--[a-z-]+)\)/g, (_, property) => cssValue(property));
}

function download(blob, file) {
  const link = element("a", { href: URL.createObjectURL(blob), download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
