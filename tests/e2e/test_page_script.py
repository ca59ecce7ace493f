"""The units of the page's script, each alone, in a real browser: numbers, names, search, the packed
data, trees and deadlocks. What is right comes from Python, of the same input."""

import math
import random
from collections import Counter

import pytest

from test_page import STACKS, made_profile, page_of

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module", name="page")
def _page(browser, tmp_path_factory):
    """Any page: its units are global names."""
    directory = tmp_path_factory.mktemp("script")
    (directory / "made.txt").write_text(made_profile(STACKS), encoding="utf-8")
    path = page_of(directory / "made.txt", directory / "made.html")
    return browser.page(path)


# ---- format.js -----------------------------------------------------------------------

@pytest.mark.parametrize("call, text", [
    ("formatCount(1234567.4)", "1,234,567"),
    ("counted(1, 'row') + ', ' + counted(2000, 'row')", "1 row, 2,000 rows"),
    ("[0, 4e3, 6e3, 9.996e6, 12.34e6, 1.5e9].map(formatMs).join()", "0 ms,<0.01 ms,0.01 ms,10.00 ms,12.3 ms,1,500 ms"),
    ("[0, 999, 1000, 15600, 464e6, 5e15].map(formatBytes).join()", "0 B,999 B,1.00 kB,15.6 kB,464 MB,5,000 TB"),
    ("[5, 0.2, 12.34, 620.6].map(formatSeconds).join()", "5 s,0.20 s,12.3 s,621 s"),
    ("[999, 1234, 123456, 1234567].map(formatNs).join()", "999 ns,1.2 µs,123 µs,1.23 ms"),
    ("[[0, 0], [0, 9], [1, 10000], [1, 3], [3, 3]].map(pair => formatPercent(...pair)).join()", "0.0%,0.0%,<0.1%,33.3%,100.0%"),
    ("[[5, 5], [0, 5], [5, 0], [3, 4], [4, 3], [1, 9e9]].map(formatGrowth).join()", ",new,gone,+33.3%,−25.0%,>99999%"),
    ("formatPair({ unit: 'samples' }, [12, 20])", "12 → 20 samples, +66.7%"),
    ("formatChange({ unit: 'bytes' }, [3000, 1000])", "−2.00 kB"),
])
def test_numbers_have_units_and_separators(page, call, text):
    assert page.script(f"return {call}") == text


@pytest.mark.parametrize("part, total", [(1, 10), (5, 10), (33, 1000), (900, 1000), (4, 7000)])
def test_a_sampled_share_has_its_interval(page, part, total):
    """Wilson's, at 95%: where the test of a share against part / total just fails."""
    z, share = 1.96, part / total
    low, high = (next_root(share, total, z, sign) for sign in (-1, 1))
    found = page.script("return intervalOf(arguments[0], arguments[1])", part, total)
    assert found == pytest.approx((high - low) / 2 * 100, rel=1e-3)
    text = page.script("return formatShare({ unit: 'samples' }, arguments[0], arguments[1])", part, total)
    assert text.startswith(f"{100 * share:.1f}% ±")
    assert "±" not in page.script("return formatShare({ unit: 'ns' }, arguments[0], arguments[1])", part, total)


def next_root(share, total, z, sign):
    """By halving: the p above or below the share with |share - p| = z sqrt(p (1 - p) / total)."""
    near, far = share, 1.0 if sign > 0 else 0.0
    for _ in range(60):
        middle = (near + far) / 2
        if abs(share - middle) > z * math.sqrt(middle * (1 - middle) / total):
            far = middle
        else:
            near = middle
    return near


@pytest.mark.parametrize("name, kind, is_class, package, short", [
    ("java.util.HashMap.get", 2, 0, "java.util.", "HashMap.get"),
    ("java.util.Map$Entry", 2, 1, "java.util.", "Map$Entry"),
    ("Shop.main", 0, 0, "", "Shop.main"), ("byte[]", 2, 1, "", "byte[]"), ("", 0, 0, "", ""),
    ("<no_stack>.not_walkable", 4, 0, "", "no stack: not walkable"),
    ("a.b worker", 6, 0, "", "a.b worker"),
])
def test_names_have_a_package_and_a_rest(page, name, kind, is_class, package, short):
    assert page.script("""
        const [name, kind, isClass] = arguments;
        const names = new Names({ names: [name], kinds: [kind], isClass: [isClass] });
        return [names.package(0), names.short(0), names.full(0)];""", name, kind, is_class) == [package, short, package + short]


# ---- model.js: search ------------------------------------------------------------------

@pytest.mark.parametrize("search, found", [
    ("hashmap", "a.HashMap.get"), ("  get ", "a.HashMap.get"), ("^a[.].*put$", "a.Tree.put"), ("get|put", "a.HashMap.get a.Tree.put"),
    ("a.b", ""), ("$1", "a.In$1.run"), ("(", "a.odd("), ("[", ""), ("", None), ("   ", None)])
def test_search_takes_text_and_expressions(page, search, found):
    result = page.script("""
        const test = searchTest(arguments[0]);
        return test && ['a.HashMap.get', 'a.Tree.put', 'a.In$1.run', 'a.odd('].filter(test).join(' ');""", search)
    assert result == found


# ---- data.js -----------------------------------------------------------------------------

def packed(number):
    """7 bits a byte, the lowest first; all but the last have the top bit."""
    out = []
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return out + [number]


def test_packed_numbers_are_read(page):
    numbers = [0, 1, 127, 128, 300, 2 ** 31, 2 ** 32 - 1]
    large = numbers + [2 ** 32, 2 ** 53 - 1]
    read = "const reader = new ByteReader(new Uint8Array(arguments[0])); return [[...reader.%s(arguments[1])], reader.at];"
    data = [byte for number in numbers for byte in packed(number)]
    assert page.script(read % "integers", data, len(numbers)) == [numbers, len(data)]
    data = [byte for number in large for byte in packed(number)]
    assert page.script(read % "numbers", data, len(large)) == [large, len(data)]


# ---- tree.js -----------------------------------------------------------------------------

METHODS = 6


def random_stacks(chance):
    """Stacks of methods, outermost first, with recursion, and their costs."""
    stacks = Counter()
    for _ in range(60):
        stacks[tuple(chance.randrange(METHODS) for _ in range(chance.randint(1, 7)))] += chance.randint(1, 9)
    return stacks


def profile_of(stacks):
    """Arrays of the page's tree: in preorder, the children by method; entries of a set; kinds."""
    nodes = sorted({stack[:depth] for stack in stacks for depth in range(len(stack) + 1)})
    place = {node: number for number, node in enumerate(nodes)}
    below = Counter(node[:depth] for node in nodes for depth in range(len(node) + 1))
    return {
        "method": [node[-1] if node else METHODS for node in nodes], "parent": [place[node[:-1]] for node in nodes],
        "depth": [len(node) for node in nodes], "end": [place[node] + below[node] for node in nodes],
        "node": [place[stack] for stack in stacks], "values": list(stacks.values())}


MADE = """
    const made = arguments[0];
    const tree = { count: made.method.length };
    for (const name of ['method', 'parent', 'depth', 'end'])
        tree[name] = Uint32Array.from(made[name]);
    const profile = {
        tree, rootMethod: 6, names: Array.from('abcdef*'), kinds: Uint8Array.of(0, 1, 2, 0, 1, 2, 5), isClass: new Uint8Array(7) };
    const set = { count: made.node.length, node: Uint32Array.from(made.node), thread: new Uint32Array(made.node.length) };
    const values = Float64Array.from(made.values);
"""


@pytest.mark.parametrize("seed", range(3))
def test_costs_of_methods_count_recursion_once(page, seed):
    stacks = random_stacks(random.Random(seed))
    own, total = Counter(), Counter()
    for stack, cost in stacks.items():
        own[stack[-1]] += cost
        for method in set(stack):
            total[method] += cost
    found = page.script(MADE + """
        const view = plainView(profile, set);
        view.setCosts(values, null);
        const costs = methodCosts(profile, view);
        return [[...costs.self], [...costs.total], view.total[0]];""", profile_of(stacks))
    assert found[0][:METHODS] == [own[method] for method in range(METHODS)]
    assert found[1][:METHODS] == [total[method] for method in range(METHODS)]
    assert found[2] == sum(stacks.values())


@pytest.mark.parametrize("seed", range(3))
def test_folded_kinds_leave_their_cost_to_callers(page, seed):
    """Without methods 2 and 5, of the JDK."""
    stacks = random_stacks(random.Random(seed))
    expected = Counter()
    for stack, cost in stacks.items():
        kept = tuple(method for method in stack if method not in (2, 5))
        for depth in range(len(kept) + 1):
            expected[kept[:depth]] += cost
    found = page.script(MADE + """
        const view = changedView(profile, set, values, 1 << 2, false);
        view.setCosts(values, null);
        const paths = [];
        for (let node = 0; node < view.count; node++)
            paths.push([node === 0 ? [] : paths[view.parent[node]][0].concat(view.method[node]), view.total[node]]);
        return paths;""", profile_of(stacks))
    assert {tuple(path): cost for path, cost in found} == expected


@pytest.mark.parametrize("seed", range(3))
def test_a_sorted_tree_has_the_costliest_first(page, seed):
    """The same tree, and each entry on its stack, whatever the costs are."""
    stacks = random_stacks(random.Random(seed))
    costs = {stack: (7 * number) % 5 for number, stack in enumerate(stacks)}
    total = Counter()
    for stack, cost in costs.items():
        for depth in range(len(stack) + 1):
            total[stack[:depth]] += cost
    made = profile_of(stacks)
    made["values"] = list(costs.values())
    found, entries, children = page.script(MADE + """
        const view = sortedView(profile, set, values);
        view.setCosts(values, null);
        const paths = [];
        for (let node = 0; node < view.count; node++)
            paths.push(node === 0 ? [] : paths[view.parent[node]].concat(view.method[node]));
        const children = paths.map((_, node) => {
            const costs = [];
            for (let child = view.first(node); child >= 0; child = view.next(child))
                costs.push(view.total[child]);
            return costs;
        });
        return [paths.map((path, node) => [path, view.total[node]]), [...view.entryNode].map(node => paths[node]), children];""", made)
    assert {tuple(path): cost for path, cost in found} == dict(total)
    assert entries == [list(stack) for stack in stacks]
    assert all(costs == sorted(costs, reverse=True) for costs in children)


@pytest.mark.parametrize("seed", range(3))
def test_costs_of_other_sections_are_placed_by_their_stack(page, seed):
    """On a tree of other stacks, without methods 2 and 5; -1 where it has no such stack."""
    chance = random.Random(seed)
    stacks, others = random_stacks(chance), random_stacks(chance)
    kept = [tuple(method for method in stack if method not in (2, 5)) for stack in others]
    known = {tuple(method for method in stack if method not in (2, 5))[:depth] for stack in stacks for depth in range(8)}
    both = profile_of({**dict.fromkeys(others, 0), **stacks})
    place = {stack: node for stack, node in zip({**dict.fromkeys(others, 0), **stacks}, both["node"])}
    both["node"], both["values"] = [place[stack] for stack in stacks], list(stacks.values())
    found = page.script(MADE + """
        const view = changedView(profile, set, values, 1 << 2, false);
        const paths = [];
        for (let node = 0; node < view.count; node++)
            paths.push(node === 0 ? [] : paths[view.parent[node]].concat(view.method[node]));
        return [...placesInView(view, profile, Uint32Array.from(arguments[1]), 1 << 2)].map(node => node < 0 ? null : paths[node]);""",
                        both, [place[stack] for stack in others])
    assert found == [list(stack) if stack in known else None for stack in kept]


@pytest.mark.parametrize("seed", range(3))
def test_callers_add_up_to_the_own_cost(page, seed):
    """Three levels of the inverted tree."""
    stacks = random_stacks(random.Random(seed))
    expected = Counter()
    for stack, cost in stacks.items():
        for depth in range(4):
            if depth <= len(stack):
                expected[tuple(reversed(stack))[:depth]] += cost
    found = page.script(MADE + """
        const view = plainView(profile, set);
        view.setCosts(values, null);
        const callers = GroupedTree.callersOf(view, 6);
        const paths = [];
        const walk = (node, path) => {
            paths.push([path, callers.total[node]]);
            for (let child = callers.first(node); path.length < 3 && child >= 0; child = callers.next(child))
                walk(child, path.concat(callers.method[child]));
        };
        walk(0, []);
        return paths;""", profile_of(stacks))
    assert {tuple(path): cost for path, cost in found} == expected


@pytest.mark.parametrize("seed", range(3))
def test_frames_lie_within_their_callers(page, seed):
    """And side by side, as wide as their cost; what is too narrow is in one frame."""
    boxes = page.script(MADE + """
        const view = plainView(profile, set);
        view.setCosts(values, null);
        const boxes = layOut(view, 0, 90, Infinity);
        return Array.from({ length: boxes.count }, (_, box) => ({
            row: boxes.rowOf(box), x: boxes.x[box], width: boxes.width[box], parent: boxes.parent[box],
            cost: boxes.node[box] < 0 ? boxes.rest[box] : view.total[boxes.node[box]] }));""", profile_of(random_stacks(random.Random(seed))))
    all_of = boxes[0]["cost"]
    right = {}
    for box in boxes:
        assert box["width"] == pytest.approx(90 * box["cost"] / all_of) and box["width"] >= 0.5
        assert box["x"] >= right.get(box["row"], 0) - 1e-9
        right[box["row"]] = box["x"] + box["width"]
        if box["parent"] >= 0:
            above = boxes[box["parent"]]
            assert above["row"] == box["row"] - 1
            assert above["x"] - 1e-9 <= box["x"] and right[box["row"]] <= above["x"] + above["width"] + 1e-9


# ---- monitors.js, strip.js, grid.js ------------------------------------------------------------

@pytest.mark.parametrize("owners, cycles", [
    ({1: 2, 2: 1}, [{1, 2}]), ({1: 2, 2: 3, 3: 1, 4: 1}, [{1, 2, 3}]), ({1: 2, 2: 3}, []), ({4: 1, 1: 2, 2: 1, 5: 6, 6: 5}, [{1, 2}, {5, 6}])])
def test_deadlocks_are_cycles_of_owners(page, owners, cycles):
    """By thread that waits: the owner of what it waits for."""
    rows = [{"name": line} for waiting, owner in owners.items() for line in (
        f"MONITOR Lcom/acme/Lock{waiting};", f"owner: thread {owner}, entry count: 1", f"waiting to enter: thread {waiting}")]
    found = page.script("""
        return findDeadlocks(parseMonitorDump(arguments[0])).map(cycle => cycle.map(each => [each.thread, each.monitor.name]));""", rows)
    assert [{thread for thread, _ in cycle} for cycle in found] == cycles
    assert all(name == f"com.acme.Lock{thread}" for cycle in found for thread, name in cycle)


def test_steps_of_an_axis_are_round(page):
    assert page.script("return [0.0003, 0.1, 0.11, 3, 50, 51].map(niceStep)") == pytest.approx([0.0005, 0.1, 0.2, 5, 50, 100])


def test_steps_through_matches_go_round(page):
    assert page.script("""
        return [[-1, 1, 3], [-1, -1, 3], [2, 1, 3], [0, -1, 3], [1, 0, 3], [-1, 1, 0]]
            .map(([at, step, count]) => { const place = placeAfter(at, step, count); return place && place.at; });""") == [0, 2, 0, 2, 0, None]


@pytest.mark.parametrize("width, shown", [(1400, "cost share other bar name"), (500, "share bar name"), (420, "cost share other bar name"),
                                          (220, "share bar name"), (60, "share name")])
def test_columns_leave_in_their_order(page, width, shown):
    """In a narrow table the name has a line of its own, and takes no room from the others."""
    titles = page.script("""
        const grid = new Grid('x', [
            { title: 'cost', width: 100, spare: 2 }, { title: 'share', width: 100 }, { title: 'other', width: 100, spare: 3 },
            { title: 'bar', width: 100, spare: 1 }, { title: 'name', width: 300, isName: true }].map(column => Object.assign(column, { key: () => 0, text: () => '' })), {});
        grid.narrow = arguments[0] < 450;
        return grid.fitting(arguments[0]).map(column => column.title);""", width)
    assert " ".join(titles) == shown
