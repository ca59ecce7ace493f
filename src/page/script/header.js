/*
 * header.js: the title of the page: what was profiled, how, and how much of it there is.
 */

/* Costs that have no frame, by the name that stands for one; without a name, all others. */
const LEFT_OUT = [
	{ name: '[below the cutoff]', words: 'below the cutoff', title: 'Traces with a smaller share than cutoff= have no row in the profile' },
	{ name: '[filtered out]', words: 'filtered out', title: 'hprof report left them out, by --filter or --ignore' },
	{ words: 'without a stack', title: 'Their stack could not be taken, or is not known' },
];

class Header {
	constructor(app) {
		this.app = app;
		this.describe();
		this.sayDeadlock();
	}

	get model() { return this.app.model; }

	describe() {
		const { facts } = this.model.profile;
		const { metric } = this.model;
		const program = facts.program || facts.name;
		const title = byId('program');
		const short = text => text.split(' ')[0].split('/').pop() || text;
		title.textContent = short(program);
		title.title = program;
		const parts = facts.before === null
			? [shortJvm(facts.jvm), optionText(facts, this.model.byId.has('samples')), facts.created]
			: [fileNames(facts), oneOrBoth(shortJvm(facts.before.jvm), shortJvm(facts.jvm)), optionText(facts, this.model.byId.has('samples'))];
		if (facts.durationMs > 0 && facts.before === null)
			parts.push(formatSeconds(facts.durationMs / 1000));
		if (facts.cutDepth > 0)
			parts.push('stacks cut at ' + facts.cutDepth + ' frames');
		byId('facts').replaceChildren(...parts.filter(part => part !== '').map(part => element('span', {}, part)));
		byId('facts').title = [facts.jvm, facts.options, cutText(facts)].filter(part => part !== '').join('\n');
		if (metric === undefined)
			return;
		if (this.model.compares) {
			byId('total').replaceChildren(element('span', {}, element('b', {}, formatPair(metric, [metric.totalBefore, metric.total])),
				metric.phrase === '' ? '' : ' ' + metric.phrase));
			return;
		}
		const total = [element('span', {}, element('b', {}, (metric.of.exact || metric.counts ? '' : '≈ ') + formatCost(metric, metric.total)),
			metric.phrase === '' ? '' : ' ' + metric.phrase)];
		for (const part of this.leftOut(metric))
			if (part.sum > 0)
				total.push(element('span', { title: part.title }, formatPercent(part.sum, metric.total) + ' ' + part.words));
		byId('total').replaceChildren(...total);
	}

	sayDeadlock() {
		const text = tabs.has('monitors') ? tabs.of('monitors').content.deadlockText() : '';
		const alarm = byId('alarm');
		alarm.hidden = text === '';
		if (text === '')
			return;
		alarm.textContent = text;
		alarm.addEventListener('click', () => this.app.choose({ tab: 'monitors' }));
		document.title = text + ' – ' + document.title;
	}

	/* Costs that no frame has, by their reason. */
	leftOut(metric) {
		const { tree, kinds, names } = this.model.profile;
		const parts = LEFT_OUT.map(part => ({ ...part, sum: 0 }));
		for (let e = 0; e < metric.of.count; e++) {
			let node = metric.of.node[e];
			while (tree.depth[node] > 1)
				node = tree.parent[node];
			const method = tree.method[node];
			if (kinds[method] === KIND.NONE)
				parts.find(part => part.name === undefined || part.name === names[method]).sum += metric.values[e];
		}
		return parts;
	}
}

/* The names of two files, without their directories if that makes a difference. */
function fileNames(facts) {
	const [before, now] = [facts.before.name, facts.name].map(name => name.split('/').pop());
	return before === now ? facts.before.name + ' → ' + facts.name : before + ' → ' + now;
}

function oneOrBoth(before, now) {
	return before === now ? now : before + ' → ' + now;
}

/* "25.0.3+9-LTS OpenJDK 64-Bit Server VM" as "JDK 25.0.3". */
function shortJvm(jvm) {
	const version = /^(\d[\w.]*)/.exec(jvm);
	return version === null ? jvm : 'JDK ' + version[1];
}

function cutText(facts) {
	return facts.cutDepth > 0 ? 'at most ' + facts.cutDepth + ' frames; a higher depth= keeps more' : '';
}

/* The mode, and its interval. */
function optionText(facts, sampled) {
	const modes = facts.options.split(',').filter(option => /^(cpu|heap|monitor|msa)=/.test(option));
	const interval = ' ' + facts.intervalMs + ' ms';
	if (modes.length === 0)
		return sampled && facts.intervalMs > 0 ? 'a sample each' + interval + ' of CPU time' : '';
	return modes.map(mode => mode === 'cpu=samples' && facts.intervalMs > 0 ? mode + interval : mode).join(', ');
}
