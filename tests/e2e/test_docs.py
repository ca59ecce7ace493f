"""The manuals and guides, compared with the project: what they quote and link to exists."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support.builds import COMMAND
from support.command import LIMIT_S, subcommands

ROOT = Path(__file__).resolve().parents[2]
MANUALS = sorted((ROOT / "man").iterdir())
GUIDES = sorted(path for path in [*ROOT.glob("*.md"), *ROOT.glob("*/*.md")]
                if path.relative_to(ROOT).parts[0] != "build")

# Words that these texts had for terms of the field; see CONTRIBUTING.md, Style.
RETIRED = re.compile(r"\b(tells? of|told|gathers?|gathered|but for|held against|processors?|"
                     r"folders?|can't be had)\b", re.IGNORECASE)

pytestmark = pytest.mark.any_jvm


def literals():
    """The string literals of the source, adjacent ones joined, a line each."""
    texts = []
    for path in sorted((ROOT / "src").rglob("*.c")):
        source = re.sub(r'"\s*(?:PRI\w+\s*)?\n?\s*"', "", path.read_text())
        texts += re.findall(r'"((?:[^"\\\n]|\\.)*)"', source)
    return "\n".join(texts).replace('\\"', '"')


def section_of(page, title):
    return page.split(f".Sh {title}\n", 1)[1].split("\n.Sh ", 1)[0]


def quoted_messages():
    """DIAGNOSTICS of hprof-agent(7), and its notes at the start of a text file: what each
    message has besides its values."""
    page = (ROOT / "man" / "hprof-agent.7").read_text()
    for message in re.findall(r'^\.It "(.*)"$', section_of(page, "DIAGNOSTICS"), re.MULTILINE):
        parts = re.split(r"\.\.\.|\b[NE]\b|HOST:PORT", message)
        yield message, [part for part in (p.strip(" :;,()%.") for p in parts) if len(part) > 2]
    for note in re.findall(r'^\.It Li (".*:.*)$', page, re.MULTILINE):
        yield note, [part.strip(" :;,().") for part in re.findall(r'"([^"]+)"', note)
                     if len(part.strip(" :;,().")) > 2]


def test_every_message_in_the_manual_is_one_that_the_agent_has():
    source = literals()
    messages = list(quoted_messages())
    assert len(messages) > 30
    missing = {message: part for message, parts in messages for part in parts
               if part not in source}
    assert not missing


def test_the_manual_has_every_subcommand_and_option_of_the_command():
    page = (ROOT / "man" / "hprof.1").read_text()
    for name, options in subcommands().items():
        if name.startswith("--"):
            assert f"Fl -{name.strip('-')}" in page
            continue
        assert re.search(rf"^\.It Ic {name}\b", page, re.MULTILINE), name
        for option in options:
            assert f"Fl {option[1:]}" in page, (name, option)


def test_each_manual_leads_to_the_other():
    assert ".Xr hprof-agent 7" in (ROOT / "man" / "hprof.1").read_text()
    assert ".Xr hprof 1" in (ROOT / "man" / "hprof-agent.7").read_text()


def test_links_of_the_guides_lead_to_files():
    broken = []
    for guide in GUIDES:
        for link in re.findall(r"\]\(([^)#]+)\)", guide.read_text()):
            if "://" not in link and not (guide.parent / link).exists():
                broken.append(f"{guide.relative_to(ROOT)}: {link}")
    assert not broken


def test_paths_of_the_guides_exist():
    """Those of our own tree in backquotes, without what a reader has to fill in."""
    missing = []
    for guide in GUIDES:
        for path in re.findall(r"`((?:src|tests|man|docs|bench|completions)/[\w./-]+)`",
                               guide.read_text()):
            if not (ROOT / path).exists():
                missing.append(f"{guide.relative_to(ROOT)}: {path}")
    assert not missing


def compared_tools():
    """The table of README's "Why hprof": its tools, and the questions of its rows."""
    section = (ROOT / "README.md").read_text().split("\n## Why hprof\n", 1)[1]
    table = section.split("\n| options |", 1)[0]
    header, *rows = re.findall(r"^\| ?(.*) \|$", table, re.MULTILINE)
    tools = [cell.strip() for cell in header.split("|")[1:]]
    return tools, [row.split(" | ", 1)[0] for row in rows]


def test_each_cell_of_the_comparison_with_other_tools_has_its_source():
    tools, questions = compared_tools()
    sections = dict(re.findall(r"^## ([^\n]*)\n\n(.*?)(?=^## |^\[|\Z)",
                               (ROOT / "docs/OTHER_TOOLS.md").read_text(),
                               re.MULTILINE | re.DOTALL))
    assert "hprof" in tools and len(tools) == 4
    assert questions == list(sections)
    for question, section in sections.items():
        items = dict(re.findall(r"^- \*\*(.*?)\*\*: (.*?)(?=^- |\Z)", section,
                                re.MULTILINE | re.DOTALL))
        assert list(items) == tools, question
        for tool, item in items.items():
            assert ("Check:" if tool == "hprof" else "Source:") in item, (question, tool)


def test_the_links_to_sources_are_defined_and_used():
    page = (ROOT / "docs/OTHER_TOOLS.md").read_text()
    defined = re.findall(r"^\[([\w-]+)\]: https://\S+$", page, re.MULTILINE)
    assert sorted(defined) == sorted(set(re.findall(r"\]\[([\w-]+)\]", page)))


def test_each_guide_has_the_commands_that_make_its_pictures():
    """Those of `make pictures`, with the same fragment, size and theme."""
    made = {picture: (page, fragment, size, theme) for page, fragment, size, picture, theme in
            re.findall(r"^\t\$\(call picture,(\w+),(.*?),(\w+),(\w+)(?:,(\w+))?\)$",
                       (ROOT / "Makefile").read_text(), re.MULTILINE)}
    shown = set()
    for guide in GUIDES:
        text = guide.read_text()
        for name in re.findall(r"^!\[.*?\]\(.*?images/page-(\w+)\.png\)", text, re.MULTILINE):
            page, fragment, size, theme = made[name]
            command = f"{page}.html '{fragment}' {size} docs/images/page-{name}.png {theme}".strip()
            assert "`make pictures`" in text and re.search(re.escape(command) + "( -->)?$", text,
                                                           re.MULTILINE), (guide.name, name)
            shown.add(name)
    assert shown == set(made) == {path.stem[5:] for path in (ROOT / "docs/images").iterdir()}


def test_manuals_and_guides_use_the_terms_of_the_field():
    found = []
    for path in [*MANUALS, *GUIDES]:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if RETIRED.search(line) and not line.startswith(".It \""):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line}")
    assert not found


def test_the_version_is_the_one_of_the_changelog():
    done = subprocess.run([COMMAND, "--version"], capture_output=True, text=True,
                          timeout=LIMIT_S, check=True)
    version = re.search(r"^## \[(.*?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    first, second = done.stdout.splitlines()
    assert first == f"hprof {version.group(1)}"
    # The JDKs are those of the manual.
    jdks = re.fullmatch("tested with (JDK .*)", second)[1]
    assert f"{jdks} are tested with each change" in (ROOT / "man/hprof-agent.7").read_text()


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_manuals_are_formatted_without_a_warning():
    done = subprocess.run(["groff", "-ww", "-mdoc", "-Tutf8", *MANUALS], capture_output=True,
                          text=True, timeout=LIMIT_S, check=True)
    assert done.stderr == ""
    assert "HPROF-AGENT" in done.stdout
