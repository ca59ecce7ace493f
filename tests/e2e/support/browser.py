"""The browsers in which pages are tested, as far as they are here."""

import sys

from support.chromium import Chromium
from support.firefox import Firefox

BROWSERS = {"chromium": Chromium, "firefox": Firefox}
INSTALLED = [name for name, browser in BROWSERS.items() if browser.missing() == ""]


def no_browser():
    """What is missing where there is none."""
    return "no browser: " + "; ".join(browser.missing() for browser in BROWSERS.values())


def main():
    """support.browser PAGE FRAGMENT WIDTHxHEIGHT PICTURE [dark]: a picture of a page."""
    path, fragment, size, picture, *theme = sys.argv[1:]
    browser = BROWSERS[INSTALLED[0]]()
    try:
        page = browser.page(path, fragment, tuple(map(int, size.split("x"))), "dark" in theme)
        page.picture(picture)
    finally:
        browser.close()


if __name__ == "__main__":
    main()
