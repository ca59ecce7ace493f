/*
 * stacks.js: the Stacks tab, of two profiles that are compared: a row for each stack with a cost of
 * its own in one of them, those that changed the most first.
 */

const STACK_FRAMES = 6; /* shown of a stack */

class StacksTab {
	constructor(app) {
		this.app = app;
		this.panel = element('div', { class: 'panel' });
	}

	get model() { return this.app.model; }

	available() { return this.model.compares && this.model.hasStacks; }

	build() {
		const { app, model } = this;
		const { metric } = model;
		if (this.builtFor === metric)
			return;
		this.builtFor = metric;
		const columns = [
			...changeColumns(model, metric, 'Self', node => this.pairAt(node), true),
			{
				title: 'Stack, innermost first', width: 360, grow: 1, isName: true, key: node => this.textOf(node).toLowerCase(), csv: node => this.textOf(node),
				fill: (cell, node) => this.fillStack(cell, node),
			},
		];
		columns[2].first = true;
		this.grid = new Grid('Stacks', columns, {
			select: node => app.status.showNode(model.view(), node),
			open: node => app.showViewNode(node),
			sorted: () => app.keepAddress(),
		});
		this.grid.order = model.choices.sort;
		this.count = element('span', {});
		const copy = element('button', { title: 'Copy the rows shown as CSV' }, 'Copy as CSV');
		copy.addEventListener('click', () => copyText(this.grid.csv()));
		this.panel.replaceChildren(element('div', { class: 'bar' }, this.count,
			element('span', { class: 'push hint' }, 'Enter or double click: the frames of the stack'), copy), this.grid.pane);
	}

	pairAt(node) {
		const view = this.model.view();
		return this.model.pairOf(view.self[node], view.otherSelf[node]);
	}

	framesOf(node) {
		const { model } = this;
		const view = model.view();
		const frames = [];
		for (; node !== 0; node = view.parent[node])
			frames.push(view.method[node]);
		return frames;
	}

	textOf(node) {
		return this.framesOf(node).map(method => this.model.names.full(method)).join(' ← ');
	}

	fillStack(cell, node) {
		const { names } = this.model;
		const [top, ...callers] = this.framesOf(node);
		fillName(this.app, cell, top);
		cell.title = this.textOf(node).replaceAll(' ← ', '\n');
		if (callers.length > 0)
			cell.append(element('span', { class: 'more' }, '← ' + callers.slice(0, STACK_FRAMES).map(method => names.short(method)).join(' ← ') +
				(callers.length > STACK_FRAMES ? ' ← …' : '')));
	}

	update() {
		this.build();
		const { model } = this;
		const view = model.view();
		const found = model.matches();
		const inside = new Uint8Array(view.count);
		const rows = [];
		for (let node = 1; node < view.count; node++) {
			inside[node] = found === null || inside[view.parent[node]] || found[view.method[node]];
			if (inside[node] && (view.self[node] > 0 || view.otherSelf[node] > 0))
				rows.push(node);
		}
		this.count.textContent = counted(rows.length, 'stack');
		this.grid.setRows(rows);
	}
}
