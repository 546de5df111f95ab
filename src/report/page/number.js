// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: as many digits as their interval bears out.

const isNumber = (x) => typeof x === "number" && Number.isFinite(x);

// Decimals such that the interval's width shows three digits of itself, else the number; from 1 to 4.
function decimalsFor(interval, value) {
  const width = interval && isNumber(interval[0]) && isNumber(interval[1]) ? Math.abs(interval[1] - interval[0]) : NaN;
  const scale = width > 0 ? width : Math.abs(value);
  return scale > 0 ? Math.min(4, Math.max(1, 2 - Math.floor(Math.log10(scale)))) : 1;
}

function number(x, decimals = 3) {
  if (!isNumber(x)) return "\u2013";
  const fixed = Number.isInteger(x) && Math.abs(x) < 1e15 && decimals > 0 ? String(x) : x.toFixed(decimals);
  const [whole, fraction] = fixed.replace("-", "\u2212").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "\u2009");
  return fraction ? `${grouped}.${fraction}` : grouped;
}

const percent = (x, decimals = 1) => (isNumber(x) ? `${(100 * x).toFixed(decimals)}\u2009%` : "\u2013");

function shown(x, unit, interval) {
  if (unit === "share") return percent(x);
  return number(x, Number.isInteger(x) ? 0 : decimalsFor(interval, x));
}

function range(interval, unit) {
  if (!interval || !isNumber(interval[0]) || !isNumber(interval[1])) return null;
  return `${shown(interval[0], unit, interval)} to ${shown(interval[1], unit, interval)}`;
}

// The same for a table's cell.
function between(interval) {
  if (!interval || !isNumber(interval[0]) || !isNumber(interval[1])) return "\u2013";
  return interval.map((x) => (100 * x).toFixed(1)).join("\u2009\u2013\u2009");
}

const plural = (n, one, many = `${one}s`) => `${number(n, 0)} ${n === 1 ? one : many}`;
