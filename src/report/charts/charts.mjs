// SPDX-License-Identifier: Apache-2.0
// Of Observable Plot, what the page's figures use. ./build makes ../page/charts.js of it.
export {
  plot, areaY, barX, dot, lineY, rectY, ruleX, ruleY, text, tip, pointer, pointerX,
} from "@observablehq/plot";
