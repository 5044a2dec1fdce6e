"""Settings of Sphinx for the book, which consists of the executed notebooks and the pages of docs/.

For `make pages` and `make notebooks`, docker/book.py copies this folder and the pages to a temporary folder with the
layout of the repository. It then writes index.md and api.md there, and runs Sphinx.
"""

import os
import sys
from pathlib import Path

# Without this line, jsonschema spends a second on compiling 38 grammars of addresses that notebooks do not use.
sys.modules.setdefault("rfc3987_syntax", None)
sys.path.insert(0, str(Path(__file__).resolve().parent))  # purexp_book.py

project = "purexp"
author = copyright = "The purexp authors"
language = "en"

extensions = ["myst_nb", "sphinx_copybutton", "sphinxcontrib.bibtex", "sphinx.ext.mathjax", "purexp_book"]
exclude_patterns = ["README.md", "_static", "single", "**/.ipynb_checkpoints"]
highlight_language = "none"
suppress_warnings = ["myst.header"]  # notebooks may skip a level of headings

# Notebooks are shown with their saved outputs. Sphinx executes no cells, and pages load nothing from a network.
nb_execution_mode = "off"
nb_code_prompt_show, nb_code_prompt_hide = "Show more figures and tables", "Hide them"
nb_ipywidgets_js = {}
nb_render_markdown_format = "myst"  # renders formulas in outputs
nb_merge_streams = True

myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 4
myst_update_mathjax = False

# The local file of MathJax that docker/book.py copies.
mathjax_path = "mathjax/tex-svg.js"
mathjax3_config = {
    "tex": {"inlineMath": [["\\(", "\\)"]], "displayMath": [["\\[", "\\]"]], "tags": "ams"},
    "svg": {"fontCache": "global"},
    "options": {"enableMenu": False, "ignoreHtmlClass": "tex2jax_ignore|document", "processHtmlClass": "tex2jax_process|math"},
}

bibtex_bibfiles = ["REFERENCES.bib"]
bibtex_default_style = "unsrt"
bibtex_reference_style = "author_year"

# The copy button omits line numbers, shell prompts and outputs.
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "sphinx_book_theme"
html_title = "purexp"
html_static_path = ["_static"]
html_css_files = ["purexp.css"]
html_js_files = ["purexp.js"]
html_last_updated_fmt = ""
html_context = {"default_mode": "auto"}
html_search_scorer = str(Path(__file__).resolve().parent / "scorer.js")
html_copy_source = True
html_show_sphinx = False
html_theme_options = {
    "repository_url": "https://github.com/purexp/purexp",
    "repository_branch": "main",
    "path_to_docs": "",
    "use_repository_button": True,
    "use_download_button": True,
    "launch_buttons": {"binderhub_url": "https://mybinder.org", "notebook_interface": "jupyterlab"},
    "home_page_in_toc": True,
    "navbar_persistent": [],  # because the sidebar contains the search
    "secondary_sidebar_items": {"**": ["page-toc"], "index": [], "docs/methods": [], "api": [], "docs/arena": [], "notebooks/arena": []},
    "show_toc_level": 2,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
if os.environ.get("PUREXP_BOOK_REPS"):
    html_theme_options["announcement"] = (
        f"Quick run with at most {os.environ['PUREXP_BOOK_REPS']} replicates per experiment. "
        "Numbers and figures differ from those of the full run.")
