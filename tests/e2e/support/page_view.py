"""A page that is loaded in a browser, as its reader sees it: what all browsers share. Where frames
and rows are is asked of the page's own script; a browser's class brings how it runs a script and
how it moves the pointer and types."""

import time

WAIT_S = 60  # for a page to be shown, on a busy machine
IS_SHOWN = "return !!window.hprofPage || !document.getElementById('failure').hidden"


class PageView:
    """script(), errors(), keys(), press(), pointer() and touch() are the browser's."""

    def wait(self, condition, *arguments):
        """Until the script's result is true."""
        end = time.monotonic() + WAIT_S
        while not self.script(condition, *arguments):
            assert time.monotonic() < end, f"not in {WAIT_S} s: {condition} {arguments}; {self.errors()}"
            time.sleep(0.02)

    def text(self, css):
        return self.script("return document.querySelector(arguments[0]).textContent", css)

    def visible_text(self, css):
        """As it stands on the screen, in lines."""
        return self.script("return document.querySelector(arguments[0]).innerText", css)

    def shown(self, css):
        """Whether the element takes room on the screen."""
        return self.script("const found = document.querySelector(arguments[0]);"
                           "return found !== null && found.offsetWidth > 0", css)

    def box(self, css):
        """Left, top, width and height in the window, of an element that was scrolled into view."""
        return self.script("""
            const found = document.querySelector(arguments[0]);
            found.scrollIntoView({ block: 'nearest', inline: 'nearest' });
            const { left, top, width, height } = found.getBoundingClientRect();
            return [left, top, width, height];""", css)

    def click(self, css):
        left, top, width, height = self.box(css)
        self.pointer([(left + width / 2, top + height / 2)], press=True)

    def drag(self, css, begin, end):
        """Drags over an element, from and to a part of its width."""
        left, top, width, height = self.box(css)
        self.pointer([(left + part * width, top + height / 2) for part in (begin, end)], press=True)

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

    def place(self, name):
        """The middle of the first frame with that name, in the window."""
        return tuple(self.script("""
            const icicle = tabs.of('flame').content;
            const { boxes, tree } = icicle;
            const box = boxes.node.subarray(0, boxes.count).findIndex(
                node => node >= 0 && hprofPage.model.profile.names[tree.method[node]] === arguments[0]);
            const { left, top } = icicle.canvas.getBoundingClientRect();
            return [left + boxes.x[box] + boxes.width[box] / 2,
                top + icicle.topOf(boxes.rowOf(box)) + 9 - icicle.pane.scrollTop];""", name))

    def point(self, name, click=False, keys=()):
        """Points at the first frame with that name, and clicks it if asked to, with keys held."""
        self.pointer([self.place(name)], press=click, keys=keys)

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
