/*
 * calltree.js: the Tree tab: callees from the root, or callers of the hot methods, a row for each
 * frame that is open.
 */

/* Opening a row opens what follows, as long as there is one child that has nearly all. */
const OPEN_SHARE = 0.95;
const OPEN_STEPS = 60;

class TreeTab {
	constructor(app) {
		this.app = app;
		this.openNodes = new Set();
		this.panel = element('div', { class: 'panel' });
	}

	get model() { return this.app.model; }

	available() { return this.model.hasStacks; }

	build() {
		const { model, app } = this;
		const { metric, choices } = model;
		const key = [metric.id, model.tree().lazy, choices.range === null].join();
		if (this.builtFor === key)
			return;
		this.builtFor = key;
		const tree = () => this.tree;
		const all = () => model.view().total[0];
		const pair = (value, other) => row => model.pairOf(tree()[value][row], tree()[other][row]);
		const costs = () => model.compares ? [
			...changeColumns(model, metric, 'Total', pair('total', 'otherTotal'), true),
			...changeColumns(model, metric, 'Self', pair('self', 'otherSelf'), false).slice(2, 3).map(column => Object.assign(column, { title: 'Self change' })),
		] : [
			...costColumns(metric, 'Total', row => tree().total[row], all, 2),
			...costColumns(metric, 'Self', row => tree().self[row], all, 3),
			...this.otherColumns(),
		];
		const columns = [
			...costs(),
			{ title: 'Frame', width: 320, grow: 1, isName: true, key: row => row, fill: (cell, row) => this.fillFrame(cell, row) },
		].map(column => Object.assign(column, { fixed: true }));
		this.grid = new Grid('Tree of calls', columns, {
			select: row => app.status.showNode(this.tree, row),
			open: row => this.toggle(row),
			key: (event, row) => this.key(event, row),
			level: row => this.tree.depth[row] + 1,
			expanded: row => this.children(row).length === 0 ? null : this.openNodes.has(row),
		});
		this.callees = element('button', {}, 'Callees');
		this.callers = element('button', {}, 'Callers');
		this.callees.addEventListener('click', () => app.choose({ inverted: false, zoom: [] }));
		this.callers.addEventListener('click', () => app.choose({ inverted: true, zoom: [] }));
		this.what = element('span', {});
		this.panel.replaceChildren(element('div', { class: 'bar' },
			element('span', { class: 'segments' }, this.callees, this.callers), this.what,
			element('span', { class: 'push hint' }, '→ opens, ← closes, Enter does either')), this.grid.pane);
	}

	/* Other metrics' own costs of a frame; a grouped tree has none for its nodes. */
	otherColumns() {
		const { model } = this;
		if (model.tree().lazy)
			return [];
		return model.beside().map((other, i) => ({
			title: other.name, width: figureWidth(other.name), spare: 5 + i, className: 'number', key: row => row,
			text: row => model.ownAt(other, row) > 0 ? formatCell(other, model.ownAt(other, row)) : '',
		}));
	}

	update() {
		this.build();
		const { model } = this;
		const tree = model.tree();
		const { inverted, focus } = model.choices;
		this.callees.setAttribute('aria-pressed', String(!inverted));
		this.callers.setAttribute('aria-pressed', String(inverted));
		this.what.textContent = focus >= 0 ? 'of ' + model.names.full(focus)
			: inverted ? 'who calls the methods with the highest own cost' : 'from the outermost frame inwards';
		if (tree !== this.tree) {
			this.tree = tree;
			this.openNodes = new Set();
			this.openFrom(tree.root);
		}
		this.list();
	}

	openFrom(node) {
		for (let step = 0; step < OPEN_STEPS; step++) {
			this.openNodes.add(node);
			const children = this.children(node);
			if (children.length === 0 || this.tree.total[children[0]] < OPEN_SHARE * this.tree.total[node])
				return;
			node = children[0];
		}
	}

	children(node) {
		const { tree } = this;
		const children = [];
		for (let child = tree.first(node); child >= 0; child = tree.next(child)) {
			if (tree.has(child))
				children.push(child);
		}
		const most = node => tree.otherTotal === null ? tree.total[node] : Math.max(tree.total[node], tree.otherTotal[node]);
		return children.sort((a, b) => most(b) - most(a) || a - b);
	}

	/* The rows: nodes whose ancestors are open. */
	list() {
		const rows = [];
		const stack = [this.tree.root];
		while (stack.length > 0) {
			const node = stack.pop();
			rows.push(node);
			if (this.openNodes.has(node))
				stack.push(...this.children(node).reverse());
		}
		this.grid.setRows(rows);
	}

	/* See App.stepMatch(). Callers are made as they are opened: only those that are, are searched. */
	stepMatch(step) {
		const { tree, grid } = this;
		const found = this.model.matches();
		const matches = node => found[tree.method[node]] === 1 && tree.has(node);
		const matching = tree.lazy ? grid.rows.filter(matches)
			: Array.from({ length: tree.count }, (_, node) => node).filter(matches);
		const place = placeAfter(matching.indexOf(grid.rows[grid.at]), step, matching.length);
		if (place !== null)
			this.reveal(matching[place.at]);
		return place;
	}

	reveal(node) {
		for (let above = node; above !== this.tree.root;) {
			above = this.tree.parent[above];
			this.openNodes.add(above);
		}
		this.list();
		this.grid.select(this.grid.rows.indexOf(node));
	}

	fillFrame(cell, node) {
		const { tree } = this;
		const leaf = this.children(node).length === 0;
		const open = this.openNodes.has(node);
		const twist = element('span', { class: 'twist', 'aria-hidden': 'true' }, leaf ? '' : open ? '▾' : '▸');
		twist.addEventListener('click', event => {
			event.stopPropagation();
			this.toggle(node);
		});
		cell.classList.add('frame');
		cell.style.setProperty('--depth', tree.depth[node]);
		cell.append(twist);
		fillName(this.app, cell, tree.method[node]);
	}

	toggle(node) {
		if (this.openNodes.has(node))
			this.openNodes.delete(node);
		else
			this.openFrom(node);
		this.list();
	}

	key(event, node) {
		const open = this.openNodes.has(node);
		if (event.key === 'ArrowRight') {
			if (!open)
				this.toggle(node);
			else if (this.children(node).length > 0)
				this.grid.select(this.grid.at + 1);
			return true;
		}
		if (event.key === 'ArrowLeft') {
			if (open && this.children(node).length > 0)
				this.toggle(node);
			else if (node !== this.tree.root)
				this.grid.select(this.grid.rows.indexOf(this.tree.parent[node]));
			return true;
		}
		return false;
	}
}
