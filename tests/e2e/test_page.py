"""The HTML page in a real browser: its figures are those of the profile, and what its reader can do
with it works."""

import os
import re
import time
from collections import Counter
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

from support.checks import stable_name
from support.command import hprof

pytestmark = pytest.mark.browser
KEYS = {"backspace": "\ue003", "enter": "\ue007", "escape": "\ue00c", "left": "\ue012",
        "up": "\ue013", "right": "\ue014", "down": "\ue015", "shift": "\ue008"}


def page_of(profile, path, *options):
    hprof("report", *options, "-o", path, profile)
    return path


# ---- a profile whose figures are known -----------------------------------------------

MARKUP = '<img src=x onerror="window.pwned=1"></script><script>window.pwned=2</script>&amp;'
STACKS = {  # innermost last: (thread, samples by bucket of 100 ms)
    ("com.acme.Main.main", "com.acme.Shop.sell", "com.acme.Shop.price"): ("main", {0: 20, 1: 20}),
    ("com.acme.Main.main", "com.acme.Shop.sell", "java.util.HashMap.get"): ("main", {1: 12}),
    ("com.acme.Main.main", "com.acme.Shop.sell", "java.util.HashMap.get", "com.acme.Key.hashCode"):
        ("main", {1: 8}),
    ("com.acme.Main.main", "org.slf4j.Logger.info", "java.util.HashMap.get"): ("main", {2: 10}),
    ("com.acme.Worker.run", "com.acme.Shop.price"): ("worker", {8: 25}),
    ("com.acme.Worker.run", "com.acme.Evil." + MARKUP): ("worker", {9: 4}),
    ("<no_stack>.not_walkable",): ("worker", {5: 1}),
}
TOTAL = sum(sum(times.values()) for _, times in STACKS.values())


def made_profile(stacks, more=""):
    """The text of a profile with these stacks."""
    lines = ["JAVA PROFILE 1.0.1, created Tue Nov 24 14:03:00 2026", "", "--------", "",
             "NOTE: program: com.acme.Main --fast", "NOTE: JVM: 25.0.3+9-LTS OpenJDK 64-Bit Server VM",
             "NOTE: options: cpu=samples,interval=10,thread=y,timeline=y",
             'THREAD START (obj=5000, id = 200001, name="main", group="main")',
             f'THREAD START (obj=5001, id = 200002, name="worker {MARKUP}", group="main")']
    serials = {"main": 200001, "worker": 200002}
    total = sum(sum(times.values()) for _, times in stacks.values())
    rows, moments, so_far = [], [], 0
    for number, (stack, (thread, times)) in enumerate(stacks.items()):
        lines.append(f"TRACE {300001 + number}: (thread={serials[thread]})")
        lines += [f"\t{name}(Some.java:{10 + place})" for place, name in enumerate(reversed(stack))]
        samples = sum(times.values())
        so_far += samples
        rows.append(f"{number + 1:4} {samples / total * 100:5.2f}% {so_far / total * 100:5.2f}% {samples:7} "
                    f"{300001 + number:5} {stack[-1]}")
        moments.append(" ".join([str(300001 + number), *(f"{bucket}:{count}" for bucket, count in times.items())]))
    date = "Tue Nov 24 14:03:02 2026"
    lines += [f"CPU SAMPLES BEGIN (total = {total}) {date}", "rank   self  accum   count trace method", *rows,
              "CPU SAMPLES END", f"SAMPLE TIMES BEGIN (bucket = 100 ms, start = 1795543828123) {date}", *moments,
              "SAMPLE TIMES END", "NOTE: profiled for 1.000 s", more]
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module", name="made")
def _made(tmp_path_factory):
    directory = tmp_path_factory.mktemp("made")
    profile = directory / "made.txt"
    profile.write_text(made_profile(STACKS), encoding="utf-8")
    return page_of(profile, directory / "made.html")


def cost_below(name):
    """Samples with a frame of that name on their stack."""
    return sum(sum(times.values()) for stack, (_, times) in STACKS.items() if name in stack)


# ---- figures ------------------------------------------------------------------------------

@pytest.fixture(scope="module", name="real")
def _real(jdk, shared_run, tmp_path_factory):
    """A profile of a real program, read by the tests' own reader, and its page."""
    run = shared_run(jdk, "Shares", "cpu=samples,interval=1,depth=64,cutoff=0,thread=y,timeline=y,lineno=y",
                     "steady", 400)
    assert run.exit_code == 0, run.describe("failed")
    return run.profile(), page_of(run.output, tmp_path_factory.mktemp("page") / "real.html")


def test_figures_are_those_of_the_profile(browser, real):
    profile, path = real
    section = profile.sections[0]
    own, all_of = Counter(), Counter()
    for row in section.rows:
        names = [stable_name(frame.name) for frame in row.trace.frames]
        own[names[0]] += row.count
        for name in set(names):
            all_of[name] += row.count
    page = browser.page(path)
    model = page.script("""
        const { model } = hprofPage;
        const { self, total } = model.methodCosts();
        return model.profile.names.map((name, i) => [name, self[i], total[i]])
            .filter(([, self, total]) => total > 0 && self + total > 0);""")
    found_own = Counter({name: count for name, count, _ in model if count})
    found_all = Counter({name: count for name, _, count in model})
    assert found_own == own
    assert found_all == all_of
    root = page.frames()[0]
    assert [(name, total) for name, _, _, total in root] == [("all", section.total)]
    assert f"{section.total:,} samples" in page.text("#total")
    buckets = page.script("return Array.from(hprofPage.model.buckets(0))")
    assert sum(buckets) == section.total
    assert page.errors() == []


def test_a_fault_of_the_page_would_be_seen(browser, made):
    page = browser.page(made)
    page.script("setTimeout(() => { nothing.of.that.name(); })")
    end = time.monotonic() + 10
    while not (lines := page.errors()) and time.monotonic() < end:
        time.sleep(0.02)
    assert len(lines) == 1 and "nothing is not defined" in lines[0]


def test_a_binary_profile_has_a_page(browser, jdk, shared_run, tmp_path):
    run = shared_run(jdk, "Shares", "cpu=samples,interval=1,depth=64,cutoff=0,thread=y,format=b", "steady", 400)
    total = run.profile().total
    page = browser.page(page_of(run.output, tmp_path / "binary.html"))
    assert f"{total:,} samples" in page.text("#total")
    assert page.frames()[0][0][3] == total
    page.click("#tab-methods")
    assert "Shares." in page.text("#panel-methods")
    assert page.errors() == []


def test_every_row_of_frames_adds_up(browser, real):
    """A frame's children and its own cost are its total; merged ones count."""
    _, path = real
    page = browser.page(path)
    wrong = page.script("""
        const { boxes, tree } = tabs.of('flame').content;
        const sums = new Float64Array(boxes.count);
        for (let box = 1; box < boxes.count; box++)
            sums[boxes.parent[box]] += boxes.node[box] < 0 ? boxes.rest[box] : tree.total[boxes.node[box]];
        const wrong = [];
        for (let box = 0; box < boxes.count; box++) {
            const node = boxes.node[box];
            if (node >= 0 && sums[box] > 0 && sums[box] + tree.self[node] !== tree.total[node])
                wrong.push([box, sums[box], tree.self[node], tree.total[node]]);
        }
        return wrong;""")
    assert wrong == []


def test_the_title_says_what_it_is(browser, made):
    page = browser.page(made)
    assert page.text("#program") == "com.acme.Main"
    facts = page.text("#facts")
    for fact in ("JDK 25.0.3", "cpu=samples 10 ms", "Tue Nov 24 14:03:00 2026", "1 s",
                 "stacks cut at 4 frames"):
        assert fact in facts
    assert f"{TOTAL} samples" in page.text("#total")
    assert "1.0% without a stack" in page.text("#total")
    assert page.script("return document.title") == "com.acme.Main --fast – hprof"
    assert page.errors() == []


def test_what_was_left_out_is_not_without_a_stack(browser, made, tmp_path):
    profile = made.with_suffix(".txt")
    page = browser.page(page_of(profile, tmp_path / "ignored.html", "--ignore", "^java[.]util[.]HashMap"))
    share = 100 * cost_below("java.util.HashMap.get") / TOTAL
    assert f"{TOTAL} samples" in page.text("#total")
    assert f"{share:.1f}% filtered out" in page.text("#total")
    assert "1.0% without a stack" in page.text("#total")
    page = browser.page(page_of(profile, tmp_path / "kept.html", "--filter", "^com[.]acme[.]Shop[.]"))
    share = 100 - 100 * sum(sum(times.values()) for stack, (_, times) in STACKS.items()
                            if any(name.startswith("com.acme.Shop.") for name in stack)) / TOTAL
    assert f"{share:.1f}% filtered out" in page.text("#total")
    assert "without a stack" not in page.text("#total")
    assert page.errors() == []


def test_costs_below_the_cutoff_are_named(browser, tmp_path):
    text = made_profile({("A.a",): ("main", {0: 60})})
    row = text[text.index("   1 100.00%"):text.index("CPU SAMPLES END")]
    profile = tmp_path / "cut.txt"
    profile.write_text(text.replace(row, row.replace("100.00%", " 60.00%")).replace("total = 60", "total = 100"))
    page = browser.page(page_of(profile, tmp_path / "cut.html"))
    assert "100 samples" in page.text("#total")
    assert "40.0% below the cutoff" in page.text("#total")
    assert "without a stack" not in page.text("#total")


def test_the_last_section_can_be_shown_alone(browser, tmp_path):
    section = made_profile({("A.a",): ("main", {0: 60})})
    second = section[section.index("CPU SAMPLES BEGIN"):section.index("SAMPLE TIMES BEGIN")]
    profile = tmp_path / "two.txt"
    profile.write_text(section + second.replace("60 300001", "7 300001").replace("total = 60", "total = 7"))
    for options, total in ([], 67), (["--last"], 7):
        page = browser.page(page_of(profile, tmp_path / f"{total}.html", *options))
        assert f"{total} samples" in page.text("#total")
        assert page.errors() == []


CLASSIC = """\
JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026

Header for -agentlib:hprof (or -Xrunhprof) ASCII Output
--------

THREAD START (obj=500001c3, id = 200001, name="main", group="main")
TRACE 300001:
\tShop.price(Shop.java:6)
\tShop.main(Shop.java:12)
TRACE 300002:
\tShop.main(Shop.java:14)
SITES BEGIN (ordered by live bytes) Sat Nov 21 02:55:45 2026
          percent          live          alloc'ed  stack class
 rank   self  accum     bytes objs     bytes  objs trace name
    1 75.00% 75.00%      4800  100     48000  1000 300001 long[]
    2 25.00% 100.00%      1600   20      1600    20 300002 java.util.Map$Entry[]
SITES END
CPU SAMPLES BEGIN (total = 437) Sat Nov 21 02:55:45 2026
rank   self  accum   count trace method
   1 66.82% 66.82%     292 300001 Shop.price
   2 32.95% 99.77%     144 300002 Shop.main
CPU SAMPLES END
"""


def test_a_profile_of_the_classic_agent_has_a_page(browser, tmp_path):
    profile = tmp_path / "classic.txt"
    profile.write_text(CLASSIC)
    page = browser.page(page_of(profile, tmp_path / "classic.html"))
    assert "437 samples" in page.text("#total") and "0.2% below the cutoff" in page.text("#total")
    assert page.frames()[0][0][3] == 437
    assert [(name, total) for name, _, _, total in page.frames()[1] if "main" in name] == [("Shop.main", 436)]
    page.click("#tab-heap")
    assert "long[]" in page.text("#panel-heap") and "4.80 kB" in page.text("#panel-heap")
    assert page.errors() == []


# ---- safety ----------------------------------------------------------------------------------

def test_names_are_text(browser, made):
    page = browser.page(made)
    page.wait("return document.querySelectorAll('.items [role=treeitem]').length > 0")
    assert MARKUP in page.text(".items")
    page.click("#tab-methods")
    assert any(MARKUP in text for text in page.column("Method"))
    page.click("#tab-threads")
    assert any(MARKUP in text for text in page.column("Thread"))
    page.click("#help")
    assert page.script("return window.pwned") is None
    assert page.script("return document.querySelectorAll('img').length") == 0
    assert page.errors() == []


def test_no_other_script_runs_and_nothing_is_fetched(browser, made):
    page = browser.page(made)
    page.script("""
        window.violated = [];
        document.addEventListener('securitypolicyviolation', event => window.violated.push(event.effectiveDirective));
        const script = document.createElement('script');
        script.textContent = 'window.pwned = 1';
        document.body.append(script);
        const style = document.createElement('style');
        style.textContent = 'body { display: none }';
        document.head.append(style);
        new Image().src = 'http://127.0.0.1:9/x.png';
        fetch('http://127.0.0.1:9/').catch(() => { window.refused = true; });""")
    page.wait("return window.refused === true && window.violated.length === 4")
    assert page.script("return window.violated.sort()") == ["connect-src", "img-src", "script-src-elem", "style-src-elem"]
    assert page.script("return window.pwned") is None
    assert page.shown("#app")


def test_without_javascript_there_is_a_table(browser, made):
    page = browser.page(made, scripts=False)
    text = page.visible_text(".plain")
    assert "com.acme.Main --fast" in text
    row = next(line for line in text.splitlines() if line.endswith("com.acme.Shop.price"))
    assert row.split()[:2] == ["65", "samples"]
    assert MARKUP in text
    assert not page.shown("#app")
    for dark, ink in ((False, "rgb(0, 0, 0)"), (True, "rgb(255, 255, 255)")):
        page = browser.page(made, scripts=False, dark=dark)
        assert page.script("return getComputedStyle(document.body).color") == ink
    page = browser.page(made, scripts=False, size=(400, 800))
    width = page.script("""
        const names = [...document.querySelectorAll('.plain tbody td:last-child')].filter(name => name.textContent.includes('acme'));
        return [Math.min(...names.map(name => name.offsetWidth)), document.documentElement.scrollWidth];""")
    assert width[0] > 300 and width[1] <= 400, "names have lines of their own"


# ---- the flame graph --------------------------------------------------------------------------

def test_the_costliest_comes_first_and_kinds_have_colours(browser, made):
    page = browser.page(made)
    rows = page.frames()
    assert [name for name, *_ in rows[1]] == ["com.acme.Main.main", "com.acme.Worker.run",
                                              "<no_stack>.not_walkable"]
    assert [name for name, *_ in rows[2]][:2] == ["com.acme.Shop.sell", "org.slf4j.Logger.info"]
    colours = [page.colour_at(name) for name in ("com.acme.Shop.sell", "org.slf4j.Logger.info",
                                                 "java.util.HashMap.get", "<no_stack>.not_walkable")]
    wanted = [page.script("return getComputedStyle(document.documentElement).getPropertyValue(arguments[0]).trim()",
                          f"--kind-{kind}") for kind in ("application", "library", "jdk", "none")]
    assert colours == wanted


def test_zoom_keeps_the_callers_and_backspace_goes_back(browser, made):
    page = browser.page(made)
    page.point("com.acme.Shop.sell", click=True)
    rows = page.frames()
    assert [name for name, *_ in rows[1]] == ["com.acme.Main.main"]
    assert [name for name, *_ in rows[2]] == ["com.acme.Shop.sell"]
    assert rows[2][0][2] == rows[0][0][2], "the zoomed frame is as wide as the pane"
    assert [name for name, *_ in rows[3]] == ["com.acme.Shop.price", "java.util.HashMap.get"]
    page.point("com.acme.Shop.price", click=True)
    assert len(page.frames()) == 4
    page.press(KEYS["backspace"])
    assert [name for name, *_ in page.frames()[3]] == ["com.acme.Shop.price", "java.util.HashMap.get"]
    page.press(KEYS["backspace"])
    assert len(page.frames()[1]) == 3
    assert page.errors() == []


def test_the_status_line_explains_a_frame(browser, made):
    page = browser.page(made)
    page.point("java.util.HashMap.get")
    status = page.text("#status")
    assert "HashMap.get" in status and "java.util" in status and "JDK" in status
    assert "self 12 samples, 12.0% ±" in status
    assert "total 20 samples, 20.0% ±" in status
    assert "line 10" in status
    assert "≈ 200.0 ms CPU" in status


def test_the_status_line_stays_with_the_zoomed_frame(browser, made):
    page = browser.page(made)
    page.point("com.acme.Shop.sell", click=True)
    assert "Shop.sell" in page.text("#status") and "total 60 samples" in page.text("#status")


def test_short_calls_have_a_unit_of_their_size(browser, tmp_path):
    (tmp_path / "times.txt").write_text(TIMES.replace("       4 3002", "  400000 3002").replace("       2 3002", "  200000 3002"), encoding="utf-8")
    page = browser.page(page_of(tmp_path / "times.txt", tmp_path / "times.html"), "#metric=time")
    page.point("com.acme.Shop.lock")
    status = page.text("#status")
    assert "400,000 calls" in status and "200 ns a call" in status and "500.0 ms waiting for a lock" in status


def test_search_says_its_share(browser, made):
    page = browser.page(made)
    page.press("/")
    for text, share in (("hashmap", 30), ("HashMap|Worker", 59), ("Shop.price", cost_below("com.acme.Shop.price")),
                        ("nothing of the kind", 0), ("worker", 29)):
        page.script("document.getElementById('search').value = ''")
        page.keys("#search", text)
        page.wait("return hprofPage.choices.search === arguments[0]", text)
        assert page.text("#matches") == f"{share}.0% match", text
    page.keys("#search", KEYS["escape"])
    page.wait("return hprofPage.choices.search === ''")
    assert page.text("#matches") == ""


def test_matches_keep_their_colour_and_the_rest_fades(browser, made):
    page = browser.page(made)
    names = ("java.util.HashMap.get", "com.acme.Shop.price")
    before = [page.colour_at(name) for name in names]
    page.keys("#search", "HashMap")
    page.wait("return hprofPage.choices.search === 'HashMap'")
    after = [page.colour_at(name) for name in names]
    assert after[0] == before[0]
    assert after[1] != before[1]


def selected_name(page, tab):
    """The frame, or the method of the row, that is selected in a tab; and where it is among the matches."""
    return page.script("""
        const { content } = tabs.of(arguments[0]);
        const { names } = hprofPage.model.profile;
        const method = arguments[0] === 'flame' ? content.tree.method[content.selected]
            : arguments[0] === 'tree' ? content.tree.method[content.grid.rows[content.grid.at]] : content.grid.rows[content.grid.at];
        return [names[method], document.getElementById('match-at').textContent];""", tab)


def test_the_next_match_is_the_next_narrower_one(browser, made):
    page = browser.page(made)
    page.press("/")
    page.keys("#search", "Shop.price|HashMap", KEYS["enter"])
    matches = ["com.acme.Shop.price", "com.acme.Shop.price", "java.util.HashMap.get", "java.util.HashMap.get"]
    costs = ["total 40 samples", "total 25 samples", "total 20 samples", "total 10 samples"]
    for number, (name, cost) in enumerate(zip(matches, costs), 1):
        assert selected_name(page, "flame") == [name, f"{number} of 4"]
        assert cost in page.text("#status")
        page.press("n")
    assert selected_name(page, "flame") == [matches[0], "1 of 4"], "the first again"
    page.press(KEYS["shift"] + "n")
    assert selected_name(page, "flame") == [matches[-1], "4 of 4"]
    page.click("#next-match")
    page.click("#next-match")
    assert selected_name(page, "flame") == [matches[1], "2 of 4"]
    page.click("#previous-match")
    assert selected_name(page, "flame") == [matches[0], "1 of 4"]
    page.press(KEYS["escape"])
    assert page.text("#match-at") == "" and not page.shown("#next-match")
    assert page.errors() == []


def test_the_next_match_is_opened_in_the_tree(browser, made):
    page = browser.page(made, "#tab=tree&search=HashMap")
    assert "java.util.HashMap.get" not in " ".join(page.column("Frame"))
    page.press("n")
    assert selected_name(page, "tree") == ["java.util.HashMap.get", "1 of 2"]
    page.press("n")
    assert selected_name(page, "tree") == ["java.util.HashMap.get", "2 of 2"]
    above = page.script("""
        const { tree, grid } = tabs.of('tree').content;
        return hprofPage.model.profile.names[tree.method[tree.parent[grid.rows[grid.at]]]];""")
    assert above == "org.slf4j.Logger.info"
    page = browser.page(made, "#tab=tree&search=HashMap&inverted=1")
    page.press("n")
    assert selected_name(page, "tree") == ["java.util.HashMap.get", "1 of 1"]
    page = browser.page(made, "#tab=methods&search=Shop")
    page.press("n")
    page.press("n")
    assert selected_name(page, "methods") == ["com.acme.Shop.sell", "2 of 2"]
    assert page.errors() == []


def test_inverted_shows_callers_of_the_hottest(browser, made):
    page = browser.page(made)
    page.press("i")
    rows = page.frames()
    assert [(name, total) for name, _, _, total in rows[1]][:3] == [
        ("com.acme.Shop.price", 65), ("java.util.HashMap.get", 22), ("com.acme.Key.hashCode", 8)]
    assert [(name, total) for name, _, _, total in rows[2]][:2] == [
        ("com.acme.Shop.sell", 40), ("com.acme.Worker.run", 25)]
    assert rows[0][0][3] == TOTAL
    page.press("i")
    assert [name for name, *_ in page.frames()[1]][0] == "com.acme.Main.main"


def test_a_touch_screen_has_its_own_hint(browser, made):
    page = browser.page(made, size=(400, 800), touch_screen=True)
    assert "touch it again to zoom" in page.text("#status")


def test_a_touch_explains_a_frame_and_the_next_zooms(browser, made):
    page = browser.page(made, size=(400, 800))
    page.touch(page.place("com.acme.Shop.sell"))
    page.wait("return document.getElementById('status').textContent.includes('Shop.sell')")
    assert len(page.frames()[1]) == 3, "not zoomed yet"
    page.touch(page.place("com.acme.Shop.sell"))
    page.wait("return hprofPage.choices.zoom.length === 2")
    assert [name for name, *_ in page.frames()[2]] == ["com.acme.Shop.sell"]
    assert page.errors() == []


def test_flame_has_the_root_at_the_bottom(browser, made):
    page = browser.page(made)
    top = "const icicle = tabs.of('flame').content; return icicle.topOf(arguments[0])"
    assert page.script(top, 0) < page.script(top, 1)
    page.press("f")
    assert page.script(top, 0) > page.script(top, 1)
    assert page.script("const icicle = tabs.of('flame').content;"
                       "return icicle.topOf(0) - icicle.pane.scrollTop + 18 === icicle.height")


def test_focus_gathers_all_calls_of_a_method(browser, made):
    page = browser.page(made)
    page.point("java.util.HashMap.get", click=True, keys=[KEYS["shift"]])
    rows = page.frames()
    assert [(name, total) for name, _, _, total in rows[0]] == [("java.util.HashMap.get", 30)]
    assert "Calls of HashMap.get" in page.text("#chips")
    page.press("i")
    assert [(name, total) for name, _, _, total in page.frames()[1]] == [
        ("com.acme.Shop.sell", 20), ("org.slf4j.Logger.info", 10)]
    page.click("#chips button")
    assert page.frames()[0][0][3] == TOTAL


def test_the_legend_folds_a_kind_into_its_callers(browser, made):
    page = browser.page(made)
    assert "JDK 22.0%" in page.text("#legend")
    page.script("[...document.querySelectorAll('#legend button')].find(b => b.textContent.startsWith('JDK')).click()")
    names = {name for row in page.frames().values() for name, *_ in row}
    assert "java.util.HashMap.get" not in names
    assert "com.acme.Key.hashCode" in names
    own = page.script("""
        const { self } = hprofPage.model.methodCosts();
        return self[hprofPage.model.profile.names.indexOf('com.acme.Shop.sell')];""")
    assert own == 12
    assert page.frames()[0][0][3] == TOTAL


def test_keys_move_through_the_frames(browser, made):
    page = browser.page(made)
    page.script("tabs.of('flame').content.pane.focus()")
    selected = """const icicle = tabs.of('flame').content;
        return icicle.selected < 0 ? '' : hprofPage.model.profile.names[icicle.tree.method[icicle.selected]];"""
    steps = [("down", "com.acme.Main.main"), ("down", "com.acme.Shop.sell"), ("right", "org.slf4j.Logger.info"),
             ("left", "com.acme.Shop.sell"), ("down", "com.acme.Shop.price"), ("up", "com.acme.Shop.sell")]
    for key, name in steps:
        page.press(KEYS[key])
        assert page.script(selected) == name, key
    assert "Shop.sell" in page.text("#status")
    page.press(KEYS["enter"])
    assert [name for name, *_ in page.frames()[2]] == ["com.acme.Shop.sell"]


def test_frames_in_view_are_a_tree_for_readers_of_the_screen(browser, made):
    page = browser.page(made)
    page.wait("return document.querySelectorAll('.icicle [role=treeitem]').length === 12")
    items = page.script("return [...document.querySelectorAll('.icicle [role=treeitem]')]"
                        ".map(item => [item.getAttribute('aria-level'), item.textContent])")
    assert items[0][0] == "1" and "total 100 samples" in items[0][1]
    assert any(level == "3" and text.startswith("com.acme.Shop.sell, self 0 samples") for level, text in items)
    page.script("tabs.of('flame').content.pane.focus()")
    page.press(KEYS["down"])
    assert page.script("""
        const id = document.querySelector('.icicle').getAttribute('aria-activedescendant');
        return document.getElementById(id).textContent""").startswith("com.acme.Main.main")


def active_row(page):
    """What a reader of the screen says of the table's row that the keys have moved to."""
    return page.script("""
        const pane = document.querySelector('.panel:not([hidden]) .pane');
        const row = document.getElementById(pane.getAttribute('aria-activedescendant'));
        return [pane.getAttribute('role'), row.getAttribute('aria-level'), row.getAttribute('aria-expanded'), row.textContent];""")


def test_the_row_that_keys_move_to_is_announced(browser, made):
    page = browser.page(made, "#tab=tree")
    page.script("tabs.of('tree').content.grid.pane.focus()")
    page.press(KEYS["down"])
    page.press(KEYS["down"])
    role, level, expanded, text = active_row(page)
    assert (role, level, expanded) == ("treegrid", "2", "false") and text.endswith("com.acme.Main.main")
    page.press(KEYS["right"])
    assert active_row(page)[2] == "true"
    page = browser.page(made, "#tab=methods")
    assert page.script("return document.querySelector('.panel:not([hidden]) .pane').getAttribute('aria-activedescendant')") is None
    page.script("tabs.of('methods').content.grid.pane.focus()")
    page.press(KEYS["down"])
    role, level, expanded, text = active_row(page)
    assert (role, level, expanded) == ("grid", None, None) and text.endswith("com.acme.Shop.price")
    assert page.errors() == []


def test_frames_that_fit_have_no_scroll_bar(browser, made):
    page = browser.page(made, size=(1401, 901))
    page.wait("return document.querySelectorAll('.items [role=treeitem]').length > 0")
    height, content, width, drawn = page.script("""
        const { pane, width } = tabs.of('flame').content;
        return [pane.clientHeight, pane.scrollHeight, pane.offsetWidth, width];""")
    assert (content, drawn) == (height, width)


def test_threads_can_be_frames(browser, made):
    page = browser.page(made)
    page.press("t")
    assert [(name[:6], total) for name, _, _, total in page.frames()[1]] == [("main", 70), ("worker", 30)]


# ---- time ---------------------------------------------------------------------------------------

def test_a_range_of_time_can_be_selected(browser, made):
    page = browser.page(made)
    page.drag("#strip", 0.01, 0.19)  # buckets 0 and 1
    assert page.frames()[0][0][3] == 60
    assert "0.0–0.2 s" in page.text("#chips")
    assert "time=0-1" in page.fragment()
    page.click("#tab-methods")
    assert page.column("Self")[:2] == ["40", "12"]
    page.press(KEYS["escape"])
    page.wait("return hprofPage.choices.range === null")
    assert page.column("Self")[:2] == ["65", "22"]
    assert page.errors() == []


def test_the_range_moves_with_the_keyboard(browser, made):
    page = browser.page(made)
    page.script("document.getElementById('strip').focus()")
    page.press(KEYS["right"])
    for _ in range(8):
        page.press(KEYS["right"])
    assert page.script("return hprofPage.choices.range") == [9, 9]
    assert page.frames()[0][0][3] == 4


def test_a_steady_load_looks_steady(browser, tmp_path):
    """More moments than there is room for bars: no bar stands for more of them than its width shows."""
    stacks = {("a.B.c",): ("main", {bucket: 10 for bucket in range(148)})}
    (tmp_path / "steady.txt").write_text(made_profile(stacks), encoding="utf-8")
    path = page_of(tmp_path / "steady.txt", tmp_path / "steady.html")

    def colours(canvas, row):
        return page.script("""
            const canvas = document.querySelector(arguments[0]);
            const row = canvas.getContext('2d').getImageData(0, canvas.height * arguments[1], canvas.width, 1).data;
            return [...new Set(Array.from({ length: canvas.width }, (_, x) => row.slice(4 * x, 4 * x + 3).join()))];""",
                           canvas, row)

    page = browser.page(path, size=(400, 700))
    assert len(colours("#strip", 0.2)) == 2, "a bar and the gap after it"
    page = browser.page(path, "#tab=threads")
    shades = page.script("return groupBuckets(hprofPage.model.buckets(1), 100)")
    assert shades["per"] == 2 and set(shades["means"]) == {10}
    assert len(colours(".spark", 0.5)) == 1


# ---- the other tabs ----------------------------------------------------------------------------------

def test_methods_sort_filter_and_copy(browser, made):
    page = browser.page(made, "#tab=methods")
    assert page.column("Self")[:3] == ["65", "22", "8"]
    assert page.column("Method")[0] == "com.acme.Shop.price"
    page.sort("Total")
    assert page.column("Total")[:3] == ["70", "65", "60"]
    page.sort("Total")
    assert page.column("Total")[0] == "1"
    page.sort("Method")
    names = page.column("Method")
    assert names == sorted(names, key=str.lower)
    page.keys("#search", "acme.Shop")
    page.wait("return hprofPage.choices.search === 'acme.Shop'")
    assert page.column("Method") == ["com.acme.Shop.price", "com.acme.Shop.sell"]
    csv = page.script("return tabs.of('methods').content.grid.csv()").splitlines()
    assert csv[0] == '"Self (samples)","Total (samples)","Method"'
    assert csv[1] == '65,65,"com.acme.Shop.price"'
    assert page.errors() == []


def test_csv_has_no_formulas(browser, made):
    page = browser.page(made, "#tab=methods")
    cell = page.script("""
        const grid = new Grid('x', [{ title: 'T', width: '1fr', key: row => row, text: row => row }], {});
        grid.setRows(['=1+1', 'a "quoted" name']);
        return grid.csv();""")
    assert cell.splitlines() == ['"T"', "\"'=1+1\"", '"a ""quoted"" name"']


def test_a_method_leads_to_its_callers(browser, made):
    page = browser.page(made, "#tab=methods")
    page.script("tabs.of('methods').content.grid.pane.focus()")
    page.press(KEYS["down"])
    page.press(KEYS["down"])
    page.press(KEYS["enter"])
    assert page.shown("#panel-tree")
    assert page.column("Frame")[0].endswith("java.util.HashMap.get")
    assert page.column("Total")[:3] == ["30", "20", "10"]


def test_the_tree_opens_and_closes(browser, made):
    page = browser.page(made, "#tab=tree")
    names = page.column("Frame")
    assert [name.lstrip("▾▸") for name in names][:4] == [
        "all", "com.acme.Main.main", "com.acme.Worker.run", "no stack: not walkable"]
    page.script("tabs.of('tree').content.grid.pane.focus()")
    page.press(KEYS["down"])
    page.press(KEYS["down"])
    page.press(KEYS["right"])
    assert page.column("Frame")[2].endswith("com.acme.Shop.sell")
    page.press(KEYS["left"])
    assert page.column("Frame") == names
    assert page.errors() == []


def test_exact_calls_stand_beside_each_frame(browser, tmp_path):
    (tmp_path / "times.txt").write_text(TIMES, encoding="utf-8")
    path = page_of(tmp_path / "times.txt", tmp_path / "times.html")
    page = browser.page(path, "#tab=tree&metric=time")
    assert [name.lstrip("▾▸") for name in page.column("Frame")] == [
        "all", "com.acme.Shop.main", "com.acme.Shop.lock", "com.acme.Shop.read"]
    assert page.column("Calls") == ["", "", "4", "2"]
    assert page.column("Total") == ["100.0 ms", "100.0 ms", "80.0 ms", "20.0 ms"]
    page = browser.page(path, "#tab=tree&metric=lck")
    assert page.column("Calls") == ["", "", "4"] and page.column("CPU time")[2] == "80.0 ms"
    assert not page.column("Frame")[2].startswith(("▾", "▸")), "nothing below has a cost"
    page = browser.page(path, "#metric=io")
    page.point("com.acme.Shop.read")
    assert "2 calls" in page.text("#status") and "20.0 ms CPU time" in page.text("#status")
    page = browser.page(path, "#tab=tree&metric=time")
    page.press("i")
    heads = page.script("return [...document.querySelectorAll('.panel:not([hidden]) .head > *')].map(head => head.textContent)")
    assert "Calls" not in heads, "a caller has not all calls of its callee"
    assert page.errors() == []


def test_a_thread_is_selected_for_all_tabs(browser, made):
    page = browser.page(made, "#tab=threads")
    assert page.column("CPU samples") == ["70", "30"]
    page.script("document.querySelectorAll('#panel-threads .row')[1].click()")
    assert "Thread worker" in page.text("#chips")
    page.click("#tab-flame")
    assert page.frames()[0][0][3] == 30
    assert "thread=200002" in page.fragment()
    page.click("#tab-methods")
    assert page.column("Self")[0] == "25"


MICROSTATES = """THREAD MICROSTATES (ms) BEGIN (threads = 2) Tue Nov 24 14:03:02 2026
thread        life         usr         sys         trp         tfl         dfl         lck         slp         lat      vcx      icx name
200001     1000.000     600.000     100.000           -           -           -      50.000     200.000      50.000       12        3 "main"
200002      500.000     100.000       0.000           -           -           -     300.000      90.000      10.000       40        1 "worker"
THREAD MICROSTATES (ms) END
"""
SITES = """TRACE 300100:
\tcom.acme.Shop.sell(Shop.java:7)
\tcom.acme.Main.main(Main.java:3)
SITES BEGIN (ordered by live bytes) Tue Nov 24 14:03:02 2026
          percent          live          alloc'ed  stack class
 rank   self  accum     bytes objs     bytes  objs trace name
    1 75.00% 75.00%      3000    3      9000     9 300100 com.acme.Bill
    2 25.00% 100.00%      1000   10      1000    10 300000 byte[]
SITES END
"""
MONITORS = """TRACE 300101:
\tcom.acme.Shop.sell(Shop.java:8)
MONITOR TIME BEGIN (total = 40 ms) Tue Nov 24 14:03:02 2026
rank   self  accum   count trace monitor
   1 100.00% 100.00%      20 300101 Lcom/acme/Ledger; (Java)
MONITOR TIME END
MONITOR DUMP BEGIN
    THREAD 200001, trace 300101, status: MW
    THREAD 200002, trace 300101, status: MW
    MONITOR Lcom/acme/Fork;
\towner: thread 200001, entry count: 1
\twaiting to enter: thread 200002
    MONITOR Lcom/acme/Knife;
\towner: thread 200002, entry count: 1
\twaiting to enter: thread 200001
MONITOR DUMP END
"""


@pytest.fixture(scope="module", name="full")
def _full(tmp_path_factory):
    """A page with all tabs."""
    directory = tmp_path_factory.mktemp("full")
    profile = directory / "full.txt"
    profile.write_text(made_profile(STACKS, MICROSTATES + SITES + MONITORS), encoding="utf-8")
    return page_of(profile, directory / "full.html")


def test_tabs_are_those_with_data(browser, made, full):
    titles = "return [...document.querySelectorAll('#tabs button')].map(tab => tab.textContent)"
    assert browser.page(made).script(titles) == ["Flame graph", "Methods", "Tree", "Threads"]
    page = browser.page(full)
    assert page.script(titles) == ["Flame graph", "Methods", "Tree", "Threads", "Monitors: deadlock", "Heap"]
    for number in range(1, 7):
        page.script("document.body.focus(); document.activeElement.blur()")
        page.press(str(number))
        assert page.script("return document.querySelectorAll('.panel:not([hidden])').length") == 1
        assert page.errors() == []


def test_states_of_threads_are_bars(browser, full):
    page = browser.page(full, "#tab=threads")
    assert page.column("CPU") == ["700.0 ms", "100.0 ms"]
    labels = page.script("return [...document.querySelectorAll('.stack')].map(bar => bar.getAttribute('aria-label'))")
    assert "waiting for a lock 300.0 ms" in labels[1]
    grown = page.script("return [...document.querySelectorAll('.stack')[0].children].map(part => Number(part.style.flexGrow))")
    assert grown == [600000, 100000, 50000, 200000, 50000]


TIMES = """JAVA PROFILE 1.0.1, created Tue Nov 24 14:03:00 2026

--------
THREAD START (obj=5000, id = 200001, name="main", group="main")
THREAD START (obj=5001, id = 200002, name="worker", group="main")
TRACE 300201: (thread=200001)
\tcom.acme.Shop.lock(Shop.java:8)
\tcom.acme.Shop.main(Shop.java:3)
TRACE 300202: (thread=200002)
\tcom.acme.Shop.read(Shop.java:9)
\tcom.acme.Shop.main(Shop.java:3)
CPU TIME (ms) BEGIN (total = 100) Tue Nov 24 14:03:02 2026
rank   self  accum   count trace method
   1 80.00% 80.00%       4 300201 com.acme.Shop.lock
   2 20.00% 100.00%       2 300202 com.acme.Shop.read
CPU TIME (ms) END
TRACE MICROSTATES (ms) BEGIN (total = 1000, exact) Tue Nov 24 14:03:02 2026
rank        wall         usr         sys         tfl         dfl         lck         slp         i/o         lat         stw    calls trace method
   1     600.000      80.000           -           -           -     500.000       0.000       0.000      15.000       5.000        4 300201 com.acme.Shop.lock
   2     400.000      20.000           -           -           -       0.000      30.000     300.000      50.000       0.000        2 300202 com.acme.Shop.read
TRACE MICROSTATES (ms) END
"""


def test_states_of_methods_are_bars_and_each_a_metric(browser, tmp_path):
    profile = tmp_path / "states.txt"
    profile.write_text(TIMES, encoding="utf-8")
    page = browser.page(page_of(profile, tmp_path / "states.html"), "#tab=methods&metric=lat")
    assert page.script("return [...document.getElementById('metric').options].map(option => option.value)") == [
        "time", "calls", "lck", "slp", "io", "lat", "stw"]
    assert page.column("Method")[:2] == ["com.acme.Shop.read", "com.acme.Shop.lock"]
    assert page.column("Self")[:2] == ["50.0 ms", "15.0 ms"]
    page.sort("States")
    assert page.column("Method")[:2] == ["com.acme.Shop.lock", "com.acme.Shop.read"]
    bars = page.script("return [...document.querySelectorAll('.panel:not([hidden]) .stack')].map(bar => bar.getAttribute('aria-label'))")
    assert bars == ["CPU time 80.0 ms, Lock waits 500.0 ms, CPU waits 15.0 ms, JVM pauses 5.00 ms",
                    "CPU time 20.0 ms, Sleep 30.0 ms, I/O 300.0 ms, CPU waits 50.0 ms"]
    graph = browser.page(tmp_path / "states.html", "#metric=io")
    rows = graph.frames()
    assert [[name for name, *_ in rows[depth]] for depth in (1, 2)] == [["com.acme.Shop.main"], ["com.acme.Shop.read"]]
    assert graph.errors() == []


def cut_titles(page):
    """Titles of columns that have no room, each while rows are sorted by it."""
    return page.script("""
        const shown = document.querySelector('.panel:not([hidden])');
        return [...shown.querySelectorAll('.head button')].filter(button => {
            button.click();
            return button.scrollWidth > button.clientWidth;
        }).map(button => button.textContent);""")


@pytest.mark.parametrize("width", [400, 720, 1100])
def test_names_stay_whole_in_narrow_windows(browser, tmp_path, width):
    """The class and the method of each row, whatever figures stand beside it."""
    text = TIMES.replace("com.acme.Shop", "com.acme.warehouse.inventory.management.StockKeepingUnit$Price")
    sections = (SITES + MONITORS).replace("com.acme", "com.acme.warehouse.inventory.management").replace(
        "com/acme", "com/acme/warehouse/inventory/management") + MICROSTATES
    (tmp_path / "long.txt").write_text(text + sections, encoding="utf-8")
    path = page_of(tmp_path / "long.txt", tmp_path / "long.html")
    for tab in ("methods&metric=time", "tree", "heap", "threads", "monitors"):
        page = browser.page(path, f"#tab={tab}", size=(width, 700))
        names, cut = page.script("""
            const rows = [...document.querySelectorAll('.panel:not([hidden]) .row')];
            const names = rows.map(row => row.querySelector(
                '.name mark, .name span:not(.text):not(.package):not(.more):not(.twist)') || row.querySelector('.main'));
            const cut = names.filter(name => {
                const { left, right, top, height } = name.getBoundingClientRect();
                return right >= innerWidth + 1 || name.scrollWidth > name.clientWidth && name.clientWidth > 0 ||
                    !name.contains(document.elementFromPoint((left + right) / 2, top + height / 2));
            });
            return [names.map(name => name.textContent), cut.map(name => name.textContent)];""")
        assert (names or tab == "monitors") and cut == [], tab
        assert cut_titles(page) == [], tab
        assert page.script("const pane = document.querySelector('.panel:not([hidden]) .pane');"
                           "return pane.scrollWidth <= pane.clientWidth"), tab
        assert page.errors() == []


def test_titles_of_columns_have_room(browser, full):
    for tab in ("methods", "threads", "heap"):
        page = browser.page(full, f"#tab={tab}")
        assert cut_titles(page) == [], tab


def test_the_tab_chosen_is_in_view(browser, full):
    page = browser.page(full, "#tab=heap", size=(400, 800))
    assert page.script("""
        const { left, right } = document.getElementById('tab-heap').getBoundingClientRect();
        return left >= 0 && right <= innerWidth;""")


SAMPLED = """CPU SAMPLES BEGIN (total = 10) Tue Nov 24 14:03:02 2026
rank   self  accum   count trace method
   1 80.00% 80.00%       8 300201 com.acme.Shop.lock
   2 20.00% 100.00%       2 300202 com.acme.Shop.read
CPU SAMPLES END
"""


def test_sampled_states_are_beside_the_samples(browser, tmp_path):
    exact = TIMES[TIMES.index("CPU TIME"):TIMES.index("TRACE MICROSTATES")]
    profile = tmp_path / "sampled.txt"
    profile.write_text(TIMES.replace(exact, SAMPLED).replace(", exact)", ", sampled)").replace("  calls", "samples"),
                       encoding="utf-8")
    page = browser.page(page_of(profile, tmp_path / "sampled.html"), "#tab=methods")
    assert page.script("return [...document.getElementById('metric').options].map(option => option.value)") == [
        "samples", "usr", "lck", "slp", "io", "lat", "stw"]
    assert page.script("return hprofPage.choices.metric") == "samples"
    bars = page.script("return [...document.querySelectorAll('.panel:not([hidden]) .stack')].map(bar => bar.getAttribute('aria-label'))")
    assert bars == ["CPU time 80.0 ms, Lock waits 500.0 ms, CPU waits 15.0 ms, JVM pauses 5.00 ms",
                    "CPU time 20.0 ms, Sleep 30.0 ms, I/O 300.0 ms, CPU waits 50.0 ms"]
    assert page.errors() == []


def test_a_range_is_of_what_has_times_alone(browser, tmp_path):
    """States have no times: while a range is selected no table or line shows them beside its samples."""
    exact = TIMES[TIMES.index("CPU TIME"):TIMES.index("TRACE MICROSTATES")]
    times = ("SAMPLE TIMES BEGIN (bucket = 100 ms, start = 1795543828123) Tue Nov 24 14:03:02 2026\n"
             "300201 0:3 4:5\n300202 4:2\nSAMPLE TIMES END\n")
    profile = tmp_path / "ranged.txt"
    profile.write_text(TIMES.replace(exact, SAMPLED).replace(", exact)", ", sampled)").replace("  calls", "samples") + times,
                       encoding="utf-8")
    page = browser.page(page_of(profile, tmp_path / "ranged.html"), "#tab=methods")
    heads = "return [...document.querySelectorAll('.panel:not([hidden]) .head > *')].map(head => head.textContent)"
    assert "States" in page.script(heads)
    page.sort("Method")
    page.script("hprofPage.choose({ range: [4, 4] })")
    assert page.column("Self") == ["5", "0", "2"]
    assert "States" not in page.script(heads) and "CPU time" not in page.script(heads)
    page.sort("Self")
    page.script("hprofPage.choose({ range: null })")
    assert "States" in page.script(heads)
    assert page.column("Self") == ["8", "2", "0"], "sorted as before"
    page.script("hprofPage.choose({ tab: 'flame', range: [4, 4] })")
    page.point("com.acme.Shop.lock")
    assert "total 5 samples" in page.text("#status") and "waiting for a lock" not in page.text("#status")
    assert "0.4–0.5 s" in page.text("#chips")
    page.script("hprofPage.choose({ metric: 'lck' })")
    assert page.text("#chips") == "", "the costs are those of all the time"
    page.script("hprofPage.choose({ metric: 'samples' })")
    assert "0.4–0.5 s" in page.text("#chips")
    assert page.errors() == []


def test_a_deadlock_is_named(browser, made, full):
    page = browser.page(full, "#tab=monitors")
    text = page.text("#panel-monitors")
    assert "Deadlock of 2 threads" in text
    assert "com.acme.Fork" in text and "com.acme.Knife" in text
    row = page.script("return [...document.querySelectorAll('.prose tbody tr')[0].children].map(cell => cell.textContent)")
    assert row == ["com.acme.Ledger", "40.0 ms", "100.0%", "20", "2.00 ms"]
    page.script("document.querySelector('.prose tbody button').click()")
    assert page.frames()[0][0][0] == "com.acme.Ledger"
    page = browser.page(full)
    assert page.text("#alarm") == "Deadlock of 2 threads"
    assert page.script("return document.title").startswith("Deadlock")
    page.click("#alarm")
    assert page.shown("#panel-monitors")
    page = browser.page(made)
    assert not page.shown("#alarm") and page.errors() == []


def test_the_heap_by_class_and_by_stack(browser, full):
    page = browser.page(full, "#tab=heap")
    assert page.column("Live bytes") == ["3.00 kB", "1.00 kB"]
    assert page.column("Class") == ["com.acme.Bill", "byte[]"]
    page.script("document.querySelectorAll('#panel-heap .segments button')[1].click()")
    assert page.column("Class, and where it was allocated")[0] == "com.acme.BillShop.sell:7 ← Main.main"
    page.script("[...document.querySelectorAll('#panel-heap .bar button')]"
                ".find(button => button.textContent === 'Objects without a stack').click()")
    assert page.column("Live bytes") == ["3.00 kB"]
    assert page.errors() == []


def test_costs_can_be_switched(browser, full):
    page = browser.page(full)
    assert page.script("return [...document.getElementById('metric').options].map(option => option.value)") == [
        "samples", "live", "objects", "allocated", "allocations", "wait", "waits"]
    page.script("const select = document.getElementById('metric'); select.value = 'allocated';"
                "select.dispatchEvent(new Event('change'))")
    rows = page.frames()
    assert rows[0][0][3] == 10000
    assert [(name, total) for name, _, _, total in rows[3]] == [("com.acme.Bill", 9000)]


# ---- the address -------------------------------------------------------------------------------------

def test_the_address_keeps_the_view(browser, made):
    page = browser.page(made)
    page.keys("#search", "HashMap")
    page.wait("return hprofPage.choices.search === 'HashMap'")
    page.point("com.acme.Shop.sell", click=True)
    page.press("f")
    fragment = page.fragment()
    again = browser.page(made, fragment)
    assert again.script("return hprofPage.choices") == {
        **again.script("return hprofPage.model.defaults()"), "tab": "flame", "flame": True, "search": "HashMap",
        "zoom": again.script("return hprofPage.choices.zoom")}
    assert [name for name, *_ in again.frames()[2]] == ["com.acme.Shop.sell"]
    assert again.text("#matches") == "30.0% match"
    assert again.fragment() == fragment
    assert again.errors() == []


def test_the_address_keeps_the_order_of_a_table(browser, full):
    page = browser.page(full, "#tab=methods")
    page.script("[...document.querySelectorAll('#panel-methods .head button')].filter(b => b.textContent === '%')[1].click()")
    totals = page.column("Total")
    assert totals[:3] == ["70", "65", "60"]
    again = browser.page(full, page.fragment())
    assert again.column("Total") == totals
    again.sort("Method")
    names = again.column("Method")
    page = browser.page(full, again.fragment())
    assert page.column("Method") == names == sorted(names, key=str.lower)
    page = browser.page(full, "#tab=heap")
    page.sort("Allocated objects")
    page.script("[...document.querySelectorAll('#panel-heap .bar button')]"
                ".find(button => button.textContent === 'Objects without a stack').click()")
    assert page.column("Allocated objects") == ["9"]
    again = browser.page(full, page.fragment())
    assert again.script("return document.querySelector('#panel-heap [aria-sort]').textContent") == "Allocated objects"
    assert again.errors() == []


def test_the_address_keeps_what_the_heap_shows(browser, full):
    page = browser.page(full, "#tab=heap")
    page.script("document.querySelectorAll('#panel-heap .segments button')[1].click()")
    page.script("[...document.querySelectorAll('#panel-heap .bar button')]"
                ".find(button => button.textContent === 'Objects without a stack').click()")
    fragment = page.fragment()
    again = browser.page(full, fragment)
    assert again.column("Class, and where it was allocated") == ["com.acme.BillShop.sell:7 ← Main.main"]
    assert again.fragment() == fragment and again.errors() == []


@pytest.mark.parametrize("fragment", [
    "#tab=none&metric=x&thread=9&time=5-1&hide=999&zoom=zz.zz&focus=nothing", "#time=0-999999999",
    "#%E0%A4%A", "#" + "zoom=" + "1." * 5000, "#thread=200001&thread=x&flame=2",
    "#search=" + "(" * 300, "#heap=dump&older=x&tab=heap&sort=x", "#sort=~&heap=x", "#focus=toString&tab=__proto__"])
def test_any_address_shows_the_page(browser, made, fragment):
    page = browser.page(made, fragment)
    assert page.frames()[0][0][0] == "all"
    assert page.errors() == []


# ---- sizes -----------------------------------------------------------------------------------------------

def test_deep_and_wide_stacks_are_drawn(browser, tmp_path):
    """Stacks of 3,000 frames, and 3,000 frames side by side of which none is a pixel wide."""
    stacks = {tuple(f"a.B.m{level}" for level in range(3000)): ("main", {0: 50})}
    for number in range(3000):
        stacks[("a.Wide.main", f"a.C.n{number}")] = ("main", {1: 1})
    (tmp_path / "big.txt").write_text(made_profile(stacks), encoding="utf-8")
    page = browser.page(page_of(tmp_path / "big.txt", tmp_path / "big.html"))
    rows = page.frames()
    assert len(rows) == 3001
    assert [(name, round(total)) for name, _, _, total in rows[2]] == [(None, 3000), ("a.B.m1", 50)]
    page.press("i")
    assert page.frames()[0][0][3] == 3050
    assert page.errors() == []


def test_a_page_is_small_beside_its_profile(tmp_path):
    stacks = {tuple(f"com.acme.some.package{level % 7}.Class{(level * number) % 50}.method{level}"
                    for level in range(200)) + (f"a.C.n{number}",): ("main", {number % 10: 1}) for number in range(500)}
    profile = tmp_path / "big.txt"
    profile.write_text(made_profile(stacks), encoding="utf-8")
    page = page_of(profile, tmp_path / "big.html")
    assert page.stat().st_size * 5 < profile.stat().st_size


# ---- pictures ---------------------------------------------------------------------------------------------

VIEWS = {"flame": "", "inverted": "#inverted=1", "search": "#search=HashMap", "methods": "#tab=methods",
         "tree": "#tab=tree", "threads": "#tab=threads", "monitors": "#tab=monitors", "heap": "#tab=heap"}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [(1400, 900), (400, 800)], ids=["wide", "narrow"])
def test_pictures(browser, full, size, dark, tmp_path):
    """Nothing is cut at the right edge; `make screenshots` keeps the pictures."""
    directory = Path(os.environ.get("HPROF_SCREENSHOTS", tmp_path))
    directory.mkdir(parents=True, exist_ok=True)
    for name, fragment in VIEWS.items():
        page = browser.page(full, fragment, size=size, dark=dark, scale=2 if size[0] < 500 else 1)
        assert page.script("return document.documentElement.dataset.theme") == ("dark" if dark else "light")
        assert page.script("return document.documentElement.scrollWidth") <= size[0], name
        cut = page.script("""
            return [...document.querySelectorAll('header, #toolbar > *, #legend, #chips, #status, #panels')]
                .filter(part => part.offsetWidth > 0 && part.getBoundingClientRect().right > innerWidth + 1)
                .map(part => part.id || part.tagName);""")
        assert cut == [], name
        picture = directory / f"{type(browser).__name__.lower()}-{name}-{'dark' if dark else 'light'}-{size[0]}x{size[1]}.png"
        page.picture(picture)
        assert page.errors() == []


# ---- colours ----------------------------------------------------------------------------------------------

CSS = (Path(__file__).parents[2] / "src/page/page.css").read_text(encoding="utf-8")
KINDS = ("application", "library", "jdk", "native", "none")
# How colours look without one kind of cones: Machado, Oliveira and Fernandes, 2009, severity 1.
BLINDNESS = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def colours_of(theme):
    """The values of a theme's custom properties, as linear RGB."""
    block = re.search(r":root\[data-theme=\"dark\"\] \{(.*?)\}" if theme == "dark" else r":root \{(.*?)\}", CSS, re.S)[1]
    found = {}
    for name, value in re.findall(r"--([\w-]+): #([0-9a-f]{6});", block):
        channels = [int(value[at:at + 2], 16) / 255 for at in (0, 2, 4)]
        found[name] = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return found


def luminance(colour):
    return sum(part * value for part, value in zip((0.2126, 0.7152, 0.0722), colour))


def lab(colour):
    red, green, blue = (min(1, max(0, value)) for value in colour)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_kinds_differ_for_every_eye_and_in_grey(theme):
    colours = colours_of(theme)
    kinds = [colours[f"kind-{kind}"] for kind in KINDS]
    for blindness, matrix in BLINDNESS.items():
        seen = [lab([sum(m * c for m, c in zip(row, colour)) for row in matrix]) for colour in kinds]
        for (one, a), (other, b) in combinations(zip(KINDS, seen), 2):
            assert dist(a, b) >= 11, (blindness, one, other)
    lightness = [lab([luminance(colour)] * 3)[0] for colour in kinds]
    for (one, a), (other, b) in combinations(zip(KINDS, lightness), 2):
        assert abs(a - b) >= 4.5, ("grey", one, other)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_contrast(theme):
    colours = colours_of(theme)

    def contrast(one, other):
        a, b = sorted((luminance(colours[one]), luminance(colours[other])))
        return (b + 0.05) / (a + 0.05)

    for kind in KINDS:
        assert contrast("frame-ink", f"kind-{kind}") >= 4.5, kind
    for paper in ("paper", "raised"):
        assert contrast("ink", paper) >= 7
        assert contrast("quiet", paper) >= 4.5
