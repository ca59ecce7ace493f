"""A page in headless Chromium, by its WebDriver: what it shows, what it prints on the console, what
it costs."""

import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

from support.page_view import IS_SHOWN, PageView

CHROMIUM = Path(os.environ.get("HPROF_CHROMIUM", "/usr/bin/chromium"))
DRIVER = Path(os.environ.get("HPROF_CHROMEDRIVER", "/usr/bin/chromedriver"))
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-quic")


class Chromium:
    """One browser; each page() is loaded anew."""

    @staticmethod
    def missing():
        """What is not here of it; empty if it is."""
        if importlib.util.find_spec("selenium") is None:
            return "python3-selenium"
        return ", ".join(str(path) for path in (CHROMIUM, DRIVER) if not path.exists())

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

    def page(self, path, fragment="", size=(1400, 900), dark=False, scripts=True, scale=1, touch_screen=False):
        """Loads a page. Without the page's scripts, nothing is waited for."""
        self.cdp("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=touch_screen)
        self.cdp("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                 deviceScaleFactor=scale, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get(Path(path).resolve().as_uri() + fragment)
        page = ChromiumPage(self)
        if scripts:
            page.wait(IS_SHOWN)
        else:  # so that the test can run its own
            self.cdp("Emulation.setScriptExecutionDisabled", value=False)
        return page


class ChromiumPage(PageView):
    """The page that is loaded."""

    def __init__(self, browser):
        self.browser = browser
        self.driver = browser.driver

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def errors(self):
        """Lines of the console; a page that works prints none."""
        return [line["message"] for line in self.driver.get_log("browser")]

    def keys(self, css, *keys):
        """Types into an element."""
        self.driver.find_element("css selector", css).send_keys(*keys)

    def press(self, *keys):
        """Types into what has the focus."""
        self.driver.switch_to.active_element.send_keys(*keys)

    def pointer(self, places, press=False, keys=()):
        """Moves to the places of the window in turn; pressed from the first to the last if asked to."""
        from selenium.webdriver import ActionChains  # pylint: disable=import-outside-toplevel
        actions = ActionChains(self.driver, duration=20)
        for key in keys:
            actions.key_down(key)
        for number, (x, y) in enumerate(places):
            actions.w3c_actions.pointer_action.move_to_location(int(x), int(y))
            if press and number == 0:
                actions.click_and_hold()
        if press:
            actions.release()
        for key in keys:
            actions.key_up(key)
        actions.perform()

    def touch(self, place):
        self.browser.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[dict(zip("xy", place))])
        self.browser.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def picture(self, path):
        self.driver.save_screenshot(str(path))
