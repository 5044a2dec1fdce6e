// Draws formulas with MathJax 3, which is in FOLDER: node formulas.js FOLDER < [[tex, display], ...] > {css, drawn}
// The function draw_formulas in purexp_book.py runs this script.
"use strict";
const fs = require("fs");
require(process.argv[2] + "/node-main.js").init({
  loader: { load: ["input/tex", "output/svg", "a11y/assistive-mml", "adaptors/liteDOM"] },
  tex: { tags: "ams" },
  svg: { fontCache: "none" },
}).then(MathJax => {
  const adaptor = MathJax.startup.adaptor;
  const drawn = JSON.parse(fs.readFileSync(0, "utf8")).map(([tex, display]) => adaptor.outerHTML(MathJax.tex2svg(tex, { display })));
  process.stdout.write(JSON.stringify({ css: adaptor.textContent(MathJax.svgStylesheet()), drawn }));
}).catch(err => {
  console.error(err);
  process.exit(1);
});
