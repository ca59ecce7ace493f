"""The page of two profiles in a real browser: frames, methods, stacks and classes with what changed."""

import subprocess

import pytest

from support.builds import COMMAND
from support.checks import stable_name
from support.live_run import TIMEOUT_S
from support.runner import Runner
from test_page import KEYS, MARKUP, MONITORS, SITES, STACKS, TIMES, colours_of, luminance, made_profile

pytestmark = pytest.mark.browser
MAIN, SELL, PRICE = "com.acme.Main.main", "com.acme.Shop.sell", "com.acme.Shop.price"
GONE = (MAIN, "org.slf4j.Logger.info", "java.util.HashMap.get")
CHANGED = {  # 65 samples of price become 165, 10 of a stack are gone, 30 are new
    **{stack: times for stack, times in STACKS.items() if stack != GONE},
    (MAIN, SELL, PRICE): ("main", {0: 140}),
    (MAIN, "com.acme.Shop.added" + MARKUP): ("main", {0: 30}),
    ("com.acme.App$$Lambda/0x00007f5.run",): ("main", {0: 10}),
}
OLD = {**STACKS, ("com.acme.App$$Lambda/0x00001e4.run",): ("main", {0: 10})}


def diff(*arguments, exit_code=0):
    done = subprocess.run([COMMAND, "diff", *map(str, arguments)], text=True, capture_output=True,
                          check=False, timeout=TIMEOUT_S)
    assert done.returncode == exit_code, (done.stdout[-2000:], done.stderr)
    return done.stderr


@pytest.fixture(scope="module", name="files")
def _files(tmp_path_factory):
    directory = tmp_path_factory.mktemp("diff")
    (directory / "old.txt").write_text(made_profile(OLD, SITES + MONITORS), encoding="utf-8")
    (directory / "new.txt").write_text(
        made_profile(CHANGED, SITES.replace("3000    3 ", "8000    8 ")), encoding="utf-8")
    return directory / "old.txt", directory / "new.txt"


@pytest.fixture(scope="module", name="made")
def _made(files):
    path = files[0].parent / "diff.html"
    diff("-o", path, *files)
    return path


@pytest.fixture(scope="module", name="runs")
def _runs(jdk, class_path, tmp_path_factory):
    """Two runs with exact counts: the second has one more call, and calls of find."""
    runner = Runner(jdk, class_path, tmp_path_factory.mktemp("runs"))
    options = "cpu=times,heap=sites,live=n,depth=1024,cutoff=0,lineno=n"
    pair = [runner.run("GateWork", options, *arguments) for arguments in ((), ("call", "allocation", "salted"))]
    assert all(run.exit_code == 0 for run in pair)
    yield pair
    runner.close()


def test_calls_are_those_of_both_runs(browser, runs, tmp_path):
    expected = {}
    for side, run in enumerate(runs):
        for row in run.profile().rows:
            name = row.trace.frames[0].name if row.trace.frames else "<empty trace>"
            expected.setdefault(stable_name(name), [0, 0])[side] += row.count
    diff("--of", "calls", "-o", tmp_path / "calls.html", *(run.output for run in runs))
    assert (tmp_path / "calls.html").stat().st_mode & 0o777 == 0o600
    page = browser.page(tmp_path / "calls.html")
    assert page.script("return hprofPage.choices.metric") == "calls"
    assert methods(page) == {name: pair for name, pair in expected.items() if any(pair)}
    assert page.script("return tabs.shown().map(tab => tab.id)") == ["flame", "methods", "stacks", "tree"]
    diff("-o", tmp_path / "all.html", *(run.output for run in runs))
    page = browser.page(tmp_path / "all.html", "#metric=allocated")
    rows = page.script("""
        hprofPage.choose({ tab: 'stacks' });
        const { content } = tabs.of('stacks');
        return content.grid.rows.map(node => [content.textOf(node), content.pairAt(node)]);""")
    assert ["byte[] ← GateWork.parse ← GateWork.main", [0, 16]] in rows
    assert page.errors() == []


def methods(page):
    """The old and the new own cost by method."""
    return dict(page.script("""
        const { model } = hprofPage;
        return model.profile.names.map((name, method) => [name, model.methodPair('self', method)])
            .filter(([, pair]) => pair[0] + pair[1] > 0);"""))


def test_costs_are_those_of_both_profiles(browser, made):
    page = browser.page(made)
    assert methods(page) == {
        PRICE: [65, 165], "java.util.HashMap.get": [22, 12], "com.acme.Key.hashCode": [8, 8],
        "com.acme.Evil." + MARKUP: [4, 4], "com.acme.Shop.added" + MARKUP: [0, 30],
        "com.acme.App$$Lambda.run": [10, 10], "<no_stack>.not_walkable": [1, 1]}
    assert page.text("#total") == "110 → 230 samples, +109%"
    assert "old.txt → new.txt" in page.text("#facts")
    assert "old.txt → " in page.script("return document.title")
    assert page.script("return window.pwned") is None
    assert page.errors() == []


def test_widths_are_new_and_colours_are_the_change(browser, made):
    page = browser.page(made)
    rows = page.frames()
    assert [(name, total) for name, _, _, total in rows[0]] == [("all", 230)]
    assert [(name, total) for name, _, _, total in rows[1]] == [
        (MAIN, 190), ("com.acme.Worker.run", 29), ("com.acme.App$$Lambda.run", 10), ("<no_stack>.not_walkable", 1)]

    def colour(name):
        return page.colour_at(name)

    def named(name):
        return page.script("return getComputedStyle(document.documentElement).getPropertyValue(arguments[0]).trim()",
                           f"--change-{name}")

    assert colour("com.acme.Worker.run") == named("none")
    assert colour("com.acme.Shop.added" + MARKUP) == named("more")
    assert colour(SELL) not in (named("none"), named("more"), named("less"))
    page.point(SELL)
    status = page.text("#status")
    assert "self 0 → 0 samples" in status and "total 60 → 160 samples, +167%" in status
    assert "54.5% → 69.6% of all" in status
    page.press("o")
    assert page.frames()[0][0][3] == 110
    assert colour("org.slf4j.Logger.info") == named("less")


def test_what_is_gone_is_named_and_shown(browser, made):
    """It has no width among the new ones."""
    page = browser.page(made)
    assert "org.slf4j.Logger.info" not in [name for row in page.frames().values() for name, *_ in row]
    assert "Gone 9.1%" in page.text("#legend")
    page.click("#gone")
    assert "org.slf4j.Logger.info" in [name for row in page.frames().values() for name, *_ in row]
    assert "old=1" in page.fragment()
    page.click("#gone")
    assert page.frames()[0][0][3] == 230
    page.script("hprofPage.choose({ tab: 'methods' })")
    assert not page.shown("#gone"), "Methods has all rows"
    assert page.errors() == []


def test_a_change_by_chance_has_no_colour(browser, tmp_path):
    """12 and 20 samples can differ by chance, 120 and 200 can't."""
    for scale, step in ((1, 0), (10, 1)):
        for name, count in (("old", 12), ("new", 20)):
            (tmp_path / f"{name}.txt").write_text(made_profile({("a.B.c",): ("main", {0: count * scale})}), encoding="utf-8")
        path = tmp_path / f"chance{scale}.html"
        diff("-o", path, tmp_path / "old.txt", tmp_path / "new.txt")
        page = browser.page(path)
        change = page.script("const { model } = hprofPage; return model.change(model.totals(), model.metric)")
        assert (change > 0) == (step == 1)
        page.point("a.B.c")
        assert ("within chance" in page.text("#status")) == (step == 0)


def test_tables_have_old_new_and_change(browser, made):
    page = browser.page(made, "#tab=methods")
    assert page.column("Method")[:3] == [PRICE, "com.acme.Shop.added" + MARKUP, "java.util.HashMap.get"]
    assert page.column("Self, old")[:3] == ["65", "0", "22"]
    assert page.column("Self, new")[:3] == ["165", "30", "12"]
    assert page.column("Change")[:3] == ["+100", "+30", "−10"]
    assert page.column("%")[:3] == ["+154%", "new", "−45.5%"]
    csv = page.script("return tabs.of('methods').content.grid.csv()").splitlines()
    assert csv[0] == ('"Self, old (samples)","Self, new (samples)","Self, change (samples)","Total, old (samples)",'
                      '"Total, new (samples)","Total, change (samples)","Method"')
    assert csv[3] == '22,12,-10,30,20,-10,"java.util.HashMap.get"'
    page.keys("#search", "Logger")
    page.wait("return hprofPage.choices.search === 'Logger'")
    assert page.column("Method") == ["org.slf4j.Logger.info"]
    assert page.errors() == []


def test_stacks_lead_to_their_frames(browser, made):
    page = browser.page(made, "#tab=stacks")
    stacks = page.column("Stack, innermost first")
    assert stacks[0] == "com.acme.Shop.price← Shop.sell ← Main.main"
    assert "java.util.HashMap.get← Logger.info ← Main.main" in stacks
    page.keys("#search", "Logger")
    page.wait("return hprofPage.choices.search === 'Logger'")
    assert page.column("%") == ["gone"]
    page.script("tabs.of('stacks').content.grid.pane.focus()")
    page.press(KEYS["down"])
    page.press(KEYS["enter"])
    assert page.shown("#panel-flame")
    assert [name for name, *_ in page.frames()[3]] == ["java.util.HashMap.get"], "of the old profile"
    assert "old=1" in page.fragment()


def test_the_tree_and_its_callers_have_what_is_gone(browser, made):
    page = browser.page(made, "#tab=tree&inverted=1")
    frames = [name.lstrip("▾▸") for name in page.column("Frame")]
    assert frames[:2] == ["all", PRICE]
    assert page.column("Total, old")[:2] == ["110", "65"]
    assert page.column("Total, new")[:2] == ["230", "165"]
    page.script("""
        const { grid, tree } = tabs.of('tree').content;
        const { names } = hprofPage.model.profile;
        grid.select(grid.rows.findIndex(row => names[tree.method[row]] === 'java.util.HashMap.get'));
        grid.pane.focus();""")
    page.press(KEYS["right"])
    below = dict(zip([name.lstrip("▾▸") for name in page.column("Frame")], zip(page.column("Total, old"), page.column("Total, new"))))
    assert below["org.slf4j.Logger.info"] == ("10", "0")
    assert below[SELL] == ("12", "12")


def test_old_costs_can_be_scaled(browser, made, files, tmp_path):
    page = browser.page(made)
    page.press("s")
    before, now = page.script("return hprofPage.model.totals()")
    assert (round(before, 6), now) == (230, 230)
    assert methods(page)["com.acme.Key.hashCode"] == pytest.approx([8 * 230 / 110, 8])
    assert "scaled=1" in page.fragment()
    diff("--normalize", "-o", tmp_path / "scaled.html", *files)
    assert browser.page(tmp_path / "scaled.html").script("return hprofPage.choices.scaled") is True


def test_the_heap_has_both(browser, made):
    page = browser.page(made, "#tab=heap")
    assert page.column("Class") == ["com.acme.Bill", "byte[]"]
    assert page.column("Live, old") == ["3.00 kB", "1.00 kB"]
    assert page.column("Live, new") == ["8.00 kB", "1.00 kB"]
    assert page.column("Change") == ["+5.00 kB", "0"]
    page.script("document.querySelectorAll('#panel-heap .segments button')[1].click()")
    assert page.column("Class, and where it was allocated")[0] == "com.acme.BillShop.sell ← Main.main"
    assert page.errors() == []


def test_what_only_one_has_is_a_note(browser, made):
    page = browser.page(made)
    assert metrics(page) == ["samples", "live", "objects", "allocated", "allocations"]
    page.click("#help")
    assert "only the old profile has MONITOR TIME" in page.text("#help-dialog")


def test_without_javascript_both_costs_are_there(browser, made):
    page = browser.page(made, scripts=False)
    text = page.visible_text(".plain")
    row = next(line for line in text.splitlines() if line.endswith(PRICE))
    assert row.split() == ["65", "samples", "59.09%", "165", "samples", "71.74%",
                           "65", "samples", "59.09%", "165", "samples", "71.74%", PRICE]


def test_one_kind_and_threads_can_be_chosen(browser, files, tmp_path):
    diff("--of", "sites", "-o", tmp_path / "sites.html", *files)
    page = browser.page(tmp_path / "sites.html")
    assert page.frames()[0][0][3] == 9000
    diff("--of", "samples", "--threads", "-o", tmp_path / "threads.html", *files)
    page = browser.page(tmp_path / "threads.html")
    assert [name[:11] for name, *_ in page.frames()[1]] == ["thread main", "thread work"]
    assert page.errors() == []


def metrics(page):
    return page.script("return [...document.getElementById('metric').options].map(option => option.value)")


def test_states_are_metrics(browser, tmp_path):
    """The new profile has a lock wait less and a sleep more, and no time in I/O."""
    files = tmp_path / "old.txt", tmp_path / "new.txt"
    files[0].write_text(TIMES, encoding="utf-8")
    new = TIMES.replace("500.000       0.000", "300.000       0.000").replace(
        "30.000     300.000", "90.000       0.000")
    assert new.count("300.000") == 1
    files[1].write_text(new, encoding="utf-8")
    diff("-o", tmp_path / "all.html", *files)
    page = browser.page(tmp_path / "all.html", "#metric=lck")
    assert metrics(page) == ["time", "calls", "lck", "slp", "io", "lat", "stw"]
    assert page.script("return hprofPage.model.totals()") == [500e6, 300e6]
    assert methods(page) == {"com.acme.Shop.lock": [500e6, 300e6]}
    page = browser.page(tmp_path / "all.html", "#metric=io")
    assert methods(page) == {"com.acme.Shop.read": [300e6, 0]}
    assert page.errors() == []
    diff("--of", "slp", "-o", tmp_path / "slp.html", *files)
    page = browser.page(tmp_path / "slp.html")
    assert metrics(page) == ["slp"] and methods(page) == {"com.acme.Shop.read": [30e6, 90e6]}
    assert page.errors() == []


def test_states_of_one_profile_alone_are_a_note(browser, tmp_path):
    files = tmp_path / "old.txt", tmp_path / "new.txt"
    files[0].write_text(TIMES, encoding="utf-8")
    files[1].write_text(TIMES.partition("TRACE MICROSTATES")[0], encoding="utf-8")
    diff("-o", tmp_path / "diff.html", *files)
    page = browser.page(tmp_path / "diff.html")
    assert metrics(page) == ["time", "calls"]
    page.click("#help")
    help_text = page.text("#help-dialog")
    assert help_text.count("only the old profile has TRACE MICROSTATES") == 1
    message = diff("--of", "lck", "-o", tmp_path / "lck.html", *files, exit_code=1)
    assert "no section of lck in common" in message and message.count("\n") == 1


def test_nothing_in_common_is_one_line(files, tmp_path):
    message = diff("--of", "times", "-o", tmp_path / "x.html", *files, exit_code=1)
    assert "no section of times in common" in message and message.count("\n") == 1
    assert not (tmp_path / "x.html").exists()
    message = diff("-o", tmp_path / "x.html", files[0], tmp_path / "none", exit_code=1)
    assert "can't read" in message and message.count("\n") == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_on_changes_has_contrast(theme):
    colours = colours_of(theme)

    def contrast(one, other):
        a, b = sorted((luminance(one), luminance(other)))
        return (b + 0.05) / (a + 0.05)

    for name in ("less", "none", "more"):
        assert contrast(colours["frame-ink"], colours[f"change-{name}"]) >= 4.5, name
    for name in ("more", "less"):
        assert contrast(colours[name], colours["paper"]) >= 4.5, name
        assert contrast(colours[name], colours["raised"]) >= 4.5, name
