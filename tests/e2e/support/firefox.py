"""A page in headless Firefox, by WebDriver BiDi, which Firefox itself speaks: Debian has no geckodriver.
https://www.w3.org/TR/webdriver-bidi/"""

import base64
import importlib.util
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from support.page_view import IS_SHOWN, WAIT_S, PageView

FIREFOX = Path(os.environ.get("HPROF_FIREFOX", "/usr/bin/firefox-esr"))
MODIFIERS = "\ue008\ue009\ue00a"  # keys that are held while the next is typed
LISTENS = re.compile(r"WebDriver BiDi listening on (ws:\S+)")
TABS_MAX = 3  # that may fail to show a page


class Firefox:
    """One browser; each page() is loaded anew."""

    @staticmethod
    def missing():
        """What is not here of it; empty if it is."""
        if importlib.util.find_spec("websocket") is None:
            return "python3-websocket"
        return "" if FIREFOX.exists() else str(FIREFOX)

    def __init__(self):
        import websocket  # pylint: disable=import-outside-toplevel
        self.data = tempfile.mkdtemp(prefix="hprof-browser-")
        said = Path(self.data, "stderr")
        with open(said, "wb") as errors:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                [FIREFOX, "--headless", "--no-remote", "--profile", self.data, "--remote-debugging-port", "0"],
                env={**os.environ, "HOME": self.data}, stdout=subprocess.DEVNULL, stderr=errors)
        while not (address := LISTENS.search(said.read_text(encoding="utf-8", errors="replace"))):
            assert self.process.poll() is None, f"{FIREFOX} ended: {said.read_text(errors='replace')}"
            time.sleep(0.02)
        self.socket = websocket.create_connection(address[1] + "/session", suppress_origin=True, timeout=WAIT_S)
        self.calls = 0
        self.logged = []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def close(self):
        self.call("browser.close")
        self.socket.close()
        self.process.wait(WAIT_S)
        shutil.rmtree(self.data, ignore_errors=True)

    def ask(self, method, **parameters):
        """The answer to a command. What the page printed meanwhile is kept."""
        self.calls += 1
        self.socket.send(json.dumps({"id": self.calls, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("method") == "log.entryAdded":
                self.logged.append(answer["params"]["text"])
            elif answer.get("id") == self.calls:
                return answer

    def call(self, method, **parameters):
        """The result of a command."""
        answer = self.ask(method, **parameters)
        assert answer["type"] == "success", (method, answer)
        return answer["result"]

    def page(self, path, fragment="", size=(1400, 900), dark=False, scripts=True, scale=1, touch_screen=False):
        """Loads a page."""
        if touch_screen or not scripts:
            pytest.skip("no command of Firefox pretends that")
        url = Path(path).resolve().as_uri() + fragment
        assert any(self.opens(url, size, scale) for _ in range(TABS_MAX)), f"not shown: {url}; {self.logged}"
        page = FirefoxPage(self)
        if dark != (page.script("return document.documentElement.dataset.theme") == "dark"):
            page.click("#theme")  # BiDi has no way to say what the system prefers
        return page

    def opens(self, url, size, scale):
        """Whether the page is shown in a tab of its own in time. The answer to a navigation that waits for
        its end never came once in some thousand times: whether it has ended is asked of the tab."""
        before = self.context
        self.context = self.call("browsingContext.create", type="tab")["context"]
        self.call("browsingContext.close", context=before)
        self.call("browsingContext.setViewport", context=self.context,
                  viewport={"width": size[0], "height": size[1]}, devicePixelRatio=scale)
        self.logged.clear()
        self.call("browsingContext.navigate", context=self.context, wait="none", url=url)
        end = time.monotonic() + WAIT_S
        while not (shown := self.is_shown()) and time.monotonic() < end:
            time.sleep(0.02)
        return shown

    def is_shown(self):
        """A tab between two documents answers with an error."""
        answer = self.ask("script.evaluate", target={"context": self.context}, awaitPromise=False,
                          expression="(() => {" + IS_SHOWN + "})()")
        value = answer.get("result", {}).get("result", {}).get("value")
        return value is True


class FirefoxPage(PageView):
    """The page that is loaded."""

    def __init__(self, browser):
        self.browser = browser

    def script(self, code, *arguments):
        result = self.browser.call(
            "script.callFunction", target={"context": self.browser.context}, awaitPromise=False,
            functionDeclaration="text => { const code = function () {" + code + "\n};"
            "const result = code.apply(null, JSON.parse(text));"
            "return JSON.stringify(result === undefined ? null : result); }",
            arguments=[{"type": "string", "value": json.dumps(arguments)}])
        assert result["type"] == "success", (code, result)
        return json.loads(result["result"]["value"])

    def errors(self):
        """Lines of the console since the last call; a page that works prints none."""
        self.script("")
        lines = list(self.browser.logged)
        self.browser.logged.clear()
        return lines

    def keys(self, css, *keys):
        """Types into an element."""
        self.script("document.querySelector(arguments[0]).focus()", css)
        self.press(*keys)

    def press(self, *keys):
        """Types into what has the focus."""
        actions = []
        held = []
        for key in "".join(keys):
            actions.append({"type": "keyDown", "value": key})
            if key in MODIFIERS:
                held.append(key)
            else:
                actions.append({"type": "keyUp", "value": key})
        actions += [{"type": "keyUp", "value": key} for key in held]
        self.perform({"type": "key", "id": "keys", "actions": actions})

    def pointer(self, places, press=False, keys=()):
        """Moves to the places of the window in turn; pressed from the first to the last if asked to."""
        self.perform({"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": key} for key in keys]})
        self.point_with("mouse", places, press)
        self.perform({"type": "key", "id": "keys", "actions": [{"type": "keyUp", "value": key} for key in keys]})

    def touch(self, place):
        self.point_with("touch", [place], True)

    def point_with(self, pointer, places, press):
        actions = [{"type": "pointerMove", "x": int(x), "y": int(y), "duration": 20} for x, y in places]
        if press:
            actions.insert(1, {"type": "pointerDown", "button": 0})
            actions.append({"type": "pointerUp", "button": 0})
        self.perform({"type": "pointer", "id": pointer, "parameters": {"pointerType": pointer}, "actions": actions})

    def perform(self, *sources):
        self.browser.call("input.performActions", context=self.browser.context, actions=list(sources))

    def picture(self, path):
        data = self.browser.call("browsingContext.captureScreenshot", context=self.browser.context)["data"]
        Path(path).write_bytes(base64.b64decode(data))
