// Ranks the results of the search. Pages whose title or description contains all search words come first, and index
// pages come last. docker/book.py inserts purexpPages, a map from page names to descriptions, above.
var Scorer = {
  score: function (result) {
    const [page, title] = result;
    const words = (new URLSearchParams(location.search).get("q") || "").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    const all = text => words.length > 0 && words.every(word => text.toLowerCase().includes(word));
    const say = purexpPages[page] || "";
    let score = result[4];
    if (all(title.split(" > ")[0])) score += 40;
    else if (all(title)) score += 20;
    if (all(title + " " + say)) score += 15;
    if (page.startsWith("notebooks/0")) score += 1; // prefers the introductory notebooks
    if (/^(CHANGELOG|CONTRIBUTING|api|references|index|docs\/papers|pkg\/.*)$/.test(page)) score -= 10;
    if (say && !result[3]) result[3] = say; // the text shown below the title
    return score;
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
