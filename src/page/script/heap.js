/*
 * heap.js: the Heap tab: allocation sites by class and by trace, and classes of heap dumps, with
 * their growth where there are two.
 */

class HeapTab {
	constructor(app) {
		this.app = app;
		this.panel = element('div', { class: 'panel' });
		this.sites = this.model.profile.sets.find(set => set.name === 'sites');
		this.dumps = this.model.profile.lists.filter(list => list.classes);
		this.views = [];
		if (this.sites !== undefined)
			this.views.push(['class', 'Sites by class'], ['trace', 'Sites by stack']);
		if (this.dumps.length > 0)
			this.views.push(['dump', this.dumps.length < 2 ? 'Heap dump' : this.model.compares ? 'Heap, old and new' : 'Heap dumps: growth']);
	}

	get model() { return this.app.model; }

	available() { return this.views.length > 0; }

	/* The view chosen, or the first one. */
	get shown() {
		const { heap } = this.model.choices;
		return this.views.some(([id]) => id === heap) ? heap : this.views[0][0];
	}

	/* Whether objects without a known stack are shown. */
	get older() { return this.model.choices.stackless; }

	update() {
		const views = element('span', { class: 'segments' });
		for (const [id, title] of this.views) {
			const button = element('button', { 'aria-pressed': String(id === this.shown) }, title);
			button.addEventListener('click', () => this.app.choose({ heap: id === this.views[0][0] ? '' : id }));
			views.append(button);
		}
		const bar = element('div', { class: 'bar' }, views);
		const before = this.grid;
		this.grid = this.shown === 'dump' ? this.dumpGrid() : this.siteGrid();
		this.grid.order = before === undefined ? this.model.choices.sort : before.order;
		this.count = element('span', {});
		bar.append(this.count, element('span', { class: 'push' }));
		if (this.shown !== 'dump' && this.hasOlder())
			bar.append(this.olderButton());
		const copy = element('button', { title: 'Copy the rows shown as CSV' }, 'Copy as CSV');
		copy.addEventListener('click', () => copyText(this.grid.csv()));
		bar.append(copy);
		this.panel.replaceChildren(bar, this.grid.pane);
		const test = searchTest(this.model.choices.search);
		const all = this.shown === 'class' ? this.byClass() : this.shown === 'trace' ? this.byTrace() : this.classes();
		const rows = test === null ? all : all.filter(row => test(row.text));
		this.count.textContent = counted(rows.length, 'row');
		this.grid.setRows(rows);
	}

	olderButton() {
		const button = element('button', { 'aria-pressed': String(this.older), title: 'Objects from before the profile, or allocated where no stack is known' },
			'Objects without a stack');
		button.addEventListener('click', () => this.app.choose({ stackless: !this.older }));
		return button;
	}

	isOlder(entry) {
		const { tree, names } = this.model.profile;
		return names[tree.method[tree.parent[this.sites.node[entry]]]] === '<empty trace>';
	}

	hasOlder() {
		for (let e = 0; e < this.sites.count; e++) {
			if (this.isOlder(e))
				return true;
		}
		return false;
	}

	/* ---- sites -------------------------------------------------------------------------- */

	entries() {
		const { thread } = this.model.choices;
		const entries = [];
		for (let e = 0; e < this.sites.count; e++) {
			if ((this.older || !this.isOlder(e)) && (thread === 0 || this.sites.thread[e] === thread))
				entries.push(e);
		}
		return entries;
	}

	byClass() {
		const { tree, names } = this.model.profile;
		const rows = new Map();
		for (const e of this.entries()) {
			const method = tree.method[this.sites.node[e]];
			let row = rows.get(method);
			if (row === undefined)
				rows.set(method, row = { method, text: names[method], values: [0, 0, 0, 0], before: [0, 0, 0, 0] });
			row.values.forEach((_, i) => {
				row.values[i] += this.sites.values[i][e];
				row.before[i] += this.sites.before === null ? 0 : this.sites.before[i][e];
			});
		}
		return [...rows.values()];
	}

	byTrace() {
		const { tree, names } = this.model.profile;
		return this.entries().map(e => {
			const node = this.sites.node[e];
			const method = tree.method[node];
			const stack = [];
			for (let at = tree.parent[node]; at !== 0 && stack.length < 4; at = tree.parent[at])
				stack.push(this.model.names.short(tree.method[at]));
			const line = this.sites.line[e];
			if (line > 0 && stack.length > 0)
				stack[0] += ':' + line;
			return { method, node, stack, text: names[method] + ' ' + stack.join(' '), values: this.sites.values.map(values => values[e]),
				before: this.sites.before === null ? [] : this.sites.before.map(values => values[e]) };
		});
	}

	siteGrid() {
		const { app, model } = this;
		const ids = ['live', 'objects', 'allocated', 'allocations'];
		const metrics = ids.map(id => METRICS.find(metric => metric.id === id));
		const columns = [];
		metrics.forEach((metric, i) => {
			if (model.compares) {
				if (!metric.counts && model.byId.has(metric.id))
					columns.push(...changeColumns(model, model.byId.get(metric.id), metric.name.replace(' bytes', ''), row => [row.before[i], row.values[i]], i === 0));
				return;
			}
			const cost = row => row.values[i];
			const total = () => this.sites.values[i].reduce((a, b) => a + b, 0);
			if (total() === 0)
				return;
			const made = costColumns(metric, metric.name, cost, total, metric.counts ? 5 : 2 + i);
			columns.push(...metric.counts ? made.slice(0, 1) : made);
		});
		const first = model.compares ? columns.find(column => column.title === 'Change')
			: columns.find(column => column.title === model.preferred().name) || columns[0];
		if (first !== undefined)
			first.first = true;
		columns.push({
			title: this.shown === 'class' ? 'Class' : 'Class, and where it was allocated', width: 320, grow: 1, isName: true,
			key: row => row.text.toLowerCase(), csv: row => row.text,
			fill: (cell, row) => {
				fillName(app, cell, row.method);
				if (row.stack !== undefined)
					cell.append(element('span', { class: 'more' }, row.stack.join(' ← ')));
			},
		});
		return new Grid('Allocation sites', columns, {
			select: row => model.compares ? this.showChange(row) : app.status.showText(model.names.full(row.method), formatBytes(row.values[0]) + ' (' + formatCount(row.values[0]) + ' B) live in ' + formatCount(row.values[1]) + ' objects',
				formatBytes(row.values[2]) + ' allocated in ' + formatCount(row.values[3]) + ' objects'),
			open: row => row.node === undefined ? app.openCallers(row.method) : app.showNode(row.node),
			sorted: () => app.keepAddress(),
		});
	}

	showChange(row) {
		const { app, model } = this;
		app.status.showText(model.names.full(row.method), ...['live', 'objects', 'allocated', 'allocations']
			.map((id, i) => [model.byId.get(id), [row.before[i], row.values[i]]])
			.filter(([metric]) => metric !== undefined)
			.map(([metric, pair]) => formatPair(metric, pair) + (metric.counts ? '' : ' ' + metric.phrase)));
	}

	/* ---- dumps ------------------------------------------------------------------------------- */

	classes() {
		const rows = new Map();
		const first = this.dumps[0];
		const last = this.dumps[this.dumps.length - 1];
		for (const list of first === last ? [last] : [first, last]) {
			for (const each of list.rows) {
				let row = rows.get(each.name);
				if (row === undefined)
					rows.set(each.name, row = { text: each.name, bytes: 0, objects: 0, bytesBefore: 0, objectsBefore: 0 });
				row[list === last ? 'bytes' : 'bytesBefore'] += each.bytes;
				row[list === last ? 'objects' : 'objectsBefore'] += each.objects;
			}
		}
		return [...rows.values()];
	}

	dumpGrid() {
		const bytes = METRICS.find(metric => metric.id === 'live');
		const objects = METRICS.find(metric => metric.id === 'objects');
		const all = this.dumps[this.dumps.length - 1].rows.reduce((sum, row) => sum + row.bytes, 0);
		const columns = [
			...costColumns(bytes, 'Bytes', row => row.bytes, () => all, 2),
			costColumns(objects, 'Objects', row => row.objects, () => 0, 3)[0],
		];
		if (this.dumps.length > 1) {
			const grown = row => row.bytes - row.bytesBefore;
			columns.push({ title: 'Growth', width: 100, className: 'number', key: grown, csvTitle: 'Growth (bytes)', text: row => (grown(row) < 0 ? '−' : '+') + formatBytes(Math.abs(grown(row))) });
			columns.push({ title: 'Objects grown', width: figureWidth('Objects grown'), spare: 4, className: 'number', key: row => row.objects - row.objectsBefore, text: row => (row.objects < row.objectsBefore ? '−' : '+') + formatCount(Math.abs(row.objects - row.objectsBefore)) });
		}
		columns[this.dumps.length > 1 ? 3 : 0].first = true;
		columns.push({ title: 'Class', width: 320, grow: 1, isName: true, key: row => row.text.toLowerCase(), csv: row => row.text, text: row => row.text });
		return new Grid('Classes of the heap dump', columns, {
			select: row => this.app.status.showText(row.text, formatCount(row.bytes) + ' B', formatCount(row.objects) + ' objects'),
			sorted: () => this.app.keepAddress(),
		});
	}
}
