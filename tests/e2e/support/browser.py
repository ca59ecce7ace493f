"""A page in headless Chromium: what it shows, what it prints on the console, what it costs."""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import pytest

CHROMIUM = Path(os.environ.get("HPROF_CHROMIUM", "/usr/bin/chromium"))
DRIVER = Path(os.environ.get("HPROF_CHROMEDRIVER", "/usr/bin/chromedriver"))
WAIT_S = 60  # for a page to be shown, on a busy machine
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-quic")


def missing():
    """Why there is no browser here; empty if there is one."""
    try:
        import selenium  # noqa: F401 pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        return "no python3-selenium"
    return "".join(f"no {path}" for path in (CHROMIUM, DRIVER) if not path.exists())


class Browser:
    """One browser; each page() is loaded anew."""

    def __init__(self):
        from selenium import webdriver  # pylint: disable=import-outside-toplevel
        from selenium.webdriver.chrome.service import Service  # pylint: disable=C0415
        self.data = tempfile.mkdtemp(prefix="hprof-browser-")
        options = webdriver.ChromeOptions()
        options.binary_location = str(CHROMIUM)
        for flag in (*FLAGS, f"--user-data-dir={self.data}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.data, ignore_errors=True)

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def page(self, path, fragment="", size=(1400, 900), dark=False, scripts=True, scale=1):
        """Loads a page. Without scripts, nothing is waited for."""
        self.cdp("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.cdp("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                 deviceScaleFactor=scale, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get(Path(path).resolve().as_uri() + fragment)
        page = Page(self)
        if scripts:
            page.wait("return !!window.hprofPage || !document.getElementById('failure').hidden")
        return page


class Page:
    """The page that is loaded."""

    def __init__(self, browser):
        self.browser = browser
        self.driver = browser.driver

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def wait(self, condition, *arguments):
        """Until the script's result is true."""
        end = time.monotonic() + WAIT_S
        while not self.script(condition, *arguments):
            assert time.monotonic() < end, f"not in {WAIT_S} s: {condition} {arguments}; {self.errors()}"
            time.sleep(0.02)

    def errors(self):
        """Lines of the console; a page that works prints none."""
        return [line["message"] for line in self.driver.get_log("browser")]

    def text(self, css):
        return self.script("return document.querySelector(arguments[0]).textContent", css)

    def shown(self, css):
        """Whether the element takes room on the screen."""
        return self.script("const found = document.querySelector(arguments[0]);"
                           "return found !== null && found.offsetWidth > 0", css)

    def find(self, css):
        return self.driver.find_element("css selector", css)

    def click(self, css):
        self.find(css).click()

    def keys(self, css, *keys):
        """Types into an element."""
        self.find(css).send_keys(*keys)

    def press(self, *keys):
        """Types into what has the focus."""
        self.driver.switch_to.active_element.send_keys(*keys)

    def drag(self, css, begin, end):
        """Drags over an element, from and to a part of its width."""
        from selenium.webdriver import ActionChains  # pylint: disable=import-outside-toplevel
        found = self.find(css)
        width = found.size["width"]
        actions = ActionChains(self.driver, duration=20)
        actions.move_to_element_with_offset(found, int((begin - 0.5) * width), 0).click_and_hold()
        actions.move_to_element_with_offset(found, int((end - 0.5) * width), 0).release().perform()

    def fragment(self):
        """That of the address, written shortly after a choice."""
        time.sleep(0.3)
        return self.script("return location.hash")

    # ---- the icicle ------------------------------------------------------------

    def frames(self):
        """The frames laid out: {row: [(name, x, width, total)]}, a merged one without a name."""
        rows = {}
        for row, *frame in self.script("""
            const icicle = tabs.of('flame').content;
            const { boxes, tree } = icicle;
            const frames = [];
            for (let box = 0; box < boxes.count; box++) {
                const node = boxes.node[box];
                frames.push([boxes.rowOf(box), node < 0 ? null : hprofPage.model.profile.names[tree.method[node]],
                    boxes.x[box], boxes.width[box], node < 0 ? boxes.rest[box] : tree.total[node]]);
            }
            return frames;"""):
            rows.setdefault(row, []).append(tuple(frame))
        return rows

    def point(self, name, click=False, keys=()):
        """Points at the first frame with that name, and clicks it if asked to."""
        from selenium.webdriver import ActionChains  # pylint: disable=import-outside-toplevel
        x, y = self.script("""
            const icicle = tabs.of('flame').content;
            const { boxes, tree } = icicle;
            for (let box = 0; box < boxes.count; box++) {
                if (boxes.node[box] >= 0 && hprofPage.model.profile.names[tree.method[boxes.node[box]]] === arguments[0])
                    return [boxes.x[box] + boxes.width[box] / 2,
                        icicle.topOf(boxes.rowOf(box)) + 9 - icicle.pane.scrollTop];
            }
            return null;""", name)
        pane = self.find(".icicle canvas")
        actions = ActionChains(self.driver, duration=20)
        actions.move_to_element_with_offset(pane, int(x - pane.size["width"] / 2),
                                            int(y - pane.size["height"] / 2))
        for key in keys:
            actions.key_down(key)
        if click:
            actions.click()
        for key in keys:
            actions.key_up(key)
        actions.perform()

    def colour_at(self, name):
        """The colour of the first frame with that name, at its lower edge: "#rrggbb"."""
        return self.script("""
            const icicle = tabs.of('flame').content;
            const { boxes, tree, canvas, ratio } = icicle;
            for (let box = 0; box < boxes.count; box++) {
                if (boxes.node[box] < 0 || hprofPage.model.profile.names[tree.method[boxes.node[box]]] !== arguments[0])
                    continue;
                const x = (boxes.x[box] + 1.5) * ratio;
                const y = (icicle.topOf(boxes.rowOf(box)) - icicle.pane.scrollTop + 13) * ratio;
                const pixel = canvas.getContext('2d').getImageData(x, y, 1, 1).data;
                return '#' + Array.from(pixel.slice(0, 3), c => c.toString(16).padStart(2, '0')).join('');
            }
            return null;""", name)

    # ---- tables ------------------------------------------------------------------

    def column(self, title):
        """The texts of the column with that title, of the rows made."""
        return self.script("""
            const panel = document.querySelector('.panel:not([hidden])');
            const heads = [...panel.querySelectorAll('.head > *')].map(head => head.textContent);
            const at = heads.findIndex(head => head === arguments[0]);
            return [...panel.querySelectorAll('.row')].map(row => row.children[at].textContent);""", title)

    def sort(self, title):
        self.script("""
            const panel = document.querySelector('.panel:not([hidden])');
            [...panel.querySelectorAll('.head button')].find(button => button.textContent === arguments[0]).click();""",
                    title)


needs_browser = pytest.mark.skipif(missing() != "", reason=f"no browser: {missing()}")


def main():
    """browser.py PAGE FRAGMENT WIDTHxHEIGHT PICTURE [dark]: a picture of a page."""
    path, fragment, size, picture, *theme = sys.argv[1:]
    browser = Browser()
    try:
        browser.page(path, fragment, tuple(map(int, size.split("x"))), "dark" in theme)
        browser.driver.save_screenshot(picture)
    finally:
        browser.close()


if __name__ == "__main__":
    main()
