"""What MkDocs calls while it builds the site. See mkdocs.yml."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # MkDocs loads this file by its path

from docs.website import pages

WEB = pages.ROOT / "client" / "web"
SHARED = {"tokens.css": WEB / "styles" / "tokens.css", "icon.svg": WEB / "icon.svg"}  # with the browser client


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give headings the anchors that they have on GitHub."""
    config.mdx_configs["toc"]["slugify"] = pages.anchor
    return config


def on_page_content(html: str, **_: object) -> str:
    """Return a page whose tables have no empty headings, which screen readers would announce."""
    return re.sub(r"<th[^>]*></th>", "<td></td>", html)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace the files of docs/ by the pages of the site, and take the navigation from its start page."""
    for file in list(files):
        if file.src_dir == config.docs_dir:
            files.remove(file)
    site = pages.collect()
    for path, text in site.pages.items():
        files.append(File.generated(config, path, content=text))
    for path, source in {**site.copies, **SHARED}.items():
        files.append(File.generated(config, path, abs_src_path=str(source)))
    config.nav = pages.navigation(site.pages[pages.START.name])
    return files
