#!/usr/bin/env python3
"""Opens the HTML documentation in headless Chromium, as files and from a web server: pages.py FOLDER

What there must be is read from the headers, the modules of Python and the Markdown pages, not from what made the HTML.
"""

from __future__ import annotations

import ast
import http.server
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bindings" / "generator"), str(ROOT / "bindings" / "generator" / "docs")]
PHONE, DESK = (390, 844), (1400, 950)
# What a page is and refers to, as the browser sees it.
CONTENTS = """
return {
  ids: [...document.querySelectorAll("[id]")].map(e => e.id),
  links: [...document.querySelectorAll("[href], [src]")].map(e => e.getAttribute("href") ?? e.getAttribute("src")),
  title: document.querySelector("h1")?.textContent ?? "",
}"""

# How wide a page is, with what has to be pushed sideways to be read. Code is not meant: it may scroll in its box.
WIDTH = """
const text = document.querySelector(".content");
return Math.max(document.documentElement.scrollWidth, innerWidth + text.scrollWidth - text.clientWidth)"""


class Browser:
    def __init__(self) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.size = (0, 0)
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))

    def open(self, address: str, size: tuple[int, int] = DESK) -> list[str]:
        """Opens a page and gives what the console says of errors."""
        self.resize(size)
        self.driver.get(address)
        return self.errors()

    def width(self, size: tuple[int, int]) -> int:
        """How wide the page is that is open, in a window of that size."""
        self.resize(size)
        return self.driver.execute_script(WIDTH)

    def resize(self, size: tuple[int, int]) -> None:
        if size == self.size:
            return
        self.size = size
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def find(self, selector: str, seconds: float = 20) -> list:
        """The elements, once there are any; none if none come."""
        try:
            WebDriverWait(self.driver, seconds).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, selector))
        except Exception:
            return []
        return self.driver.find_elements(By.CSS_SELECTOR, selector)


def every_page(browser: Browser, folder: Path) -> Iterator[tuple[str, str | None]]:
    """Opens each page in two widths, and then follows all links."""
    found = {}
    # The width that a page ends with is the first of the next page, because a change of width takes time.
    sizes = [PHONE, DESK]
    for path in sorted(folder.rglob("*.html")):
        name = str(path.relative_to(folder))
        problems = browser.open(path.as_uri(), sizes[0])
        found[name] = browser.driver.execute_script(CONTENTS)
        if not found[name]["title"].strip() and name != "search.html":
            problems.append("it has no heading")
        for size in sizes:
            if (width := browser.width(size)) > size[0]:
                problems.append(f"it is {width} pixels wide in a window of {size[0]}")
        sizes.reverse()
        yield f"{name} opens", "\n".join(problems) or None
    for name, page in found.items():
        yield f"{name}: links", "\n".join(dead_links(name, page["links"], found, folder)) or None
    yield from expected({identifier for page in found.values() for identifier in page["ids"]}, set(found))


def dead_links(name: str, links: list[str], pages: dict[str, dict], folder: Path) -> list[str]:
    dead = []
    for link in sorted(set(links)):
        if re.match(r"(https?|mailto|data):", link):
            continue
        path, anchor = urldefrag(urljoin(f"site:///{name}".replace("site:", "file:"), link))
        target = unquote(path.removeprefix("file:///")).partition("?")[0]
        if not (folder / target).is_file():
            dead.append(f"{link}: no such file")
        elif anchor and target in pages and unquote(anchor) not in pages[target]["ids"]:
            dead.append(f"{link}: that page has no such anchor")
    return dead


def expected(ids: set[str], pages: set[str]) -> Iterator[tuple[str, str | None]]:
    """What each language offers has an entry."""
    headers = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "Include").rglob("*.h")))
    functions = set(re.findall(r"(?m)^ALD_API [^;(]*?\b(ald_\w+)\(", headers))
    types = set(re.findall(r"(?m)^typedef struct (ald_\w+)", headers)) | set(re.findall(r"\b(ald_\w+)_\s*\*", headers))
    yield all_there("functions of C", {f"c.{name}" for name in functions}, ids)
    yield all_there(
        "structs and handles of C",
        {f"c.{name}" for name in types if f"{name};" in headers or f"{name} {{" in headers},
        ids,
    )
    python = ROOT / "bindings" / "python" / "alidade"
    names = {f"alidade.{path.stem}.{name}" for path in python.glob("[a-z]*.py") for name in public_names(path)}
    yield all_there("names of Python", names, ids)
    cpp = (ROOT / "bindings" / "cpp" / "alidade" / "cpp" / "interface.hpp").read_text(encoding="utf-8")
    classes = set(re.findall(r"(?m)^class (\w+_ref) ", cpp))
    yield all_there("classes of C++", {f"_CPPv4N7alidade{len(name)}{name}E" for name in classes}, ids)
    swift = [
        match
        for path in (ROOT / "Sources").glob("Alidade*/**/*.swift")
        if "AlidadeABI" not in path.parts
        for match in re.findall(
            r"(?m)^public (?:final )?(?:class|struct|enum|protocol) (\w+)", path.read_text(encoding="utf-8")
        )
    ]
    yield all_there("types of Swift", {f"swift-{name}" for name in swift}, ids)
    written = {path.stem for path in (ROOT / "Sources" / "AlidadeABI" / "Alidade.docc").glob("*.md")} - {"Alidade"}
    yield all_there("written pages", {f"{name}.html" for name in written} | {"index.html"}, pages)


def all_there(what: str, wanted: set[str], found: set[str]) -> tuple[str, str | None]:
    missing = sorted(wanted - found)
    problem = f"{len(missing)} are missing, such as {', '.join(missing[:5])}" if missing else None
    return f"all {len(wanted)} {what} have their entry", problem if wanted else "none were found"


def public_names(path: Path) -> list[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    return []


def search(browser: Browser, site: str, query: str, anchor: str) -> str | None:
    """What is wrong with typing a query on the first page and following the first result; None if nothing."""
    browser.open(f"{site}/index.html")
    field = browser.find("input[name=q]")[0]
    field.send_keys(query, Keys.ENTER)
    results = browser.find("ul.search li a")
    if not results:
        return "nothing was found"
    title = results[0].text
    results[0].click()
    # A click returns before the browser has left the page, if the machine is busy.
    with suppress(TimeoutException):
        WebDriverWait(browser.driver, 20).until(lambda driver: urldefrag(driver.current_url).fragment)
    place = urldefrag(browser.driver.current_url).fragment
    if unquote(place) != anchor:
        return f"the first result, {title}, leads to {browser.driver.current_url}"
    top = browser.driver.execute_script(
        "return document.getElementById(arguments[0]).getBoundingClientRect().top", anchor
    )
    if not 0 <= top < DESK[1] / 2:
        return f"the entry stands {top} pixels below the top of the window"
    return "\n".join(browser.errors()) or None


def search_for_nothing(browser: Browser, site: str) -> str | None:
    browser.open(f"{site}/search.html?q=xyzzyplugh")
    WebDriverWait(browser.driver, 20).until(
        lambda driver: "did not match" in driver.find_element(By.TAG_NAME, "body").text
    )
    return "it has results" if browser.find("ul.search li a", 0) else None


def tabs(browser: Browser, site: str) -> str | None:
    """Chooses a language on one page, and looks at what that page and another show."""

    def shown() -> list[str]:
        return [
            part.text
            for part in browser.driver.find_elements(By.CSS_SELECTOR, ".sd-tab-content")
            if part.is_displayed()
        ]

    for language, word in (
        ("Python", "import alidade"),
        ("C++", "#include <alidade.hpp>"),
        ("C", "#include <alidade.h>"),
    ):
        browser.open(f"{site}/How-to-identify-a-cell.html")
        label = next(label for label in browser.find(".sd-tab-label") if label.text == language)
        label.click()
        for page in ("How-to-identify-a-cell", "How-to-buffer-10-km"):
            if page not in browser.driver.current_url:
                browser.open(f"{site}/{page}.html")
            texts = shown()
            if len(texts) != 1 or word not in texts[0]:
                return f"{language} on {page}: {texts}"
    return None


def undocumented_function(_: Browser) -> str | None:
    """Takes the comment of a function out of a copy of the headers."""
    import c_reference
    import header_model

    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "Include", folder, dirs_exist_ok=True)
        path = Path(folder, "alidade", "identify.h")
        text = path.read_text(encoding="utf-8")
        at = text.index("ALD_API ald_status ald_view_identify(")
        path.write_text(text[: text.rindex("/**", 0, at)] + text[at:], encoding="utf-8")
        try:
            missing = c_reference.undocumented(header_model.load(Path(folder, "alidade.h")))
        except header_model.HeaderError as error:
            missing = [str(error)]
    whole = c_reference.undocumented(header_model.load())
    if whole:
        return f"without a comment: {whole}"
    return None if any("ald_view_identify" in name for name in missing) else f"it says only {missing}"


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The pages from a server, in a folder of it."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

    with tempfile.TemporaryDirectory() as top:
        Path(top, "manual").symlink_to(folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=top)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_address[1]}/manual"
            server.shutdown()


def checks(browser: Browser, folder: Path) -> Iterator[tuple[str, str | None]]:
    def attempt(name: str, check: Callable[..., str | None], *arguments: str) -> tuple[str, str | None]:
        try:
            return name, check(browser, *arguments)
        except Exception as error:
            return name, f"{type(error).__name__}: {error}"

    yield from every_page(browser, folder)
    with served(folder) as address:
        for way, site in (("files", folder.as_uri()), ("a server", address)):
            yield attempt(
                f"search for ald_view_identify, {way}", search, site, "ald_view_identify", "c.ald_view_identify"
            )
            yield attempt(
                f"search for GeometryArray, {way}", search, site, "GeometryArray", "alidade.geometry.GeometryArray"
            )
            yield attempt(f"search for what is nowhere, {way}", search_for_nothing, site)
            yield attempt(f"tabs, {way}", tabs, site)
    yield attempt("a function without a comment is an error", undocumented_function)


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    browser = Browser()
    passed = failed = 0
    try:
        for name, problem in checks(browser, folder):
            passed, failed = passed + (problem is None), failed + (problem is not None)
            print(f"FAILED  {name}\n{problem}" if problem else f"ok      {name}")
    finally:
        browser.driver.quit()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
