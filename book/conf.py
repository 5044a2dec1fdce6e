"""Settings of the book: Sphinx over the notebooks, as they were executed, and the pages of docs/.

docker/book.py copies this folder and what it is made of to a place of their own, in the layout of the repository,
writes index.md and api.md there, and runs Sphinx: `make pages`, or at the end of `make notebooks`.
"""

import os
import sys
from pathlib import Path

# jsonschema, which reads notebooks, would compile 38 grammars of addresses that no notebook is checked for: a second.
sys.modules.setdefault("rfc3987_syntax", None)
sys.path.insert(0, str(Path(__file__).resolve().parent))  # purexp_book.py

project = "purexp"
author = copyright = "The purexp authors"
language = "en"

extensions = ["myst_nb", "sphinx_copybutton", "sphinxcontrib.bibtex", "sphinx.ext.mathjax", "purexp_book"]
exclude_patterns = ["README.md", "_static", "single", "**/.ipynb_checkpoints"]
highlight_language = "none"
suppress_warnings = ["myst.header"]  # a notebook may leave out a level of headings

# Notebooks: as they were saved. Nothing is executed here, and nothing is fetched from a network when a page opens.
nb_execution_mode = "off"
nb_code_prompt_show, nb_code_prompt_hide = "Show more figures and tables", "Hide them"
nb_ipywidgets_js = {}
nb_render_markdown_format = "myst"  # formulas in outputs, too
nb_merge_streams = True

myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 4
myst_update_mathjax = False

# MathJax from a file. docker/book.py puts it there.
mathjax_path = "mathjax/tex-svg.js"
mathjax3_config = {
    "tex": {"inlineMath": [["\\(", "\\)"]], "displayMath": [["\\[", "\\]"]], "tags": "ams"},
    "svg": {"fontCache": "global"},
    "options": {"enableMenu": False, "ignoreHtmlClass": "tex2jax_ignore|document", "processHtmlClass": "tex2jax_process|math"},
}

bibtex_bibfiles = ["REFERENCES.bib"]
bibtex_default_style = "unsrt"
bibtex_reference_style = "author_year"

# The prompt of a shell is not part of the command; line numbers and outputs are not part of the code.
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
    "navbar_persistent": [],  # the search is in the sidebar
    "secondary_sidebar_items": {"**": ["page-toc"], "index": [], "docs/methods": [], "api": [], "docs/arena": [], "notebooks/arena": []},
    "show_toc_level": 2,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
if os.environ.get("PUREXP_BOOK_REPS"):
    html_theme_options["announcement"] = (
        f"Quick run with at most {os.environ['PUREXP_BOOK_REPS']} replicates per experiment. "
        "Numbers and figures differ from those of the full run.")
