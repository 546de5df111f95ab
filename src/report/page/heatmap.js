// SPDX-License-Identifier: Apache-2.0
// Heat maps on a canvas: bytes of 0 to 255 from low to high, 255 for "none" where the map says so. Where
// low is below 0, what is negative has a colour of its own.

const tip = element("div", { class: "tip", hidden: true });

// map: { rows, columns, bytes (base64), low, high, none? }; label(row, column, value) tells a cell.
function heatmap(map, label, { square = true } = {}) {
  const bytes = Uint8Array.from(atob(map.bytes), (c) => c.charCodeAt(0));
  const valueOf = (byte) => (map.none && byte === 255 ? null : map.low + byte / (map.none ? 254 : 255) * (map.high - map.low));
  return (width) => {
    const canvas = element("canvas", { width: map.columns, height: map.rows });
    const context = canvas.getContext("2d"), image = context.createImageData(map.columns, map.rows);
    const colours = Array.from({ length: 256 }, (_, byte) => colourOf(valueOf(byte), map));
    bytes.forEach((byte, k) => image.data.set(colours[byte], 4 * k));
    context.putImageData(image, 0, 0);
    const side = Math.min(width, square ? 620 : width);
    canvas.style.width = `${side}px`;
    canvas.style.height = square ? `${side}px` : `${Math.max(80, Math.min(480, 3 * map.rows))}px`;
    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      const column = Math.min(map.columns - 1, Math.floor((event.clientX - box.left) / box.width * map.columns));
      const row = Math.min(map.rows - 1, Math.floor((event.clientY - box.top) / box.height * map.rows));
      if (row < 0 || column < 0) return;
      tip.textContent = label(row, column, valueOf(bytes[row * map.columns + column]));
      tip.hidden = false;
      tip.style.left = `${Math.min(event.clientX + 14, innerWidth - 240)}px`;
      tip.style.top = `${event.clientY + 14}px`;
    });
    canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
    return canvas;
  };
}

function colourOf(value, map) {
  const zero = rgb("--heat-low"), towards = value === null ? rgb("--pink") : rgb(value < 0 ? "--orange" : "--heat-high");
  const t = value === null ? 1 : map.low < 0 ? Math.abs(value) / Math.max(-map.low, map.high) : (value - map.low) / (map.high - map.low);
  return [...zero.map((low, c) => low + t * (towards[c] - low)), 255];
}

function rgb(property) {
  const hex = cssValue(property).slice(1);
  return [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16));
}

const ramp = (low, high, both = false) => element("div", { class: "ramp" }, low, element("span", { class: both ? "both" : null }), high);
