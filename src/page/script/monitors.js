/*
 * monitors.js: the Monitors tab: contention by monitor, and dumps of monitors: who owns them, who
 * waits for whom, and deadlocks.
 */

/* A dump from its lines, as the text format has them, without their indentation. */
function parseMonitorDump(rows) {
	const dump = { threads: new Map(), monitors: [] };
	let monitor = null;
	for (const row of rows) {
		const thread = /^THREAD (\d+), trace \d+, status: (\S+)/.exec(row.name);
		const named = /^MONITOR (.*?)( unowned)?$/.exec(row.name);
		const owner = /^owner: thread (\d+)/.exec(row.name);
		const waiting = /^waiting to (enter|be notified): (.*)$/.exec(row.name);
		if (thread !== null) {
			dump.threads.set(Number(thread[1]), { serial: Number(thread[1]), status: thread[2], node: row.node });
		} else if (named !== null) {
			monitor = { name: classOfSignature(named[1]), owner: 0, entering: [], notified: [] };
			dump.monitors.push(monitor);
		} else if (monitor !== null && owner !== null) {
			monitor.owner = Number(owner[1]);
		} else if (monitor !== null && waiting !== null) {
			const serials = Array.from(waiting[2].matchAll(/thread (\d+)/g), match => Number(match[1]));
			monitor[waiting[1] === 'enter' ? 'entering' : 'notified'].push(...serials);
		}
	}
	return dump;
}

/* "Ljava/lang/Object;" as "java.lang.Object". */
function classOfSignature(signature) {
	const parts = /^(\[*)L(.*);$/.exec(signature);
	return parts === null ? signature : parts[2].replaceAll('/', '.') + '[]'.repeat(parts[1].length);
}

/* Cycles of threads, each of which waits to enter a monitor that the next one owns. */
function findDeadlocks(dump) {
	const waits = new Map();
	for (const monitor of dump.monitors) {
		for (const serial of monitor.entering) {
			if (monitor.owner !== 0)
				waits.set(serial, monitor);
		}
	}
	const cycles = [];
	const seen = new Set();
	for (const start of waits.keys()) {
		const path = [];
		let at = start;
		while (waits.has(at) && !seen.has(at)) {
			seen.add(at);
			path.push(at);
			at = waits.get(at).owner;
		}
		const from = path.indexOf(at);
		if (from >= 0)
			cycles.push(path.slice(from).map(serial => ({ thread: serial, monitor: waits.get(serial) })));
	}
	return cycles;
}

const STATUS_TEXTS = { R: 'runs', MW: 'waits to enter', CW: 'waits to be notified', ZO: 'has ended' };

class MonitorsTab {
	constructor(app) {
		this.app = app;
		this.panel = element('div', { class: 'panel' });
		this.pane = element('div', { class: 'pane prose', tabIndex: 0 });
		this.panel.append(this.pane);
		this.dumps = this.model.profile.lists.filter(list => !list.classes && /MONITOR DUMP/.test(list.title))
			.map(list => parseMonitorDump(list.rows));
		/* A deadlock is in every dump after it. */
		const seen = new Set();
		this.deadlocks = this.dumps.flatMap(findDeadlocks).filter(cycle => {
			const key = cycle.map(each => each.thread).sort().join();
			return !seen.has(key) && seen.add(key);
		});
	}

	get model() { return this.app.model; }

	available() {
		return this.dumps.length > 0 || this.model.byId.has('wait') && !this.model.compares;
	}

	title() {
		return this.deadlocks.length > 0 ? 'Monitors: deadlock' : 'Monitors';
	}

	/* The first one; '' for none. */
	deadlockText() {
		return this.deadlocks.length > 0 ? deadlockOf(this.deadlocks[0]) : '';
	}

	threadName(serial) {
		const thread = this.model.profile.threads.find(each => each.serial === serial);
		return thread === undefined ? 'thread ' + serial : thread.name;
	}

	update() {
		const parts = [];
		for (const cycle of this.deadlocks)
			parts.push(...this.deadlock(cycle));
		if (this.model.byId.has('wait'))
			parts.push(...this.contention());
		this.dumps.forEach((dump, i) => parts.push(...this.dump(dump, i)));
		this.pane.replaceChildren(...parts);
	}

	deadlock(cycle) {
		const chain = element('div', { class: 'waits deadlock' });
		for (const { thread, monitor } of cycle)
			chain.append(this.threadBox(thread), arrow('waits to enter'), this.monitorBox(monitor), arrow('owned by'));
		chain.append(this.threadBox(cycle[0].thread));
		return [element('h2', {}, element('span', { class: 'alarm' }, deadlockOf(cycle))), chain];
	}

	threadBox(serial) {
		return element('span', { class: 'box thread' }, this.threadName(serial));
	}

	monitorBox(monitor) {
		return element('span', { class: 'box' }, monitor.name);
	}

	contention() {
		const { model } = this;
		const wait = model.byId.get('wait');
		const waits = model.byId.get('waits');
		const { tree } = model.profile;
		const byClass = new Map();
		for (let e = 0; e < wait.of.count; e++) {
			const method = tree.method[wait.of.node[e]];
			const row = byClass.get(method) || { method, time: 0, count: 0 };
			row.time += wait.values[e];
			row.count += waits === undefined ? 0 : waits.values[e];
			byClass.set(method, row);
		}
		const rows = [...byClass.values()].sort((a, b) => b.time - a.time);
		const show = element('button', {}, 'Show the stacks that waited');
		show.addEventListener('click', () => this.app.choose({ tab: 'flame', metric: 'wait', zoom: [], focus: -1, inverted: false }));
		return [
			element('h2', {}, 'Contention: ' + formatMs(wait.total) + ' of waiting'),
			table(['Monitor', 'Time', '%', 'Waits', 'Mean'], rows.slice(0, 200).map(row => {
				const name = element('button', { title: 'Stacks that waited for it' }, model.names.full(row.method));
				name.addEventListener('click', () => this.app.choose({ tab: 'flame', metric: 'wait', zoom: [], focus: row.method, inverted: true }));
				return [name, formatMs(row.time), formatPercent(row.time, wait.total), row.count > 0 ? formatCount(row.count) : '',
					row.count > 0 ? formatMs(row.time / row.count) : ''];
			})),
			element('p', {}, show),
		];
	}

	dump(dump, i) {
		const title = 'Dump' + (this.dumps.length > 1 ? ' ' + (i + 1) : '') + ': ' + counted(dump.monitors.length, 'monitor') + ', ' + counted(dump.threads.size, 'thread');
		const parts = [element('h2', {}, title)];
		for (const monitor of dump.monitors.slice(0, 500)) {
			if (monitor.owner === 0 && monitor.entering.length === 0 && monitor.notified.length === 0)
				continue;
			const chain = element('div', { class: 'waits' });
			for (const serial of monitor.entering)
				chain.append(this.threadBox(serial));
			if (monitor.entering.length > 0)
				chain.append(arrow(monitor.entering.length === 1 ? 'waits to enter' : 'wait to enter'));
			chain.append(this.monitorBox(monitor));
			if (monitor.owner !== 0)
				chain.append(arrow('owned by'), this.threadBox(monitor.owner));
			if (monitor.notified.length > 0)
				chain.append(arrow('waiting to be notified:'), ...monitor.notified.map(serial => this.threadBox(serial)));
			parts.push(chain);
		}
		parts.push(table(['Thread', 'Status', 'At'], [...dump.threads.values()].map(thread => [
			this.threadName(thread.serial), thread.status.split('|').map(part => STATUS_TEXTS[part] || part).join(', '),
			thread.node === 0 ? '' : this.model.names.full(this.model.profile.tree.method[thread.node]),
		])));
		return parts;
	}
}

function deadlockOf(cycle) {
	return 'Deadlock of ' + counted(cycle.length, 'thread');
}

function arrow(text) {
	return element('span', { class: 'arrow' }, text + ' →');
}

/* Cells are text or elements; all but the first and those of words are numbers. */
function table(titles, rows) {
	const numeric = titles.map((_, i) => rows.some(row => typeof row[i] === 'string' && /^[\d<]/.test(row[i])));
	const cell = (tag, content, i) => element(tag, { class: numeric[i] && i > 0 ? 'number' : '' }, content);
	return element('table', {},
		element('thead', {}, element('tr', {}, ...titles.map((title, i) => cell('th', title, i)))),
		element('tbody', {}, ...rows.map(row => element('tr', {}, ...row.map((content, i) => cell('td', content, i))))));
}
