// SPDX-License-Identifier: Apache-2.0
// What a reader does with a report, done by a browser; each report is opened from its file.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { attacks } from "./hostile.mjs";

const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const reports = readdirSync("reports").map((file) => file.replace(/\.html$/, ""));
const DESKTOP = { width: 1280, height: 900 }, PHONE = { width: 390, height: 844 };
let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});
after(() => browser?.close());

// Open a report and do something with it; whatever it complains of, or asks a network for, is a failure, but
// for the one complaint that is expected.
async function read(report, { viewport = DESKTOP, colorScheme = "light", bypassCSP = false, expected = null } = {}, use) {
  const context = await browser.newContext({ viewport, colorScheme, bypassCSP, acceptDownloads: true });
  const page = await context.newPage(), faults = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) faults.push(message.text()); });
  page.on("pageerror", (error) => faults.push(error.stack));
  page.on("dialog", (dialog) => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) faults.push(`request: ${request.url()}`); });
  try {
    await page.goto(`file://${resolve("reports", `${report}.html`)}`);
    await page.locator("footer").waitFor();
    await use(page);
    assert.deepEqual(faults.filter((fault) => !expected?.test(fault)), []);
    assert.ok(!expected || faults.some((fault) => expected.test(fault)), `expected ${expected}`);
  } finally {
    await context.close();
  }
}

for (const report of reports)
  test(`${report}: everything is drawn, and nothing is asked of a network`, async () => {
    await read(report, {}, async (page) => {
      assert.ok((await page.locator(".card").count()) > 0, "no answers");
      for (const figure of await page.locator("figure").all())
        assert.equal(await figure.locator("[role=img] > svg, [role=img] > canvas").count(), 1, await figure.locator("h3").textContent());
      for (const id of ["answers", "scores", "prompts", "templates", "signals", "items", "coverage"])
        assert.equal(await page.locator(`section#${id} h2`).count(), 1, id);
      assert.ok(!/undefined|\bnull\b|NaN|\[object/.test(await page.locator("main").innerText()), "a value that is none is shown as if it were");
    });
  });

for (const report of reports)
  for (const [size, viewport, colorScheme] of [["desktop", DESKTOP, "light"], ["phone", PHONE, "dark"]])
    test(`${report}: accessible (${size}, ${colorScheme}) and no wider than the screen`, async () => {
      await read(report, { viewport, colorScheme, bypassCSP: true }, async (page) => {
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
        const grave = violations.filter((fault) => ["serious", "critical"].includes(fault.impact));
        assert.deepEqual(grave.map((fault) => `${fault.id}: ${fault.nodes[0].html}`), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
      });
    });

test("a table is sorted by its heads and filtered by text", async () => {
  await read("example", {}, async (page) => {
    const table = page.locator("#scores .table"), head = table.getByRole("button", { name: "raw", exact: true });
    const column = async () => (await table.locator("tbody tr td:nth-child(4)").allTextContents()).map(parseFloat);
    await head.click();
    const down = await column();
    assert.deepEqual(down, [...down].sort((a, b) => b - a));
    assert.equal(await head.locator("..").getAttribute("aria-sort"), "descending");
    await head.click();
    assert.deepEqual(await column(), [...down].reverse());
    await table.getByRole("searchbox").fill("model-07");
    assert.equal(await table.locator("tbody tr").count(), 1);
    assert.match(await table.getByRole("status").textContent(), /1 of 40 rows/);
  });
});

test("figures tell what is under the pointer", async () => {
  await read("example", {}, async (page) => {
    const dots = page.locator("#scores figure svg circle"), tipOf = page.locator("#scores figure svg g[aria-label=tip]");
    await dots.first().scrollIntoViewIfNeeded();
    await dots.first().hover();
    await page.waitForFunction(() => [...document.querySelectorAll("#scores g[aria-label=tip]")].some((tip) => /raw|corrected/.test(tip.textContent)));
    assert.match((await tipOf.allTextContents()).join(" "), /model-\d+/);
    const heat = page.locator("#prompts canvas").first();
    await heat.scrollIntoViewIfNeeded();
    await heat.hover({ position: { x: 40, y: 90 } });
    assert.match(await page.locator(".tip").textContent(), /: -?[\d.]+/);
    assert.ok(await page.locator(".tip").isVisible());
  });
});

test("the headline's corrected score is the table's", async () => {
  await read("example", {}, async (page) => {
    const [, named] = /counted once it is ([\d.]+)/.exec(await page.locator(".card").first().innerText());
    assert.equal(parseFloat(await page.locator("#scores tbody tr").first().locator("td:nth-child(9)").textContent()), parseFloat(named));
  });
});

test("without texts of prompts each model has its score, and names that begin alike their own rows", async () => {
  await read("long-names", {}, async (page) => {
    assert.equal(await page.locator("#scores tbody tr").count(), 20);
    const labels = await page.locator("#scores figure svg g[aria-label='y-axis tick label'] text").allTextContents();
    assert.equal(new Set(labels).size, 20);
    for (const label of await page.locator("#scores figure svg g[aria-label='y-axis tick label'] text").all())
      assert.ok((await label.boundingBox()).x >= (await page.locator("#scores figure").boundingBox()).x - 1, "a label is cut off");
  });
});

test("the theme is the system's, and can be switched", async () => {
  await read("example", { colorScheme: "dark" }, async (page) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await paper();
    await page.getByRole("button", { name: /switch to the light theme/ }).click();
    assert.notEqual(await paper(), dark);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    await page.getByRole("button", { name: /switch to the dark theme/ }).click();
    assert.equal(await paper(), dark);
  });
});

test("it can be printed, details included", async () => {
  await read("example", { colorScheme: "dark" }, async (page) => {
    const pdf = await page.pdf({ format: "A4" });
    assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
    assert.ok(pdf.length > 50_000);
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.locator(".top").isHidden());
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.ok(await page.locator(".card details dl").first().isVisible(), "methods and assumptions are on paper");
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await page.locator("details[open]").count(), 0);
  });
});

test("the keyboard reaches everything", async () => {
  await read("example", {}, async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    await page.keyboard.press("Enter");
    assert.match(page.url(), /#answers$/);
    const summary = page.locator(".card summary").first();
    await summary.focus();
    await page.keyboard.press("Enter");
    assert.ok(await page.locator(".card details").first().evaluate((details) => details.open));
    await page.locator("#scores th button").first().focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#scores th").first().getAttribute("aria-sort"), "ascending");
  });
});

test("figures are saved as SVG that needs no page, and as PNG", async () => {
  await read("example", {}, async (page) => {
    const saved = async (name) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
      return readFileSync(await download.path());
    };
    const svg = (await saved("save Scores, raw and corrected as SVG")).toString();
    assert.match(svg, /^<svg[^>]* xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.ok(!svg.includes("var(--"));
    for (const name of ["save Scores, raw and corrected as PNG", "save How alike prompts are as PNG"])
      assert.equal((await saved(name)).subarray(1, 4).toString(), "PNG");
  });
});

test("hostile names and texts are shown and do nothing", async () => {
  await read("hostile", {}, async (page) => {
    for (const figure of await page.locator("figure svg circle").all().then((all) => all.slice(0, 20))) await figure.hover({ force: true, timeout: 2000 }).catch(() => {});
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    assert.equal(await page.locator("script").count(), 3);
    assert.equal(await page.locator("main img, main iframe, main object, main a[href^='javascript']").count(), 0);
    const text = await page.locator("main").innerText();
    assert.ok(text.includes("<script>window.pwned = 1</script>"));
    assert.ok(!/[\u0000-\u0008\u000e-\u001f\u202a-\u202e\u2066-\u2069]/.test(text), "control characters or turned text");
    assert.ok(text.length < 400_000, "texts of a megabyte are cut");
    assert.ok(attacks.length > 10);
  });
});

test("no script runs but the page's own", async () => {
  await read("example", { expected: /Content Security Policy/ }, async (page) => {
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.pwned = 1";
      document.body.append(script);
    });
    assert.equal(await page.evaluate(() => window.pwned), undefined);
  });
});

test("SWE-bench Verified takes at most 3 MB", { skip: !existsSync("reports/swebench.html") && "no samples beside this checkout" }, () => {
  assert.ok(statSync("reports/swebench.html").size <= 3e6);
});
