/*
 * status.js: the line at the foot, which explains what is under the pointer or selected, and
 * never covers it.
 */

/* Figures of a node, as text: own cost, total, and what other sections have for the frame. */
Model.prototype.figures = function (tree, node) {
	const { metric } = this;
	const all = this.view().total[0];
	const figures = [];
	const calls = tree.lazy && tree.callers;
	if (this.compares)
		return this.changes(tree, node, !calls);
	if (!calls)
		figures.push('self ' + formatCost(metric, tree.self[node]) + ', ' + formatShare(metric, tree.self[node], all));
	figures.push('total ' + formatCost(metric, tree.total[node]) + ', ' + formatShare(metric, tree.total[node], all));
	return figures.concat(this.otherFigures(tree, node));
};

/* The same of two profiles. */
Model.prototype.changes = function (tree, node, hasSelf) {
	const { metric } = this;
	const pair = this.pairOf(tree.total[node], tree.otherTotal[node]);
	const [before, now] = this.totals();
	const figures = ['total ' + formatPair(metric, pair),
		formatPercent(pair[0], before) + ' → ' + formatPercent(pair[1], now) + ' of all'];
	if (pair[0] !== pair[1] && this.change(pair, metric) === 0)
		figures.push('within chance');
	if (hasSelf)
		figures.unshift('self ' + formatPair(metric, this.pairOf(tree.self[node], tree.otherSelf[node])));
	return figures;
};

/* Entries of the view's nodes are few, so they are looked through when they are needed. */
Model.prototype.otherFigures = function (tree, node) {
	const { metric, profile } = this;
	const figures = [];
	if (metric.unit === 'samples' && profile.facts.intervalMs > 0)
		figures.push('≈ ' + formatMs(tree.total[node] * profile.facts.intervalMs * 1e6) + ' CPU');
	if (tree.lazy)
		return figures;
	for (const other of this.metrics) {
		if (other === metric || other.minor || !this.follows(other) || tree !== this.view())
			continue;
		const own = this.ownAt(other, node);
		if (own > 0)
			figures.push(other.counts ? formatCost(other, own)
				: formatCost(other, own) + ' ' + other.phrase);
		if (other.id === 'calls' && own > 0 && metric.id === 'time')
			figures.push(formatNs(tree.total[node] / own) + ' a call');
	}
	return figures;
};

/* The own cost of a node of the view for any metric. */
Model.prototype.ownAt = function (metric, node) {
	const own = this.keep('at ' + metric.id, this.costKey(), () => {
		const costs = this.costs(metric);
		const places = this.placesOf(metric.of);
		const sums = new Float64Array(this.shape().count);
		for (let e = 0; e < places.length; e++) {
			if (places[e] >= 0)
				sums[places[e]] += costs[e];
		}
		return sums;
	});
	return own[node];
};

/* The node of the view for each entry of a set, -1 if it has none. Empty for another set than the
 * metric's where the view is by thread: not all sets are. */
Model.prototype.placesOf = function (set) {
	const view = this.shape();
	if (set === this.metric.of)
		return view.entryNode;
	if (view.numbers === null)
		return set.node;
	const { byThread, hidden } = this.choices;
	return byThread ? [] : this.keep('places ' + set.name, this.shapeKey(), () => hidden === 0
		? set.node.map(node => view.numbers[node]) : placesInView(view, this.profile, set.node, hidden));
};

/* The lines of a node with a cost of their own, the costliest first: [line, cost]. */
Model.prototype.linesOf = function (tree, node) {
	const nodes = tree.lazy ? tree.depth[node] === (this.choices.focus >= 0 ? 0 : 1) ? tree.lists[node].nodes : [] : [node];
	if (nodes.length === 0 || nodes.length > 2000)
		return [];
	const wanted = new Set(nodes);
	const { entryNode } = this.shape();
	const costs = this.costs(this.metric);
	const lines = new Map();
	const set = this.metric.of;
	for (let e = 0; e < costs.length; e++) {
		if (costs[e] > 0 && set.line[e] > 0 && wanted.has(entryNode[e]))
			lines.set(set.line[e], (lines.get(set.line[e]) || 0) + costs[e]);
	}
	return [...lines].sort((a, b) => b[1] - a[1]);
};

class Status {
	constructor(app) {
		this.app = app;
		this.line = byId('status');
	}

	show(what, figures) {
		this.line.className = '';
		this.line.replaceChildren(
			element('span', { class: 'what' }, ...what),
			element('span', { class: 'figures' }, ...figures.map(figure => element('span', {}, figure))));
	}

	showNode(tree, node) {
		const { model } = this.app;
		this.show(this.nameParts(tree.method[node], this.lineText(tree, node)), model.figures(tree, node));
	}

	lineText(tree, node) {
		const { model } = this.app;
		const lines = model.linesOf(tree, node);
		if (lines.length === 0)
			return '';
		const sum = lines.reduce((total, [, cost]) => total + cost, 0);
		if (lines.length === 1)
			return 'line ' + lines[0][0];
		return 'lines ' + lines.slice(0, 3).map(([line, cost]) => line + ' ' + Math.round(cost / sum * 100) + '%').join(', ') +
			(lines.length > 3 ? ', …' : '');
	}

	nameParts(method, lines) {
		const { model, colours } = this.app;
		const kind = model.profile.kinds[method];
		const mark = element('i');
		mark.style.background = colours.kinds[kind];
		const before = model.names.package(method).replace(/\.$/, '');
		const parts = [mark, element('b', {}, model.names.short(method))];
		for (const more of [before, lines, model.profile.isClass[method] ? 'class' : KIND_NAMES[kind]]) {
			if (more)
				parts.push(element('span', { class: 'quiet' }, more));
		}
		return parts;
	}

	showRest(sum, merged) {
		const { model } = this.app;
		this.show([element('b', {}, formatCount(merged) + ' narrower frames'), element('span', { class: 'quiet' }, 'zoom in to see them')],
			['total ' + formatCost(model.metric, sum) + ', ' + formatShare(model.metric, sum, model.view().total[0])]);
	}

	showText(text, ...figures) {
		this.show([element('b', {}, text)], figures);
	}

	showHint() {
		const { tab } = this.app.choices;
		const hints = {
			flame: ['Point at a frame', ['Enter', 'zooms'], ['Backspace', 'goes back'], ['/', 'searches'], ['I', 'inverts'], ['F', 'flame']],
			methods: ['Point at a method', ['Enter', 'callers'], ['/', 'filters']],
			tree: ['Point at a frame', ['→', 'opens'], ['←', 'closes'], ['I', 'inverts']],
			threads: ['Point at a thread', ['Enter', 'selects it in all tabs']],
			stacks: ['Point at a stack', ['Enter', 'shows its frames'], ['/', 'filters']],
			heap: ['Point at a class', ['Enter', 'shows its stacks'], ['/', 'filters']],
		};
		const [what, ...keys] = hints[tab] || ['Who owns, and who waits'];
		if (!byId('found').hidden)
			keys.push(['N', 'next match']);
		keys.push(['?', 'help']);
		this.line.className = 'hint';
		if (matchMedia('(pointer: coarse)').matches) {
			this.line.replaceChildren(element('span', {}, what.replace('Point at', 'Touch') + (tab === 'flame' ? '; touch it again to zoom' : '')));
			return;
		}
		this.line.replaceChildren(element('span', {}, what),
			...keys.map(([key, does]) => element('span', {}, element('kbd', {}, key), ' ' + does)));
	}
}
