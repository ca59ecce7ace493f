/*
 * model.js: what is shown: the profile, the choices of the reader, and what follows from both.
 * The choices are in the URL's fragment, so that a link reproduces a view.
 */

/* What widths and columns can mean: a value of a set. */
const METRICS = [
	{ id: 'samples', set: 'samples', value: 0, unit: 'samples', name: 'CPU samples', phrase: '' },
	{ id: 'time', set: 'times', value: 0, unit: 'ns', name: 'CPU time', phrase: 'CPU time' },
	{ id: 'calls', set: 'times', value: 1, unit: 'calls', name: 'Calls', phrase: '', counts: true },
	{ id: 'off', set: 'off-cpu', value: 0, unit: 'ns', name: 'Off-CPU time', phrase: 'off the CPU' },
	{ id: 'pauses', set: 'off-cpu', value: 1, unit: 'calls', name: 'Calls off the CPU', phrase: 'off the CPU', counts: true, minor: true },
	{ id: 'usr', set: 'usr', value: 0, unit: 'ns', name: 'CPU time', phrase: 'CPU time', state: true },
	{ id: 'lck', set: 'lck', value: 0, unit: 'ns', name: 'Lock waits', phrase: 'waiting for a lock', state: true },
	{ id: 'slp', set: 'slp', value: 0, unit: 'ns', name: 'Sleep', phrase: 'asleep', state: true },
	{ id: 'io', set: 'i/o', value: 0, unit: 'ns', name: 'I/O', phrase: 'in I/O', state: true },
	{ id: 'lat', set: 'lat', value: 0, unit: 'ns', name: 'CPU waits', phrase: 'waiting for a CPU', state: true },
	{ id: 'stw', set: 'stw', value: 0, unit: 'ns', name: 'JVM pauses', phrase: 'stopped by the JVM', state: true },
	{ id: 'live', set: 'sites', value: 0, unit: 'bytes', name: 'Live bytes', phrase: 'live' },
	{ id: 'objects', set: 'sites', value: 1, unit: 'objects', name: 'Live objects', phrase: 'live', counts: true },
	{ id: 'allocated', set: 'sites', value: 2, unit: 'bytes', name: 'Allocated bytes', phrase: 'allocated' },
	{ id: 'allocations', set: 'sites', value: 3, unit: 'objects', name: 'Allocated objects', phrase: 'allocated', counts: true },
	{ id: 'wait', set: 'monitors', value: 0, unit: 'ns', name: 'Monitor time', phrase: 'waiting for monitors' },
	{ id: 'waits', set: 'monitors', value: 1, unit: 'waits', name: 'Waits', phrase: 'for monitors', counts: true },
];

/* Choices that are on or off. */
const FLAGS = ['byThread', 'inverted', 'flame', 'old', 'scaled', 'stackless'];

class Model {
	constructor(profile) {
		this.profile = profile;
		this.names = new Names(profile);
		this.metrics = [];
		for (const metric of METRICS) {
			const set = profile.sets.find(each => each.name === metric.set);
			if (set === undefined)
				continue;
			const values = set.values[metric.value];
			const total = values.reduce((sum, value) => sum + value, 0);
			const before = set.before === null ? null : set.before[metric.value];
			const totalBefore = before === null ? 0 : before.reduce((sum, value) => sum + value, 0);
			if (total > 0 || totalBefore > 0)
				this.metrics.push(Object.assign({}, metric, { of: set, values, total, before, totalBefore }));
		}
		this.byId = new Map(this.metrics.map(metric => [metric.id, metric]));
		this.hasThreads = profile.sets.some(set => set.thread.some(thread => thread > 0));
		this.hasStacks = this.metrics.length > 0;
		this.compares = profile.compares;
		this.choices = this.defaults();
		this.cache = {};
		this.back = [];
	}

	defaults() {
		return {
			tab: '', metric: this.metrics.length > 0 ? this.preferred().id : '', thread: 0, range: null, hidden: 0,
			byThread: this.profile.facts.byThread && this.hasThreads, inverted: false, flame: false, old: false,
			scaled: this.profile.facts.isScaled, stackless: true, heap: '', sort: '', search: '', zoom: [], focus: -1,
		};
	}

	/* Time off the CPU is there only if it was asked for, and the order of sites says which of
	 * their bytes were. */
	preferred() {
		const first = this.metrics[0];
		const counts = this.metrics.find(metric => metric.counts);
		if (this.profile.facts.counts && counts !== undefined)
			return counts;
		if (this.byId.has('off') && first.id === 'time')
			return this.byId.get('off');
		const allocated = this.byId.get('allocated');
		if (first.id === 'live' && allocated !== undefined && /ordered by allocated/.test(first.of.title))
			return allocated;
		return first;
	}

	get metric() { return this.byId.get(this.choices.metric); }

	/* A value that depends on the choices named, computed anew when they have changed. */
	keep(name, key, compute) {
		const kept = this.cache[name];
		if (kept !== undefined && kept.key === key)
			return kept.value;
		const value = compute();
		this.cache[name] = { key, value };
		return value;
	}

	/* ---- trees ---------------------------------------------------------------------- */

	shapeKey() {
		const { metric, hidden, byThread } = this.choices;
		return [metric, hidden, byThread].join();
	}

	costKey() {
		const { thread, range, old, scaled } = this.choices;
		return [this.shapeKey(), thread, range, old, scaled].join();
	}

	/* The view with the costs of the thread and the range chosen. */
	view() {
		return this.keep('view', this.costKey(), () => {
			const view = this.shape();
			if (!this.compares)
				view.setCosts(this.costs(this.metric), null);
			else if (this.choices.old)
				view.setCosts(this.costsBefore(this.metric), this.metric.values);
			else
				view.setCosts(this.metric.values, this.costsBefore(this.metric));
			return view;
		});
	}

	shape() {
		return this.keep('shape', this.shapeKey(), () => {
			const { metric, choices, profile } = this;
			if (choices.hidden === 0 && !choices.byThread)
				return metric === this.metrics[0] ? plainView(profile, metric.of) : sortedView(profile, metric.of, metric.values);
			return changedView(profile, metric.of, metric.values, choices.hidden, choices.byThread);
		});
	}

	hasTimes(metric) {
		return this.profile.times !== null && metric.of.name === 'samples';
	}

	/* Whether the costs of the metric are those of the range chosen. */
	follows(metric) {
		return this.choices.range === null || this.hasTimes(metric);
	}

	/* The metrics that stand beside the one chosen, as far as they follow the range. */
	beside() {
		return this.metrics.filter(other => other !== this.metric && !other.minor && !other.state && this.follows(other));
	}

	/* Costs by entry of the metric's set, of the range if it has times. */
	costs(metric, thread = this.choices.thread) {
		const { range } = this.choices;
		const times = this.profile.times;
		const set = metric.of;
		const ranged = range !== null && this.hasTimes(metric);
		if (thread === 0 && !ranged)
			return metric.values;
		const costs = new Float64Array(set.count);
		for (let e = 0; e < set.count; e++) {
			if (thread !== 0 && set.thread[e] !== thread)
				continue;
			if (!ranged) {
				costs[e] = metric.values[e];
				continue;
			}
			for (let m = times.first[e]; m < times.first[e + 1]; m++) {
				if (times.bucket[m] >= range[0] && times.bucket[m] <= range[1])
					costs[e] += times.samples[m];
			}
		}
		return costs;
	}

	/* ---- two profiles ---------------------------------------------------------------- */

	/* What old costs are multiplied by. */
	scaleOf(metric) {
		return this.choices.scaled && metric.totalBefore > 0 && metric.total > 0 ? metric.total / metric.totalBefore : 1;
	}

	costsBefore(metric) {
		const scale = this.scaleOf(metric);
		return scale === 1 ? metric.before : metric.before.map(cost => cost * scale);
	}

	/* Old and new costs: of values that widths follow, and of others. */
	pairOf(value, other) {
		return this.choices.old ? [value, other] : [other, value];
	}

	totals() {
		const view = this.view();
		return this.pairOf(view.total[0], view.otherTotal[0]);
	}

	/* The share of the old cost below frames that the new profile does not have. */
	goneShare() {
		return this.keep('gone', this.costKey(), () => {
			const view = this.view();
			const [before, now] = this.pairOf(view.total, view.otherTotal);
			const sum = topmost(view, node => now[node] === 0).reduce((all, node) => all + before[node], 0);
			return before[0] > 0 ? sum / before[0] : 0;
		});
	}

	/* The change as a part of the larger value, from -1 to 1; 0 if samples can differ so much by
	 * chance (with 95% confidence). */
	change([before, now], metric) {
		if (before === now)
			return 0;
		if (metric.unit === 'samples' && Math.abs(now - before) <= 1.96 * Math.sqrt(now + this.scaleOf(metric) * before))
			return 0;
		return (now - before) / Math.max(now, before);
	}

	/* The tree that is drawn and listed. */
	tree() {
		const { inverted, focus } = this.choices;
		return this.keep('tree', [this.costKey(), inverted, focus].join(), () => {
			const view = this.view();
			if (focus >= 0)
				return GroupedTree.of(view, focus, inverted);
			return inverted ? GroupedTree.callersOf(view, this.profile.rootMethod) : view;
		});
	}

	/* The node at a path of methods from the root; the deepest that exists. */
	nodeAt(path) {
		const tree = this.tree();
		let node = tree.root;
		for (const method of path) {
			let child = tree.first(node);
			while (child >= 0 && tree.method[child] !== method)
				child = tree.next(child);
			if (child < 0)
				break;
			node = child;
		}
		return node;
	}

	pathOf(node) {
		const tree = this.tree();
		const path = [];
		for (; node > 0; node = tree.parent[node])
			path.push(tree.method[node]);
		return path.reverse();
	}

	/* ---- search ----------------------------------------------------------------------- */

	/* By method, 1 if the search matches its name; null without a search. */
	matches() {
		return this.keep('matches', this.choices.search, () => {
			const test = searchTest(this.choices.search);
			if (test === null)
				return null;
			const found = new Uint8Array(this.profile.names.length);
			for (let i = 0; i < found.length; i++)
				found[i] = i !== this.profile.rootMethod && test(this.profile.names[i]) ? 1 : 0;
			return found;
		});
	}

	/* Costs below frames that match, each cost once. */
	matchedCost() {
		return this.keep('matched', [this.costKey(), this.choices.search].join(), () => {
			const found = this.matches();
			const view = this.view();
			let sum = 0;
			for (const node of topmost(view, i => found[view.method[i]] === 1))
				sum += view.total[node];
			return sum;
		});
	}

	/* ---- by method, by thread ------------------------------------------------------------- */

	methodCosts() {
		return this.keep('methods', this.costKey(), () => methodCosts(this.profile, this.view()));
	}

	/* Own costs by method for another metric, with the same thread, range and kinds. */
	ownCosts(metric) {
		const { thread, range, hidden } = this.choices;
		return this.keep('own ' + metric.id, [thread, range, hidden].join(), () => {
			const tree = this.profile.tree;
			const own = new Float64Array(this.profile.names.length);
			const costs = this.costs(metric);
			const folded = node => {
				const method = tree.method[node];
				return node !== 0 && (this.profile.isClass[method] || hidden >> this.profile.kinds[method] & 1);
			};
			for (let e = 0; e < costs.length; e++) {
				let node = metric.of.node[e];
				while (folded(node))
					node = tree.parent[node];
				own[tree.method[node]] += costs[e];
			}
			return own;
		});
	}

	/* Costs by thread (index 0: none), in the range chosen. */
	threadCosts(metric) {
		return this.keep('threads', [metric.id, this.choices.range].join(), () => {
			const costs = this.costs(metric, 0);
			const sums = new Float64Array(this.profile.threads.length + 1);
			for (let e = 0; e < costs.length; e++)
				sums[metric.of.thread[e]] += costs[e];
			return sums;
		});
	}

	/* Samples by bucket: of a thread, 0 for all; of the entries accepted, if a test is given. */
	buckets(thread, accepts) {
		const { times, sets } = this.profile;
		const sums = new Float64Array(times.buckets);
		const set = sets[0];
		for (let e = 0; e < set.count; e++) {
			if (thread !== 0 && set.thread[e] !== thread || accepts !== undefined && !accepts(e))
				continue;
			for (let m = times.first[e]; m < times.first[e + 1]; m++)
				sums[times.bucket[m]] += times.samples[m];
		}
		return sums;
	}

	/* ---- the fragment ---------------------------------------------------------------------- */

	toFragment() {
		const { choices } = this;
		const plain = this.defaults();
		const parts = new URLSearchParams();
		if (choices.tab !== tabs.shown()[0].id)
			parts.set('tab', choices.tab);
		if (choices.metric !== plain.metric)
			parts.set('metric', choices.metric);
		if (choices.thread !== 0)
			parts.set('thread', this.profile.threads[choices.thread - 1].serial);
		if (choices.range !== null)
			parts.set('time', choices.range.join('-'));
		if (choices.hidden !== 0)
			parts.set('hide', choices.hidden);
		for (const flag of FLAGS) {
			if (choices[flag] !== plain[flag])
				parts.set(flag, choices[flag] ? '1' : '0');
		}
		const { grid } = tabs.of(choices.tab).content;
		if (grid && grid.order !== '')
			parts.set('sort', grid.order);
		for (const text of ['heap', 'search']) {
			if (choices[text] !== '')
				parts.set(text, choices[text]);
		}
		if (choices.focus >= 0)
			parts.set('focus', this.profile.names[choices.focus]);
		if (choices.zoom.length > 0)
			parts.set('zoom', choices.zoom.map(method => method.toString(36)).join('.'));
		return parts.toString();
	}

	/* Takes what is valid; all else keeps its default. */
	fromFragment(text) {
		const parts = new URLSearchParams(text);
		const choices = this.defaults();
		const { profile } = this;
		const number = (name, most) => {
			const value = Number(parts.get(name));
			return Number.isInteger(value) && value >= 0 && value <= most ? value : 0;
		};
		choices.tab = tabs.has(parts.get('tab')) ? parts.get('tab') : tabs.shown()[0].id;
		if (this.byId.has(parts.get('metric')))
			choices.metric = parts.get('metric');
		const serial = Number(parts.get('thread'));
		choices.thread = parts.has('thread') ? profile.threads.findIndex(thread => thread.serial === serial) + 1 : 0;
		if (choices.thread > profile.usedThreads)
			choices.thread = 0;
		const range = /^(\d+)-(\d+)$/.exec(parts.get('time') || '');
		if (range !== null && profile.times !== null && Number(range[1]) <= Number(range[2]) &&
		    Number(range[2]) < profile.times.buckets)
			choices.range = [Number(range[1]), Number(range[2])];
		choices.hidden = number('hide', 31);
		for (const flag of FLAGS) {
			if (parts.has(flag))
				choices[flag] = parts.get(flag) === '1';
		}
		choices.byThread = choices.byThread && this.hasThreads;
		choices.old = choices.old && this.compares;
		choices.scaled = choices.scaled && this.compares;
		choices.heap = parts.get('heap') || '';
		choices.sort = parts.get('sort') || ''; /* of the tab's table when it is made */
		choices.search = parts.get('search') || '';
		choices.focus = parts.has('focus') ? profile.names.indexOf(parts.get('focus')) : -1;
		choices.zoom = (parts.get('zoom') || '').split('.').filter(part => part !== '')
			.map(part => parseInt(part, 36));
		this.choices = choices;
	}
}

/* Text matches anywhere, in any case; so does a regular expression, if it has the characters of
 * one. Null if there is nothing to search for. */
function searchTest(search) {
	const text = search.trim().toLowerCase();
	if (text === '')
		return null;
	if (/[|*+?^$()[\]\\]/.test(text)) {
		try {
			const expression = new RegExp(search.trim(), 'i');
			return name => name.toLowerCase().includes(text) || expression.test(name);
		} catch (_) {
			/* Not an expression yet: it is being typed. */
		}
	}
	return name => name.toLowerCase().includes(text);
}
