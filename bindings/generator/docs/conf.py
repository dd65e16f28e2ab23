"""The settings of Sphinx for the site; bindings/generator/build-docs copies them to the pages that it writes."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "extensions"))

project = "Alidade"
copyright = "the Alidade authors"
html_title = "Alidade"
extensions = ["myst_parser", "sphinx_design", "sphinx_copybutton", "sphinx.ext.autodoc", "extension", "swift_domain"]
exclude_patterns = ["extensions"]
keep_warnings = False
# Dashes alone: straight quotes are what a reader copies.
smartquotes = True
smartquotes_action = "D"
# Single backticks in docstrings are code.
default_role = "literal"
rst_prolog = ".. role:: tag\n   :class: tag\n"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
# Names of headers and functions in Swift's comments are no links.
myst_links_external_new_tab = False

add_module_names = False
add_function_parentheses = False
autodoc_typehints = "signature"
# Names that stand for long unions.
autodoc_type_aliases = {
    name: f"alidade.coordinates.{name}" for name in ("SpatialReferenceLike", "SpatialReferenceDefinition")
}
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
# Not keywords: the interface has fields of these names.
c_extra_keywords: list[str] = []
maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"
primary_domain = "c"
highlight_language = "text"

copybutton_selector = "div:not(.output) > div.highlight > pre"
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "furo"
html_static_path = ["static"]
html_favicon = "static/alidade.svg"
html_css_files = ["alidade.css"]
html_js_files = [("local.js", {"priority": 300})]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_use_index = False
html_domain_indices = False
html_last_updated_fmt = None
pygments_style = "default"
pygments_dark_style = "github-dark"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b5c7a",
        "color-brand-content": "#0b5c7a",
        "color-api-name": "#14191c",
        "color-api-pre-name": "#0b5c7a",
        "color-highlight-on-target": "#e3f1f7",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6cc3e0",
        "color-brand-content": "#6cc3e0",
        "color-api-name": "#f2f5f7",
        "color-api-pre-name": "#6cc3e0",
        "color-highlight-on-target": "#15303a",
    },
}
