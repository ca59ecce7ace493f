/*
 * methods.js: the Methods tab: a row for each method, with all the costs that the profile has.
 */

class MethodsTab {
	constructor(app) {
		this.app = app;
		this.panel = element('div', { class: 'panel' });
		this.grid = null;
		this.states = []; /* the metrics of a bar of states */
	}

	get model() { return this.app.model; }

	available() { return this.model.hasStacks; }

	/* The columns are those of the metric and of the others, as far as they follow the range. */
	build() {
		const { app, model } = this;
		const { metric, choices } = model;
		const key = [metric.id, choices.range === null].join();
		if (this.builtFor === key)
			return;
		this.builtFor = key;
		const columns = [
			...model.compares ? this.changeColumns() : this.costColumns(),
			{
				title: 'Method', width: 280, grow: 5, isName: true, key: method => model.names.full(method).toLowerCase(),
				csv: method => model.profile.names[method], fill: (cell, method) => fillName(app, cell, method),
			},
		];
		columns[model.compares ? 2 : 0].first = true;
		const before = this.grid;
		this.grid = new Grid('Methods', columns, {
			select: method => app.status.showMethod(method),
			open: method => app.openCallers(method),
			sorted: () => app.keepAddress(),
		});
		this.grid.order = before === null ? model.choices.sort : before.order;
		this.count = element('span', {});
		const copy = element('button', { title: 'Copy the rows shown as CSV' }, 'Copy as CSV');
		copy.addEventListener('click', async () => {
			await copyText(this.grid.csv());
			app.status.showText(counted(this.grid.rows.length, 'row') + ' copied');
		});
		const keys = this.states.map(metric => [stateOf(metric), metric.name]);
		this.panel.replaceChildren(element('div', { class: 'bar' }, this.count, stateKeys(keys, 'keys'),
			element('span', { class: 'push hint' }, 'Enter or double click: callers of the method'), copy), this.grid.pane);
	}

	costColumns() {
		const { model } = this;
		const { metric } = model;
		const all = () => model.view().total[0];
		return [
			...costColumns(metric, 'Self', method => model.methodCosts().self[method], all, 3),
			...costColumns(metric, 'Total', method => model.methodCosts().total[method], all, 4),
			...this.otherColumns(),
			...this.stateColumns(),
		];
	}

	changeColumns() {
		const { model } = this;
		return [
			...changeColumns(model, model.metric, 'Self', method => model.methodPair('self', method), true),
			...changeColumns(model, model.metric, 'Total', method => model.methodPair('total', method), false),
		];
	}

	/* Other metrics' own costs, and the mean of a call. */
	otherColumns() {
		const { model } = this;
		const columns = [];
		for (const other of model.beside()) {
			const own = method => model.ownCosts(other)[method];
			columns.push({
				title: other.name, width: figureWidth(other.name), spare: 5 + columns.length, className: 'number', key: own, csvTitle: other.name + ' (' + other.unit + ')',
				text: method => own(method) > 0 ? formatCell(other, own(method)) : '',
			});
			if (other.id !== 'calls')
				continue;
			const mean = method => own(method) > 0 ? model.ownCosts(model.byId.get('time'))[method] / own(method) : 0;
			columns.push({
				title: 'Self a call', width: figureWidth('Self a call'), spare: 20, className: 'number', key: mean, csvTitle: 'Self a call (ns)',
				text: method => mean(method) > 0 ? formatNs(mean(method)) : '',
			});
		}
		return columns;
	}

	/* The time of calls by state: a bar beside each method. Each state is a metric, too, by which
	 * everything can be shown and sorted. */
	stateColumns() {
		const { model } = this;
		this.states = model.metrics.filter(metric => metric.state && model.follows(metric));
		if (this.states.length === 0)
			return [];
		if (model.byId.has('time'))
			this.states.unshift(model.byId.get('time'));
		const time = method => this.states.reduce((sum, metric) => sum + model.ownCosts(metric)[method], 0);
		return [{
			title: 'States', hint: 'Sort by the elapsed time of the method itself', width: 104, grow: 3, spare: 2, key: time, csv: null,
			fill: (cell, method) => this.fillStates(cell, method, time),
		}];
	}

	fillStates(cell, method, time) {
		const { model } = this;
		if (time(method) <= 0)
			return;
		const times = this.states.map(metric => [stateOf(metric), metric.name, model.ownCosts(metric)[method]]);
		const most = model.keep('longest method', [model.choices.thread, model.choices.hidden].join(), () => {
			let longest = 1;
			for (let i = 0; i < model.profile.methodCount; i++)
				longest = Math.max(longest, time(i));
			return longest;
		});
		fillStateBar(cell, times, time(method) / most);
	}

	update() {
		this.build();
		const { model } = this;
		const costs = Object.values(model.methodCosts());
		const found = model.matches();
		const rows = [];
		for (let method = 0; method < model.profile.methodCount; method++) {
			if (costs.some(cost => cost[method] > 0) && (found === null || found[method] === 1))
				rows.push(method);
		}
		this.count.textContent = counted(rows.length, 'method');
		this.grid.setRows(rows);
	}
}

/* CPU time is that state's. */
function stateOf(metric) {
	return metric.state ? metric.of.name : 'usr';
}

/* The old and the new cost of a method: self or total. */
Model.prototype.methodPair = function (name, method) {
	const costs = this.methodCosts();
	const other = { self: 'otherSelf', total: 'otherTotal' }[name];
	return this.pairOf(costs[name][method], costs[other][method]);
};

Status.prototype.showMethod = function (method) {
	const { model } = this.app;
	const { metric } = model;
	const { self, total } = model.methodCosts();
	const all = model.view().total[0];
	if (model.compares) {
		this.show(this.nameParts(method, ''), ['self', 'total'].map(name => name + ' ' + formatPair(metric, model.methodPair(name, method))));
		return;
	}
	this.show(this.nameParts(method, ''), [
		'self ' + formatCost(metric, self[method]) + ', ' + formatShare(metric, self[method], all),
		'total ' + formatCost(metric, total[method]) + ', ' + formatShare(metric, total[method], all),
	]);
};
