// SPDX-License-Identifier: Apache-2.0
// Results and prompts whose every name and text would like to be more than text.
import { writeFileSync } from "node:fs";

export const attacks = [
  "<script>window.pwned = 1</script>",
  "</script><script>window.pwned = 1</script>",
  "<img src=x onerror=window.pwned=1>",
  "\"><svg onload=window.pwned=1>",
  "' onmouseover='window.pwned=1",
  "<!-- <script> --!>",
  "javascript:window.pwned=1",
  "\u202egnp.exe\u202c\u2066\u2069",
  "\u001b[31mred\u0007\u0008",
  "${window.pwned=1}{{constructor.constructor('window.pwned=1')()}}",
  "&lt;script&gt;&amp;&#60;",
  "\u2028\u2029\ufeff",
];

const quoted = (text) => `"${text.replaceAll("\"", "\"\"")}"`;

if (process.argv[2]) {
  const names = attacks.map((attack, k) => `${attack} ${k}`), models = [...names, "x".repeat(1_000_000)];
  let seed = 1;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const rows = ["model,item,score"];
  models.forEach((model, m) => names.forEach((item, j) => rows.push([quoted(model), quoted(item), random() < (m + j) / 30 ? 1 : 0].join(","))));
  writeFileSync(process.argv[2], rows.join("\n") + "\n");
  writeFileSync(process.argv[3], names.map((id, k) => JSON.stringify({ id, prompt: `${attacks[k]} ${attacks[(k + 1) % attacks.length]} ${k === 3 ? "long ".repeat(200_000) : ""}` })).join("\n") + "\n");
}
