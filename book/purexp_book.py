"""A Sphinx extension for docker/book.py and book/conf.py:

- Figures of notebooks get the alternative text and the size that package nb stored in their metadata.
- A relative link to a file of the repository outside the book becomes a link to this file on GitHub.
- The lexer for Go accepts lines for the kernel (%%, !command).
- The directive Panel adds a panel that runs a script when the reader presses its button.
- pages.json adds the figures and tables of its paper to the title of a notebook, and a description to each page.
- A style sheet with the used icons replaces the theme's script with all icons.
- If Node.js is installed, MathJax draws the formulas during the build, which removes 2 MB of script from the pages.
"""

import base64
import functools
import hashlib
import html
import json
import os
import posixpath
import re
import shutil
import subprocess
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from pygments.lexers.go import GoLexer
from pygments.token import Comment
from sphinx import addnodes
from sphinx.search.en import SearchEnglish
from sphinx.util import logging

log = logging.getLogger(__name__)


def setup(app):
    # Sphinx computes the stem of each word again on every page; the cache avoids repetitions.
    SearchEnglish.stem = functools.cache(SearchEnglish.stem)
    app.add_config_value("purexp_repository", os.environ.get("PUREXP_BOOK_REPOSITORY", ""), "env")
    app.add_lexer("go", NotebookGo)
    app.add_directive("panel", Panel)
    app.connect("doctree-read", describe_figures)
    app.connect("doctree-read", add_panels)
    app.connect("doctree-read", link_repository)
    app.connect("doctree-read", number_title, priority=900)  # after Sphinx has stored the title
    app.connect("html-page-context", describe_page)
    app.connect("build-finished", cut_icons)
    app.connect("build-finished", draw_formulas)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


# --- notebooks ------------------------------------------------------------------------------------------------------


class NotebookGo(GoLexer):
    """The lexer for cells of GoNB: Go with lines for the kernel, which begin with % or !."""

    name, aliases = "Go in a notebook", ["go"]
    tokens = {"root": [(r"^[%!].*\n?", Comment.Preproc), *GoLexer.tokens["root"]]}
    flags = re.MULTILINE | re.UNICODE


def describe_figures(app, doctree):
    """Sets the alternative text and the width of each figure from the metadata {"alt": ..., "width": ...} of its output."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    known = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            png = output.get("data", {}).get("image/png")
            if png:
                # myst-nb names figure files by the hash of their content.
                name = hashlib.sha256(base64.b64decode("".join(png))).hexdigest()
                known[name] = output.get("metadata", {})
    for image in doctree.findall(nodes.image):
        about = known.get(posixpath.splitext(posixpath.basename(image["uri"]))[0])
        if about is not None:
            if about.get("alt"):
                image["alt"] = about["alt"]
            if about.get("width"):
                image["width"] = f"{about['width']}px"
                # With purexp.css, wide figures scroll on a phone, and narrow figures are side by side if space permits.
                image["classes"].append("purexp-wide" if float(about["width"]) > 600 else "purexp-narrow")
            image["loading"] = "lazy"
        if not image.get("alt"):
            log.warning("the figure has no alternative text; set it in the notebook (package nb)", location=image, type="purexp", subtype="alt")


# --- links ----------------------------------------------------------------------------------------------------------


def link_repository(app, doctree):
    """Resolves relative links to files and folders of the repository that are not part of the book."""
    root = app.config.purexp_repository
    if not root:
        return
    url = app.config.html_theme_options["repository_url"]
    here = posixpath.dirname(app.env.docname)
    for node in list(doctree.findall(addnodes.pending_xref)):
        if node.get("reftype") != "myst":
            continue
        target, _, fragment = node["reftarget"].partition("#")
        if node.get("refdomain") == "doc":  # a Markdown file or notebook that is excluded from the book
            if target in app.env.found_docs:
                continue
            target += ".md" if Path(root, target + ".md").exists() else ".ipynb"
        elif target:
            target = posixpath.normpath(posixpath.join(here, target))
        found = Path(root, target)
        if not target or target.startswith("..") or not found.exists():
            continue  # Sphinx reports a missing reference
        kind = "tree" if found.is_dir() else "blob"
        address = f"{url}/{kind}/{app.config.html_theme_options['repository_branch']}/{target}"
        link = nodes.reference("", "", refuri=address + ("#" + fragment if fragment else ""), internal=False)
        link += [child.deepcopy() for child in node.children]
        node.replace_self(link)


# --- titles ---------------------------------------------------------------------------------------------------------


def about(app):
    if not hasattr(app, "purexp_pages"):
        app.purexp_pages = json.loads(Path(app.srcdir, "pages.json").read_text(encoding="utf-8"))
    return app.purexp_pages


def number_title(app, doctree):
    """Adds the figures and tables of the paper to a notebook's title in the page, the sidebar and the search."""
    env, name = app.env, app.env.docname
    of = about(app).get(name, {}).get("of")
    if not of:
        return
    for title in (env.titles[name], next(iter(env.tocs[name].findall(nodes.reference)), None)):
        if title is not None:
            title += nodes.Text(f" ({of})")
    heading = next(iter(doctree.findall(nodes.title)), None)
    if heading is not None:
        heading += [nodes.Text(" "), nodes.inline("", of, classes=["purexp-of"])]


def describe_page(app, pagename, templatename, context, doctree):
    say = about(app).get(pagename, {}).get("say")
    if say:
        context["metatags"] = context.get("metatags", "") + f'<meta name="description" content="{html.escape(say)}">\n'
    # The accessible name of a folded cell is its visible text.
    body = context.get("body", "").replace('<summary aria-label="Toggle hidden content">', "<summary>")
    # Remove contradictory ARIA roles of references: the list has no list items, but its entries require a list.
    context["body"] = body.replace('<div role="list" class="citation-list">', '<div class="citation-list">').replace(' role="doc-biblioentry"', "")


# --- icons ----------------------------------------------------------------------------------------------------------

ICONS = """/* Icons of Font Awesome Free (https://fontawesome.com), CC BY 4.0, as far as pages use them. Generated by book/purexp_book.py. */
:is(.fa-solid, .fas, .fa-regular, .far, .fa-brands, .fab)[class*="fa-"] { width: 1.35em; height: 1.15em; vertical-align: -.2em;
  background: currentColor; -webkit-mask: var(--icon) center / contain no-repeat; mask: var(--icon) center / contain no-repeat; }
:is(.fa-solid, .fas, .fa-regular, .far, .fa-brands, .fab)[class*="fa-"]:not(.theme-switch) { display: inline-block; }
:is(.fa-solid, .fas, .fa-regular, .far, .fa-brands, .fab)[class*="fa-"]::before { content: none !important; } /* prevents the theme from loading a font */
.theme-switch.theme-switch { display: none; }
html[data-mode="auto"] .theme-switch[data-mode="auto"], html[data-mode="light"] .theme-switch[data-mode="light"],
html[data-mode="dark"] .theme-switch[data-mode="dark"] { display: inline-block; }
.fa-lg { font-size: 1.25em; line-height: .05em; }
@media (forced-colors: active) { [class*="fa-"] { forced-color-adjust: none; background: ButtonText; } }
"""


def cut_icons(app, error):
    """Replaces the theme's script with all icons (1.5 MB) by a style sheet with the used icons."""
    script = Path(app.outdir, "_static", "scripts", "fontawesome.js")
    if error or not script.is_file():
        return
    known = {}
    # Each entry is name: [width, height, [other names], code, path]. The last entry of a name is the solid icon.
    for name, width, height, others, path in re.findall(
            r'[{,]"?([a-z0-9-]+)"?:\[(\d+),(\d+),\[([^\]]*)\],"[0-9a-f]+","([^"]+)"\]', script.read_text(encoding="utf-8")):
        for n in [name, *re.findall(r'"([a-z-]+)"', others)]:
            known[n] = (width, height, path)
    tag = re.compile(r'\s*<script[^>]*scripts/fontawesome\.js[^>]*></script>')
    used, pages = {"xmark"}, []  # the theme's script uses xmark
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        found = tag.search(text)
        if not found:
            continue
        used.update(name for names in re.findall(r'class="((?:fa-solid|fas|fab|fa-brands|fa-regular|far) [^"]*)"', text)
                    for name in re.findall(r"fa-([a-z0-9-]+)", names) if name in known)
        link = re.sub(r'.*src="([^"]*)scripts/fontawesome\.js[^"]*".*', r'\n<link rel="stylesheet" href="\1icons.css" />', found[0], flags=re.DOTALL)
        pages.append((page, text.replace(found[0], link)))
    if not {"bars", "moon", "magnifying-glass", "xmark"} <= known.keys():
        log.warning("fontawesome.js: no icons were found, so the script was not replaced; adapt cut_icons", type="purexp", subtype="icons")
        return
    rules = "".join(f""".fa-{name} {{ --icon: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='-32 -32 {int(w) + 64} {int(h) + 64}'%3E%3Cpath d='{path}'/%3E%3C/svg%3E"); }}\n"""
                    for name, (w, h, path) in sorted((n, known[n]) for n in used))
    Path(app.outdir, "_static", "icons.css").write_text(ICONS + rules, encoding="utf-8")
    for page, text in pages:
        page.write_text(text, encoding="utf-8")
    for file in script.parent.glob("fontawesome.js*"):
        file.unlink()


# --- formulas -------------------------------------------------------------------------------------------------------

FORMULA = re.compile(r'<(span|div) class="math notranslate nohighlight"(?: id="[^"]*")?>\s*(\\\(.*?\\\)|\\\[.*?\\\])\s*</\1>', re.DOTALL)
MATHJAX = re.compile(r'\s*<script[^>]*src="([^"]*)mathjax/tex-svg\.js[^"]*"[^>]*></script>')


def draw_formulas(app, error):
    """Replaces formulas by SVG drawn by MathJax, and its script by a style sheet. Without Node.js, pages keep the script."""
    node, folder = shutil.which("node"), os.environ.get("PUREXP_BOOK_MATHJAX")
    if error or not node or not folder:
        return
    pages = {page: text for page in Path(app.outdir).rglob("*.html") if MATHJAX.search(text := page.read_text(encoding="utf-8"))}
    known = dict.fromkeys(found[2] for text in pages.values() for found in FORMULA.finditer(text))
    asked = [[html.unescape(tex[2:-2]).strip(), tex.startswith(r"\[")] for tex in known]
    try:
        run = subprocess.run([node, str(Path(__file__).with_name("formulas.js")), folder], input=json.dumps(asked), capture_output=True,
                             encoding="utf-8", check=True, timeout=300)
        made = json.loads(run.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as err:
        log.warning("MathJax could not draw the formulas, so pages draw them by script: %s", err, type="purexp", subtype="formulas")
        return
    known = dict(zip(known, made["drawn"]))
    Path(app.outdir, "_static", "formulas.css").write_text(made["css"], encoding="utf-8")
    for page, text in pages.items():
        text = FORMULA.sub(lambda found: found[0].replace(found[2], known[found[2]]), text)
        text = re.sub(r'\s*<script>window\.MathJax = .*?</script>', "", text)
        page.write_text(MATHJAX.sub(r'\n<link rel="stylesheet" href="\1formulas.css" />', text), encoding="utf-8")
    shutil.rmtree(Path(app.outdir, "_static", "mathjax"))


# --- panels ---------------------------------------------------------------------------------------------------------


class Panel(Directive):
    """A panel that loads and runs a script when the reader presses its button.

    In a page of docs/ or book/, a panel is a directive. Its text is shown before the script runs, and without JavaScript:

        ```{panel} planner
        :button: Plan
        The command `purexp campaign plan` computes the same.
        ```

    JupyterLab does not support the directive, so book/panels.json declares the panels of notebooks:
    {"notebooks/00-start-here": [{"panel": "ecape", "after": "3. An algorithm", "button": "Run it", "text": "..."}]}.
    The panel is added at the end of the section whose heading is "after".

    The button loads _static/panels/NAME.js with a script element, because fetch does not work for file:// pages. The
    script is book/_static/panels/NAME.js or is created by a build. It calls purexp.panel("NAME", function (element) { ... }).
    The function fills the empty element. For a second panel of the same name, the function is called again.
    """

    has_content = True
    required_arguments = 1
    option_spec = {"button": str}

    def run(self):
        env = self.state.document.settings.env
        try:
            start, end = panel_html(env, self.arguments[0], self.options.get("button", "Run"))
        except ValueError as err:
            raise self.error(str(err)) from None
        text = nodes.container(classes=["purexp-panel-text"])
        self.state.nested_parse(self.content, self.content_offset, text)
        return [nodes.raw("", start, format="html"), text, nodes.raw("", end, format="html")]


def panel_html(env, name, button):
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise ValueError(f"panel {name!r}: the name is invalid; use lower-case letters, digits and hyphens")
    script = f"panels/{name}.js"
    if not any(Path(env.srcdir, folder, script).is_file() for folder in env.config.html_static_path):
        raise ValueError(f"panel {name!r}: book/_static/{script} does not exist")
    source = posixpath.relpath(f"_static/{script}", posixpath.dirname(env.docname) or ".")
    return (f'<section class="purexp-panel" data-panel="{name}" data-script="{html.escape(source)}">\n',
            f'<button type="button" class="purexp-run" hidden>{html.escape(button)}</button>\n'
            '<div class="purexp-panel-body" aria-live="polite"></div>\n</section>\n')


def add_panels(app, doctree):
    """Adds the panels of book/panels.json to a page."""
    file = Path(app.srcdir, "panels.json")
    for panel in json.loads(file.read_text(encoding="utf-8")).get(app.env.docname, []):
        section = next((s for s in doctree.findall(nodes.section) if s[0].astext() == panel["after"]), None)
        try:
            if section is None:
                raise ValueError(f"panel {panel['panel']!r}: the page has no section {panel['after']!r}")
            start, end = panel_html(app.env, panel["panel"], panel.get("button", "Run"))
        except ValueError as err:
            log.warning("book/panels.json: %s", err, location=app.env.docname, type="purexp", subtype="panel")
            continue
        text = nodes.paragraph("", panel.get("text", ""), classes=["purexp-panel-text"])
        section += [nodes.raw("", start, format="html"), text, nodes.raw("", end, format="html")]
