"""Tables and pictures of a result that was made."""

import xml.etree.ElementTree as ElementTree

import pytest

from lib import results
from lib.contestants import BEFORE
from lib.plot import Scale, plot_svg
from lib.report import MEAN, ratios, report_text, spreads
from lib.workplace import BenchError
from made_result import COLUMNS, made_result, run

SVG = "{http://www.w3.org/2000/svg}"


def test_a_ratio_is_that_to_the_partner_in_the_same_turn():
    runs = [run(0, "h2", 17, "a", 6.0), run(0, "h2", 17, None, 2.0), run(0, "h2", 17, "b", 3.0),
            run(1, "h2", 17, "a", 8.0), run(1, "h2", 17, None, 4.0)]
    assert ratios(runs, "seconds") == {(17, "h2", "a"): [3, 2], (17, "h2", "b"): [1.5]}


def test_a_run_whose_partner_failed_has_no_ratio():
    assert not ratios([run(0, "h2", 17, "a", 6.0), run(1, "h2", 17, None, 2.0)], "seconds")


def test_the_last_row_is_the_geometric_mean_of_the_medians():
    cells = spreads(made_result()["runs"], "seconds")
    assert cells[17, "h2", COLUMNS[0]] == pytest.approx((1.2, 1.1, 1.4, 3))
    assert cells[25, MEAN, COLUMNS[1]].median == pytest.approx(4)


def test_tables():
    parts = report_text(made_result()).split("\n\n")
    assert [part.splitlines()[0].split(":")[0] for part in parts] == [
        f"JDK {jdk}, {metric}" for jdk in (17, 25)
        for metric in ("time", "CPU time", "peak memory", "99th percentile")]
    rows = [[word.strip() for word in line.strip("|").split("|")]
            for line in parts[0].splitlines()[1:]]
    assert rows[0] == ["", *COLUMNS]
    assert rows[2:] == [["h2", "1.20 (1.10-1.40)", "4.00"], ["http", "-", "4.00"],
                        [MEAN, "1.20", "4.00"]]
    assert len({len(line) for line in parts[0].splitlines()[1:]}) == 1
    assert parts[3].splitlines()[-1].split("|")[1].strip() == "http"


def test_the_picture_is_xml_with_a_dot_for_each_cell():
    result = made_result()
    picture = ElementTree.fromstring(plot_svg(result))
    dots = [title.text for title in picture.iter(f"{SVG}title")]
    assert len(dots) == len(spreads(result["runs"], "seconds"))
    assert f"h2, {COLUMNS[1]}: 4.00" in dots
    said = [text.text for text in picture.iter(f"{SVG}text")]
    assert {"JDK 17", "JDK 25", "h2", "http", MEAN, *COLUMNS} <= set(said)


def test_the_other_agent_has_rings_of_the_same_colour():
    result = made_result()
    names = {COLUMNS[0]: f"h=1 {BEFORE}", COLUMNS[1]: "h=1"}
    result["columns"] = [names.get(column, column) for column in COLUMNS]
    result["runs"] = [{**run, "column": names.get(run["column"], run["column"])}
                      for run in result["runs"]]
    dots = {dot.find(f"{SVG}title").text.rpartition(":")[0]: dot.attrib
            for dot in ElementTree.fromstring(plot_svg(result)).iter(f"{SVG}circle")
            if dot.find(f"{SVG}title") is not None}
    ring, dot = (dots[f"h2, {column}"] for column in result["columns"][:2])
    assert ring["stroke"] == dot["stroke"] == dot["fill"] != ring["fill"]


def test_the_picture_of_no_run_is_xml():
    ElementTree.fromstring(plot_svg({**made_result(), "runs": []}))


def test_the_axis_is_logarithmic():
    scale = Scale(1.1, 9, 100)
    assert (scale.ticks[0], scale.ticks[-1]) == (1, 10)
    assert scale.place(1) == 0 and scale.place(10) == pytest.approx(100)
    assert scale.place(2) - scale.place(1) == pytest.approx(scale.place(10) - scale.place(5))


def test_a_result_is_read_as_it_was_written(tmp_path):
    results.write(tmp_path / "result.json", made_result())
    assert results.read(tmp_path / "result.json") == made_result()
    results.write(tmp_path / "other.json", {"form": 1})
    with pytest.raises(BenchError, match="is not a result"):
        results.read(tmp_path / "other.json")
