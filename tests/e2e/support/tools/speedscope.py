"""speedscope, the page of its npm package in headless Chromium. A file comes in as its own command
passes one, and comes out as the page saves what it has imported.
"""

import base64
import json
import re
import tempfile
import time
from collections import Counter
from dataclasses import dataclass

import pytest

from support.chromium import Chromium
from support.page_view import WAIT_S
from support.tools import fetched

# The page saves by a click on a link to a Blob, whose text is kept instead.
_KEEP = """
    window.kept = null;
    URL.createObjectURL = blob => { blob.text().then(text => { window.kept = text; }); return '#'; };
    HTMLAnchorElement.prototype.click = () => {};"""
_SAVE = """
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true }));
    return window.kept;"""


@dataclass
class Imported:
    name: str
    unit: str
    stacks: Counter  # of names, outermost first
    files: set       # of (name, file or None)


def _imported(profile, frames):
    assert profile["type"] == "evented"
    stacks, stack, at = Counter(), [], profile["startValue"]
    for event in profile["events"]:
        if event["at"] > at:
            assert stack, "a weight without a stack"
            stacks[tuple(frames[number]["name"] for number in stack)] += event["at"] - at
            at = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            assert stack.pop() == event["frame"]
    assert not stack and at == profile["endValue"]
    used = {event["frame"] for event in profile["events"]}
    return Imported(profile["name"], profile["unit"], stacks,
                    {(frames[number]["name"], frames[number].get("file")) for number in used})


class Speedscope:
    """One browser, which reads any number of files."""

    def __init__(self):
        if missing := Chromium.missing():
            pytest.skip(f"no Chromium: {missing}")
        self.page = fetched("speedscope/dist/release/index.html").as_uri()
        self.browser = Chromium()

    def close(self):
        self.browser.close()

    def read(self, path):
        """The importer that the page has chosen, and a list of Imported."""
        driver = self.browser.driver
        driver.get("about:blank")
        driver.get_log("browser")
        words = ", ".join(json.dumps(one) for one in (path.name, base64.b64encode(path.read_bytes()).decode()))
        with tempfile.NamedTemporaryFile("w", suffix=".js", encoding="ascii") as script:
            script.write(f"speedscope.loadFileFromBase64({words})")
            script.flush()
            driver.get(f"{self.page}#localProfilePath={script.name}")
            driver.execute_script(_KEEP)
            end = time.monotonic() + WAIT_S
            while (kept := driver.execute_script(_SAVE)) is None:
                assert time.monotonic() < end, f"nothing imported in {WAIT_S} s: {driver.get_log('browser')}"
                time.sleep(0.02)
        said = "\n".join(line["message"] for line in driver.get_log("browser"))
        saved = json.loads(kept)
        return (re.search(r'"Importing as (.*)"', said)[1],
                [_imported(profile, saved["shared"]["frames"]) for profile in saved["profiles"]])
