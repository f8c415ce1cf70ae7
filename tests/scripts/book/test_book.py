# SPDX-License-Identifier: MIT
"""The book builds without a warning, has every page, and no link, anchor or picture in it leads nowhere."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from book_sample import ROOT, Page, build
from browser import needs_browser
from devtools import Browser

from warpladder.book import markdown, pages

pytestmark = pytest.mark.xdist_group("book")
FOR_AXE = (
    ("index", 400, "dark"),
    ("lessons/01_naive_atomic/exercises/vector_index/README", 1280, "light"),
    ("search", 400, "light"),
)
# Large pages take axe-core up to half a minute each.
FOR_AXE_IF_LONG = (
    ("index", 1280, "light"),
    ("lessons/01_naive_atomic/README", 400, "dark"),
    ("lessons/06_lock_free/README", 1280, "light"),
    ("docs/glossary", 400, "dark"),
    ("docs/checklists", 1280, "light"),
    ("sources/common/check.cuh", 1280, "dark"),
)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    (folder / "03.html").write_text("<!doctype html><title>A report</title>\n", encoding="utf-8")
    return build(folder / "site", "--reports", str(folder))


@pytest.fixture(scope="module")
def read(book: Path) -> dict[Path, Page]:
    return {file: Page(file) for file in sorted(book.rglob("*.html"))}


@pytest.mark.early
def test_every_page_is_there_and_next_leads_through_all_of_them(book: Path, read: dict[Path, Page]) -> None:
    way, file = [], book / "README.html"
    while True:
        way.append(file.relative_to(book).with_suffix("").as_posix())
        if not read[file].next:
            break
        file = read[file].leads(read[file].next)[0]
    assert way == list(pages.every())
    assert set(pages.lessons()) <= set(way)


def test_every_link_anchor_and_picture_leads_somewhere(read: dict[Path, Page]) -> None:
    nowhere = []
    for file, page in read.items():
        for link in {*page.links, *page.loads}:
            if link.startswith(("http:", "https:", "mailto:")):
                continue
            there, anchor = page.leads(link)
            # Furo's own button for the top of a page is the one link with an empty anchor.
            if not there.exists() or (anchor and there in read and anchor not in read[there].anchors):
                nowhere.append(f"{file.name}: {link}")
    assert nowhere == []


def test_a_report_is_linked_from_its_lesson(book: Path, read: dict[Path, Page]) -> None:
    page = read[book / "lessons" / "03_divergence_free" / "README.html"]
    assert book / "reports" / "03.html" in [page.leads(link)[0] for link in page.links]


def test_nothing_is_fetched_from_elsewhere(read: dict[Path, Page]) -> None:
    assert [load for page in read.values() for load in page.loads if ":" in load.partition("/")[0]] == []


def test_every_picture_has_words_for_it(read: dict[Path, Page]) -> None:
    assert [(page.file.name, each) for page in read.values() for each in page.pictures_without_words] == []


def test_hints_are_folded_and_solutions_are_not_in_the_book(book: Path) -> None:
    for exercise in pages.exercises():
        file = book / exercise.folder.relative_to(ROOT) / "README.html"
        text = file.read_text(encoding="utf-8")
        assert text.count("<details><summary>Hint ") == 3, file
    assert not list(book.rglob("*solution*"))


def seen_in_a_browser(book: Path, files: Iterable[Path], profile: Path) -> list[str]:
    """What is wrong with them: on a phone in the dark, on a wide screen in the light."""
    faults = []
    with Browser(profile) as browser:
        for file in files:
            browser.open(file.as_uri())
            for width, scheme in ((400, "dark"), (1280, "light")):
                browser.size(width)
                browser.media(scheme)
                wide, broken, cut = browser.run("""
                    const images = [...document.images];
                    for (const image of images) image.loading = "eager";
                    await Promise.all(images.map(image => image.decode().catch(() => {})));
                    return [document.documentElement.scrollWidth - innerWidth,
                            images.filter(image => !image.naturalWidth).map(image => image.src),
                            [...document.querySelectorAll("td.text-right p")].filter(cell =>
                              cell.offsetHeight > 1.5 * parseFloat(getComputedStyle(cell).lineHeight)
                            ).map(cell => cell.innerText)];""")
                if wide > 0 or broken or cut:
                    page = file.relative_to(book)
                    faults.append(f"{page} at {width}: {wide} too wide, broken: {broken}, figures cut: {cut[:3]}")
        faults += browser.complaints
        return faults + [load for load in browser.loads if not load.startswith(("file:", "data:"))]


def alike(book: Path, file: Path) -> str:
    """Pages of exercises and of sources come in large numbers; of each kind the plain suite looks at the largest."""
    inside = file.relative_to(book)
    return "exercise" if "exercises" in inside.parts else "source" if inside.parts[0] == "sources" else str(inside)


@needs_browser
def test_pages_at_two_widths_in_both_themes(book: Path, read: dict[Path, Page], tmp_path: Path) -> None:
    by_size = sorted(read, key=lambda file: file.stat().st_size)
    chosen = {alike(book, file): file for file in by_size}
    assert len(chosen) > 20
    assert seen_in_a_browser(book, chosen.values(), tmp_path) == []


@pytest.mark.long
@needs_browser
def test_every_page_at_two_widths_in_both_themes(book: Path, read: dict[Path, Page], tmp_path: Path) -> None:
    assert seen_in_a_browser(book, read, tmp_path) == []


@needs_browser
def test_its_controls_work_from_a_folder(book: Path, tmp_path: Path) -> None:
    """Both themes, by the system's wish and by the button; a hint; a copy button; the search, which needs no server."""
    with Browser(tmp_path) as browser:
        browser.size(1280)
        browser.open((book / "lessons/01_naive_atomic/exercises/vector_index/README.html").as_uri())
        colours = []
        for scheme in ("light", "dark"):
            browser.media(scheme)
            colours.append(browser.run("return getComputedStyle(document.body).backgroundColor;"))
        assert colours[0] != colours[1]
        before, after = browser.run("""
            const before = document.body.dataset.theme;
            document.querySelector(".theme-toggle-container button").click();
            return [before, document.body.dataset.theme];""")
        assert before != after
        assert browser.run("""
            const hint = document.querySelector("details"), closed = hint.open;
            hint.querySelector("summary").click();
            return [closed, hint.open, document.querySelectorAll("button.copybtn").length > 0];""") == [
            False,
            True,
            True,
        ]

        browser.open((book / "search.html").as_uri() + "?q=shuffle")
        # What is found is put in one by one.
        assert browser.run("""
            const found = () => [...document.querySelectorAll("#search-results li a")]
              .some(link => link.href.includes("lessons/04_warp_shuffle/README.html"));
            for (let wait = 0; wait < 400 && !found(); ++wait) await new Promise(done => setTimeout(done, 50));
            return found();""")
        assert browser.complaints == []


@needs_browser
def test_axe_finds_no_serious_fault(book: Path, tmp_path: Path) -> None:
    assert serious_faults(book, FOR_AXE, tmp_path) == []


@pytest.mark.long
@needs_browser
def test_axe_finds_no_serious_fault_on_large_pages(book: Path, tmp_path: Path) -> None:
    assert serious_faults(book, FOR_AXE_IF_LONG, tmp_path) == []


def serious_faults(book: Path, views: Iterable[tuple[str, int, str]], profile: Path) -> list[str]:
    """axe-core comes with the book's packages; what it calls serious or critical is a fault."""
    scripts = sorted((ROOT / ".toolkit").glob("book-*/axe_playwright_python/axe.min.js"))
    assert scripts, "the book's packages hold axe-core"
    axe = scripts[-1].read_text(encoding="utf-8")
    faults = []
    with Browser(profile) as browser:
        for name, width, scheme in views:
            browser.size(width)
            browser.media(scheme)
            browser.open((book / f"{name}.html").as_uri())
            browser.run(axe + "\nwindow.axe = axe;")
            for fault in browser.run("""
                const found = await axe.run(document, {resultTypes: ["violations"]});
                return found.violations.filter(each => ["serious", "critical"].includes(each.impact))
                  .map(each => each.id + ": " + each.nodes.slice(0, 3).map(node => node.html).join(" | "));"""):
                faults.append(f"{name} {width} {scheme}: {fault}")
    return faults


@pytest.mark.parametrize("out", ["", "file", "full"])
def test_a_folder_with_other_things_is_left_alone(out: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    command = [sys.executable, str(ROOT / "course"), "book", "--out", str(tmp_path / out) if out else ""]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert (tmp_path / "full" / "mine.txt").read_text() == "mine"


def test_where_a_link_leads() -> None:
    known = {"README", "docs/emulator", "lessons/01_naive_atomic/README"}
    for page, link, expected in (
        ("lessons/01_naive_atomic/README", "#try-it", "#try-it"),
        ("lessons/01_naive_atomic/README", "https://example.org/a", "https://example.org/a"),
        ("lessons/01_naive_atomic/README", "../../docs/emulator.md#a", "../../docs/emulator.md#a"),
        ("lessons/01_naive_atomic/README", "../../common/check.cuh", "source:common/check.cuh"),
        ("docs/emulator", "../tests/timing_set", "source:tests/timing_set"),
        ("docs/emulator", "../results/h200/ladder.svg", "../results/h200/ladder.svg"),
        ("lessons/01_naive_atomic/exercises/vector_index/README", "../../", "../../README.md"),
    ):
        assert markdown.target(page, link, known) == expected


def test_the_glossary_leads_to_its_lessons() -> None:
    known = {"lessons/02_shared_memory_tree/README"}
    text = markdown.prepared("docs/glossary", "A bank. *Lesson 02.*\n\nA moon. *Lesson 77.*\n", known)
    assert "A bank. *[Lesson 02](../lessons/02_shared_memory_tree/README.md).*" in text
    assert "A moon. *Lesson 77.*" in text


def test_links_in_code_are_left_alone() -> None:
    text = "[a](../LICENSE)\n```sh\n[a](../LICENSE)\n```\n[a](../LICENSE)\n"
    changed = markdown.outside_code(text, lambda line: line.upper())
    assert changed == "[A](../LICENSE)\n```sh\n[a](../LICENSE)\n```\n[A](../LICENSE)\n"
