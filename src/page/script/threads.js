/*
 * threads.js: the Threads tab: a row for each thread: its cost, when it ran, and its time by
 * state. A click selects the thread in all tabs.
 */

const STATES = {
	usr: ['running, own code', 'usr'],
	sys: ['running, kernel', 'sys'],
	trp: ['trap', 'fault'],
	tfl: ['text page fault', 'fault'],
	dfl: ['data page fault', 'fault'],
	lck: ['waiting for a lock', 'lck'],
	slp: ['sleeping or waiting', 'slp'],
	'i/o': ['reading or writing', 'io'],
	lat: ['ready, waiting for a CPU', 'lat'],
	stw: ['stopped by the JVM', 'stw'],
};

class ThreadsTab {
	constructor(app) {
		this.app = app;
		this.panel = element('div', { class: 'panel' });
	}

	get model() { return this.app.model; }

	available() {
		return this.model.profile.usedThreads > 0;
	}

	build() {
		const { model, app } = this;
		const { metric } = model;
		if (this.grid !== undefined && this.builtFor === metric)
			return;
		this.builtFor = metric;
		const { threads, states, times } = model.profile;
		this.states = new Map(states.rows.map(row => [row.thread, row]));
		const columns = [];
		if (metric !== undefined && model.hasThreads) {
			const cost = row => model.threadCosts(metric)[row];
			columns.push(...costColumns(metric, metric.name, cost, () => model.threadCosts(metric).reduce((a, b) => a + b, 0), 6));
			columns[0].first = true;
		}
		columns.push({
			title: 'Thread', width: 220, grow: 1, isName: true, key: row => this.nameOf(row).toLowerCase(), csv: row => this.nameOf(row),
			text: row => this.nameOf(row),
		});
		if (times !== null)
			columns.push({ title: 'When', width: 160, grow: 1.4, spare: 4, fixed: true, csv: null, fill: (cell, row) => this.fillTimes(cell, row) });
		if (states.rows.length > 0)
			columns.push(...this.stateColumns());
		if (!columns.some(column => column.first) && states.rows.length > 0)
			columns.find(column => column.title === 'CPU').first = true;
		columns.push({ title: 'Number', width: 84, spare: 7, className: 'number', key: row => row === 0 ? 0 : threads[row - 1].serial, text: row => row === 0 ? '' : String(threads[row - 1].serial) });
		this.grid = new Grid('Threads', columns, {
			select: row => this.describe(row),
			click: row => this.choose(row),
			open: row => this.choose(row),
			sorted: () => app.keepAddress(),
		});
		this.grid.order = model.choices.sort;
		this.panel.replaceChildren(this.bar(), this.grid.pane);
	}

	bar() {
		const bar = element('div', { class: 'bar' }, element('span', {}, this.model.hasThreads
			? 'Select a thread: all tabs then show it alone.' : this.model.hasStacks ? 'Stacks are not by thread: that takes thread=y.' : ''));
		const { states } = this.model.profile;
		if (states.rows.length > 0) {
			const known = states.names.filter((_, i) => states.rows.some(row => row.times[i] > 0));
			bar.append(stateKeys(known.map(name => [name, stateLabel(name)]), 'keys push'));
		}
		return bar;
	}

	nameOf(row) {
		return row === 0 ? 'no thread known' : this.model.profile.threads[row - 1].name;
	}

	stateColumns() {
		const { states } = this.model.profile;
		const most = states.rows.reduce((life, row) => Math.max(life, row.life), 1);
		const life = row => row > 0 && this.states.has(row) ? this.states.get(row).life : 0;
		const sum = (row, names) => !this.states.has(row) ? 0 : states.names.reduce((all, name, i) =>
			all + (names.includes(name) ? Math.max(0, this.states.get(row).times[i]) : 0), 0);
		return [
			{ title: 'Life', width: 100, spare: 5, className: 'number', key: life, text: row => life(row) > 0 ? formatMs(life(row) * 1000) : '' },
			{ title: 'CPU', width: 100, spare: 3, className: 'number', key: row => sum(row, ['usr', 'sys']), text: row => this.states.has(row) ? formatMs(sum(row, ['usr', 'sys']) * 1000) : '' },
			{ title: 'States over its life', width: 160, grow: 2, fixed: true, csv: null, fill: (cell, row) => this.fillStates(cell, row, most) },
		];
	}

	fillStates(cell, row, most) {
		const { states } = this.model.profile;
		const thread = this.states.get(row);
		if (thread === undefined || thread.life <= 0)
			return;
		fillStateBar(cell, states.names.map((name, i) => [name, stateLabel(name), thread.times[i] * 1000]), thread.life / most);
	}

	fillTimes(cell, row) {
		const { model, app } = this;
		const key = 'thread strip ' + row;
		const sums = model.keep(key, 0, () => model.buckets(row, row === 0 ? e => model.profile.sets[0].thread[e] === 0 : undefined));
		const canvas = element('canvas', { class: 'spark', 'aria-hidden': 'true' });
		const ratio = window.devicePixelRatio || 1;
		const width = 300;
		canvas.width = width * ratio;
		canvas.height = 14 * ratio;
		const context = canvas.getContext('2d');
		context.scale(ratio, ratio);
		context.fillStyle = app.colours.raised;
		context.fillRect(0, 0, width, 14);
		const { per, means } = groupBuckets(sums, 100);
		const edge = i => Math.round(Math.min(width, i * per / sums.length * width));
		means.forEach((mean, i) => {
			if (mean > 0) {
				context.fillStyle = mix(app.colours.wash, app.colours.accent, 0.2 + 0.8 * Math.min(1, mean / this.mostOfBucket()));
				context.fillRect(edge(i), 0, edge(i + 1) - edge(i), 14);
			}
		});
		cell.append(canvas);
	}

	/* Samples of a thread that always runs. */
	mostOfBucket() {
		const { times, facts } = this.model.profile;
		return Math.max(1, times.bucketMs / Math.max(1, facts.intervalMs));
	}

	update() {
		this.build();
		const { model } = this;
		const rows = Array.from({ length: model.profile.usedThreads }, (_, i) => i + 1);
		if (model.metric !== undefined && model.hasThreads && model.threadCosts(model.metric)[0] > 0)
			rows.unshift(0);
		const test = searchTest(model.choices.search);
		const shown = test === null ? rows : rows.filter(row => test(this.nameOf(row)));
		this.grid.at = -1;
		this.grid.setRows(shown.length > 0 ? shown : rows);
		this.grid.at = this.grid.rows.indexOf(model.choices.thread || -1);
		this.grid.draw();
	}

	choose(row) {
		if (this.model.hasThreads && row > 0)
			this.app.choose({ thread: this.model.choices.thread === row ? 0 : row, zoom: [] });
	}

	describe(row) {
		const { model } = this;
		const figures = [];
		if (model.metric !== undefined && model.hasThreads) {
			const costs = model.threadCosts(model.metric);
			figures.push(formatCost(model.metric, costs[row]) + ', ' + formatShare(model.metric, costs[row], costs.reduce((a, b) => a + b, 0)));
		}
		const state = this.states.get(row);
		if (state !== undefined && state.voluntary >= 0)
			figures.push(formatCount(state.voluntary) + ' voluntary and ' + formatCount(state.involuntary) + ' involuntary context switches');
		this.app.status.showText(this.nameOf(row), ...figures);
	}
}

function stateLabel(name) {
	return (STATES[name] || [name])[0];
}

/* A legend of [state, label]. */
function stateKeys(states, className) {
	const keys = element('span', { class: className });
	for (const [name, label] of states) {
		const mark = element('i');
		mark.style.background = stateColour(name);
		keys.append(element('span', {}, mark, label));
	}
	return keys;
}

/* A bar of [state, label, ns], whose length is a share of the cell. */
function fillStateBar(cell, times, share) {
	const bar = element('div', { class: 'stack', role: 'img' });
	const parts = [];
	for (const [name, label, ns] of times) {
		if (ns <= 0)
			continue;
		const part = element('span');
		part.style.background = stateColour(name);
		part.style.flexGrow = String(ns / 1000);
		bar.append(part);
		parts.push(label + ' ' + formatMs(ns));
	}
	bar.style.width = Math.max(2, share * 100) + '%';
	bar.setAttribute('aria-label', parts.join(', '));
	bar.title = parts.join('\n');
	cell.append(bar);
}

function stateColour(name) {
	return 'var(--state-' + (STATES[name] || ['', 'fault'])[1] + ')';
}
