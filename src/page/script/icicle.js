/*
 * icicle.js: the tree as rows of frames on a canvas, drawn where they are in view, and what the
 * reader does with them.
 */

const ROW = 18;
const PADDING = 4;
const FONT = '12px ' + getComputedStyle(document.documentElement).getPropertyValue('--text');
const ITEMS_MAX = 200;

class Icicle {
	constructor(app) {
		this.app = app;
		this.canvas = element('canvas', { 'aria-hidden': 'true' });
		this.context = this.canvas.getContext('2d', { alpha: false });
		this.spacer = element('div', {}, this.canvas);
		this.items = element('div', { class: 'items', role: 'presentation' });
		this.pane = element('div', {
			class: 'pane icicle', tabIndex: 0, role: 'tree',
			'aria-label': 'Stacks: arrows move, Enter zooms, Backspace goes back',
		}, this.spacer, this.items);
		this.panel = element('div', { class: 'panel' }, this.pane);
		this.boxes = null;
		this.selected = -1; /* a node of the tree */
		this.hovered = -1;  /* a box */
		this.widths = new Map();
		this.listen();
	}

	get model() { return this.app.model; }

	/* ---- layout ---------------------------------------------------------------------- */

	/* To be called when the panel is shown and anything has changed. */
	update() {
		const model = this.model;
		const tree = model.tree();
		if (tree !== this.tree)
			this.selected = -1;
		this.tree = tree;
		const zoomed = model.nodeAt(model.choices.zoom);
		const moved = zoomed !== this.zoomed || this.flame !== model.choices.flame;
		this.zoomed = zoomed;
		this.flame = model.choices.flame;
		this.layOut();
		if (moved)
			this.scrollToZoomed();
		this.draw();
		this.describe();
	}

	/* Rows may bring or remove a scroll bar, which changes the width: then once more. */
	layOut(isLast = false) {
		const width = this.pane.clientWidth;
		const height = this.pane.clientHeight;
		const depth = this.tree.depth[this.zoomed];
		const inView = Math.ceil((this.flame ? 0 : this.pane.scrollTop) + height) / ROW;
		const rowsMax = this.tree.lazy ? Math.max(inView, depth) + 30 : Infinity;
		this.boxes = layOut(this.tree, this.zoomed, width, rowsMax);
		this.hovered = -1;
		this.size(width, height);
		if (!isLast && this.pane.clientWidth !== width)
			this.layOut(true);
	}

	size(width, height) {
		const ratio = window.devicePixelRatio || 1;
		const { canvas } = this;
		if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
			canvas.width = Math.round(width * ratio);
			canvas.height = Math.round(height * ratio);
			canvas.style.width = width + 'px';
			canvas.style.height = height + 'px';
		}
		this.ratio = ratio;
		this.width = width;
		this.height = height;
		this.contentHeight = Math.max(height, this.boxes.rows * ROW + PADDING);
		this.spacer.style.height = this.contentHeight + 'px';
	}

	/* Shows the zoomed frame below a few of its callers. */
	scrollToZoomed() {
		const row = Math.max(0, this.boxes.zoomRow - 3);
		this.pane.scrollTop = this.flame ? this.contentHeight - this.height - row * ROW : row * ROW;
	}

	/* Top of a row, in the content. */
	topOf(row) {
		return this.flame ? this.contentHeight - (row + 1) * ROW : row * ROW;
	}

	rowAt(y) {
		const at = y + this.pane.scrollTop;
		return Math.floor((this.flame ? this.contentHeight - at : at) / ROW);
	}

	visibleRows() {
		const top = this.rowAt(0);
		const bottom = this.rowAt(this.height);
		const low = Math.max(0, Math.min(top, bottom));
		return [low, Math.min(this.boxes.rows - 1, Math.max(top, bottom))];
	}

	/* ---- drawing ------------------------------------------------------------------------ */

	draw() {
		const { context, boxes } = this;
		const colours = this.app.colours;
		const found = this.model.matches();
		const [from, to] = this.visibleRows();
		context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
		context.fillStyle = colours.paper;
		context.fillRect(0, 0, this.width, this.height);
		context.font = FONT;
		context.textBaseline = 'middle';
		for (let row = from; row <= to; row++) {
			const y = this.topOf(row) - this.pane.scrollTop;
			const above = row < boxes.zoomRow;
			for (let box = boxes.first[row]; box < boxes.first[row + 1]; box++)
				this.drawBox(box, y, found, above);
		}
		this.drawEdges();
		clearTimeout(this.itemsTimer);
		this.itemsTimer = setTimeout(() => this.listItems(), 200);
	}

	drawBox(box, y, found, above) {
		const { context, boxes } = this;
		const colours = this.app.colours;
		const node = boxes.node[box];
		const x = boxes.x[box];
		const width = boxes.width[box];
		const gap = width > 3 ? 1 : width > 1.5 ? 0.5 : 0;
		if (node === REST) {
			context.fillStyle = colours.line;
			context.fillRect(x, y, width - gap, ROW - 1);
			return;
		}
		const method = this.tree.method[node];
		const kind = this.model.profile.kinds[method];
		const match = found !== null && found[method] === 1;
		const faded = above || found !== null && !match;
		/* A narrow match has no room for an edge: it is all edge. */
		context.fillStyle = match && width < 4 ? colours.accent : this.colourOf(node, kind, faded);
		context.fillRect(x, y, width - gap, ROW - 1);
		if (match && width >= 4) {
			context.fillStyle = colours.strong;
			context.fillRect(x, y + ROW - 3, width - gap, 2);
			if (width > 6) {
				context.fillRect(x, y, 1, ROW - 1);
				context.fillRect(x + width - gap - 1, y, 1, ROW - 1);
				context.fillRect(x, y, width - gap, 1);
			}
		}
		if (width > 22)
			this.drawLabel(method, x + PADDING, y + ROW / 2, width - gap - 2 * PADDING, faded, kind);
	}

	/* By kind of code, or by change if two profiles are compared. */
	colourOf(node, kind, faded) {
		const { model } = this;
		const colours = this.app.colours;
		if (!model.compares)
			return (faded ? colours.faded : colours.kinds)[kind];
		const change = model.change(model.pairOf(this.tree.total[node], this.tree.otherTotal[node]), model.metric);
		return (faded ? colours.fadedChanges : colours.changes)[Colours.stepOf(change)];
	}

	drawLabel(method, x, y, room, faded, kind) {
		const { context } = this;
		const colours = this.app.colours;
		const names = this.model.names;
		const short = names.short(method);
		const shortWidth = this.widthOf(short);
		const ink = faded ? colours.quiet : kind >= KIND.ROOT ? colours.ink : colours.frameInk;
		if (shortWidth <= room) {
			const before = names.package(method);
			const beforeWidth = before === '' ? 0 : this.widthOf(before);
			if (beforeWidth > 0 && beforeWidth + shortWidth <= room) {
				context.fillStyle = faded ? colours.quiet : colours.frameQuiet;
				context.fillText(before, x, y);
				x += beforeWidth;
			}
			context.fillStyle = ink;
			context.fillText(short, x, y);
			return;
		}
		/* The method alone, or its beginning. */
		const dot = short.lastIndexOf('.');
		const rest = dot > 0 && kind <= KIND.NATIVE ? short.slice(dot + 1) : short;
		const whole = this.widthOf(rest);
		let text = rest;
		if (whole > room) {
			let letters = Math.min(rest.length, Math.floor(room / (whole / rest.length)));
			do
				text = rest.slice(0, --letters) + '…';
			while (letters > 1 && this.widthOf(text) > room);
			if (letters < 2)
				return;
		}
		context.fillStyle = ink;
		context.fillText(text, x, y);
	}

	widthOf(text) {
		let width = this.widths.get(text);
		if (width === undefined)
			this.widths.set(text, width = this.context.measureText(text).width);
		return width;
	}

	boxOf(node) {
		return node < 0 ? -1 : this.boxes.node.subarray(0, this.boxes.count).indexOf(node);
	}

	/* Around the selected frame and the one under the pointer. */
	drawEdges() {
		const { context, boxes } = this;
		const colours = this.app.colours;
		for (const [box, colour, line] of [[this.hovered, colours.ink, 1], [this.boxOf(this.selected), colours.accent, 2]]) {
			if (box < 0)
				continue;
			const y = this.topOf(boxes.rowOf(box)) - this.pane.scrollTop;
			context.strokeStyle = colour;
			context.lineWidth = line;
			context.strokeRect(boxes.x[box] + line / 2, y + line / 2, Math.max(1, boxes.width[box] - 1 - line), ROW - 1 - line);
		}
	}

	/* ---- the same for readers of the screen ------------------------------------------------ */

	/* The widest frames in view, as items of a tree. */
	listItems() {
		const { boxes, tree } = this;
		const [from, to] = this.visibleRows();
		const chosen = [];
		for (let box = boxes.first[from]; to >= 0 && box < boxes.first[to + 1]; box++) {
			if (boxes.node[box] !== REST)
				chosen.push(box);
		}
		chosen.sort((a, b) => boxes.width[b] - boxes.width[a]);
		chosen.length = Math.min(chosen.length, ITEMS_MAX);
		chosen.sort((a, b) => a - b);
		this.items.replaceChildren(...chosen.map(box => {
			const node = boxes.node[box];
			const figures = this.model.figures(tree, node);
			return element('div', {
				role: 'treeitem', id: 'frame-' + node, 'aria-level': String(tree.depth[node] + 1),
				'aria-selected': String(node === this.selected),
			}, this.model.names.full(tree.method[node]) + ', ' + figures.join(', '));
		}));
		this.markSelected();
	}

	markSelected() {
		const item = this.selected < 0 ? null : byId('frame-' + this.selected);
		if (item !== null)
			this.pane.setAttribute('aria-activedescendant', item.id);
		else
			this.pane.removeAttribute('aria-activedescendant');
	}

	/* ---- what the reader does ---------------------------------------------------------------- */

	listen() {
		const { pane } = this;
		pane.addEventListener('scroll', () => {
			if (this.boxes === null)
				return;
			if (this.boxes.more)
				this.layOut();
			this.draw();
		});
		pane.addEventListener('pointermove', event => this.hover(this.boxUnder(event)));
		pane.addEventListener('pointerleave', () => this.hover(-1));
		pane.addEventListener('click', event => this.click(event));
		pane.addEventListener('keydown', event => this.key(event));
		pane.addEventListener('focus', () => {
			if (this.selected < 0 && pane.matches(':focus-visible'))
				this.select(this.zoomed);
		});
	}

	boxUnder(event) {
		const frame = this.canvas.getBoundingClientRect();
		return this.boxes.at(this.rowAt(event.clientY - frame.top), event.clientX - frame.left);
	}

	hover(box) {
		if (box === this.hovered)
			return;
		this.hovered = box;
		this.pane.style.cursor = box >= 0 && this.boxes.node[box] !== REST ? 'pointer' : '';
		this.draw();
		this.describe();
	}

	/* The status line: the frame under the pointer, or the selected one. */
	describe() {
		const { boxes, hovered } = this;
		if (hovered >= 0 && boxes.node[hovered] === REST)
			this.app.status.showRest(boxes.rest[hovered], boxes.merged[hovered]);
		else if (hovered >= 0)
			this.app.status.showNode(this.tree, boxes.node[hovered]);
		else if (this.boxOf(this.selected) >= 0)
			this.app.status.showNode(this.tree, this.selected);
		else
			this.app.status.showHint();
	}

	click(event) {
		const box = this.boxUnder(event);
		if (box < 0 || this.boxes.node[box] === REST)
			return;
		const node = this.boxes.node[box];
		if (event.shiftKey) {
			this.app.focus(this.tree.method[node]);
		} else if (event.pointerType === 'touch' && node !== this.selected) {
			this.select(node);
		} else {
			this.select(node);
			this.app.zoom(this.model.pathOf(node));
		}
	}

	select(node) {
		this.selected = node;
		const box = this.boxOf(node);
		if (box >= 0)
			this.showRow(this.boxes.rowOf(box));
		this.draw();
		this.describe();
		this.listItems();
	}

	/* Frames that the search matches, the widest first. */
	matchingBoxes() {
		const found = this.model.matches();
		const { boxes, tree } = this;
		const matching = [];
		for (let box = 0; found !== null && box < boxes.count; box++) {
			if (boxes.node[box] !== REST && found[tree.method[boxes.node[box]]] === 1)
				matching.push(box);
		}
		return matching.sort((a, b) => boxes.width[b] - boxes.width[a] || a - b);
	}

	/* See App.stepMatch(). */
	stepMatch(step) {
		const matching = this.matchingBoxes();
		const place = placeAfter(matching.indexOf(this.boxOf(this.selected)), step, matching.length);
		if (place !== null)
			this.select(this.boxes.node[matching[place.at]]);
		return place;
	}

	showRow(row) {
		const top = this.topOf(row);
		const { pane } = this;
		if (top < pane.scrollTop)
			pane.scrollTop = top;
		else if (top + ROW > pane.scrollTop + this.height)
			pane.scrollTop = top + ROW - this.height;
	}

	key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		const box = this.boxOf(this.selected < 0 ? this.zoomed : this.selected);
		const outward = this.flame ? 'ArrowDown' : 'ArrowUp';
		const inward = this.flame ? 'ArrowUp' : 'ArrowDown';
		let goal;
		switch (event.key) {
		case outward:
			goal = this.boxes.parent[box];
			break;
		case inward:
			goal = this.widestChild(box);
			break;
		case 'ArrowLeft':
			goal = this.neighbour(box, -1);
			break;
		case 'ArrowRight':
			goal = this.neighbour(box, 1);
			break;
		case 'Home':
			goal = 0;
			break;
		case 'Enter':
			if (this.selected >= 0)
				this.app.zoom(this.model.pathOf(this.selected));
			event.preventDefault();
			return;
		default:
			return;
		}
		event.preventDefault();
		if (goal >= 0)
			this.select(this.boxes.node[goal]);
	}

	widestChild(box) {
		const { boxes } = this;
		const row = boxes.rowOf(box) + 1;
		let widest = -1;
		if (row >= boxes.rows)
			return -1;
		for (let child = boxes.first[row]; child < boxes.first[row + 1]; child++) {
			if (boxes.parent[child] === box && boxes.node[child] !== REST &&
			    (widest < 0 || boxes.width[child] > boxes.width[widest]))
				widest = child;
		}
		return widest;
	}

	neighbour(box, step) {
		const { boxes } = this;
		const row = boxes.rowOf(box);
		let next = box + step;
		while (next >= boxes.first[row] && next < boxes.first[row + 1] && boxes.node[next] === REST)
			next += step;
		return next >= boxes.first[row] && next < boxes.first[row + 1] ? next : -1;
	}
}
