/*
 * main.js: the page: header, tabs, legend, keys; starts everything.
 */

const TABS = [
	{ id: 'flame', title: 'Flame graph' },
	{ id: 'methods', title: 'Methods' },
	{ id: 'stacks', title: 'Stacks' },
	{ id: 'tree', title: 'Tree' },
	{ id: 'threads', title: 'Threads' },
	{ id: 'monitors', title: 'Monitors' },
	{ id: 'heap', title: 'Heap' },
];

/* Costs that have no frame, by the name that stands for one; without a name, all others. */
const LEFT_OUT = [
	{ name: '[below the cutoff]', words: 'below the cutoff', title: 'Traces with a smaller share than cutoff= have no row in the profile' },
	{ name: '[filtered out]', words: 'filtered out', title: 'hprof report left them out, by --filter or --ignore' },
	{ words: 'without a stack', title: 'Their stack could not be taken, or is not known' },
];

/* The tabs that have data; the first is shown first. */
const tabs = {
	made: [],
	shown() { return this.made; },
	has(id) { return this.made.some(tab => tab.id === id); },
	of(id) { return this.made.find(tab => tab.id === id); },
};

class App {
	constructor(profile) {
		this.model = new Model(profile);
		this.colours = new Colours();
		this.status = new Status(this);
		this.strip = new Strip(this);
		const contents = {
			flame: new Icicle(this), methods: new MethodsTab(this), stacks: new StacksTab(this), tree: new TreeTab(this),
			threads: new ThreadsTab(this), monitors: new MonitorsTab(this), heap: new HeapTab(this),
		};
		for (const { id, title } of TABS) {
			const content = contents[id];
			if (content.available === undefined ? this.model.hasStacks : content.available())
				tabs.made.push({ id, content, title: content.title === undefined ? title : content.title() });
		}
		if (tabs.made.length === 0)
			throw new Error('it has no section that this page shows');
		this.model.fromFragment(location.hash.slice(1));
		this.written = location.hash.slice(1);
		this.head();
		this.sayDeadlock();
		this.buildTabs();
		this.buildMetrics();
		this.buildLegend();
		this.listen();
	}

	get choices() { return this.model.choices; }

	/* ---- choices --------------------------------------------------------------------------- */

	/* Changes what is chosen and shows it. */
	choose(changes) {
		Object.assign(this.choices, changes);
		this.show();
		clearTimeout(this.fragmentTimer);
		this.fragmentTimer = setTimeout(() => this.writeFragment(), 150);
	}

	writeFragment() {
		const fragment = this.model.toFragment();
		if (fragment === this.written)
			return;
		this.written = fragment;
		try {
			history.replaceState(null, '', fragment === '' ? location.pathname + location.search : '#' + fragment);
		} catch (_) {
			/* A page in a sandbox has no history. */
		}
	}

	/* A step that Backspace takes back. */
	step(changes) {
		const { zoom, focus, inverted, tab, metric } = this.choices;
		this.model.back.push({ zoom, focus, inverted, tab, metric });
		this.choose(changes);
	}

	zoom(path) {
		if (path.join() !== this.choices.zoom.join())
			this.step({ zoom: path });
	}

	focus(method) {
		if (this.model.profile.kinds[method] < KIND.ROOT)
			this.step({ focus: method, zoom: [] });
	}

	openCallers(method) {
		this.step({ tab: 'tree', focus: method, inverted: true, zoom: [] });
	}

	/* Shows a node of the profile's tree in the flame graph. */
	showNode(node) {
		this.showNodeOf(this.model.profile.tree, node);
	}

	/* The same of a node of the view. What is gone has a width among the old ones alone. */
	showViewNode(node) {
		const view = this.model.view();
		if (view.total[node] === 0)
			this.choices.old = !this.choices.old;
		this.showNodeOf(view, node);
	}

	showNodeOf(tree, node) {
		const path = [];
		for (; node !== 0; node = tree.parent[node])
			path.push(tree.method[node]);
		this.step({ tab: 'flame', focus: -1, inverted: false, zoom: path.reverse() });
	}

	goBack() {
		const before = this.model.back.pop();
		if (before !== undefined)
			this.choose(before);
		else if (this.choices.zoom.length > 0)
			this.choose({ zoom: this.choices.zoom.slice(0, -1) });
		else if (this.choices.focus >= 0)
			this.choose({ focus: -1 });
	}

	/* Escape takes back one choice, the latest kind first. */
	escape() {
		const { choices } = this;
		if (choices.search !== '')
			this.search('');
		else if (choices.zoom.length > 0)
			this.choose({ zoom: [] });
		else if (choices.focus >= 0)
			this.choose({ focus: -1 });
		else if (choices.range !== null)
			this.choose({ range: null });
		else if (choices.thread !== 0)
			this.choose({ thread: 0 });
	}

	search(text) {
		clearTimeout(this.searchTimer);
		byId('search').value = text;
		this.choose({ search: text });
	}

	/* Selects the next match in the tab, the previous one for -1, the first for 0. */
	stepMatch(step) {
		const { content } = tabs.of(this.choices.tab);
		if (byId('found').hidden)
			return;
		const place = content.stepMatch === undefined ? content.grid.step(step) : content.stepMatch(step);
		byId('match-at').textContent = place === null ? '' : formatCount(place.at + 1) + ' of ' + formatCount(place.count);
	}

	/* ---- showing ------------------------------------------------------------------------------ */

	show() {
		const { choices } = this;
		for (const { id, content, button } of tabs.shown()) {
			const selected = id === choices.tab;
			button.setAttribute('aria-selected', String(selected));
			button.tabIndex = selected ? 0 : -1;
			content.panel.hidden = !selected;
		}
		this.showControls();
		this.strip.update();
		const { content } = tabs.of(choices.tab);
		this.status.showHint();
		content.update();
	}

	showControls() {
		const { model, choices } = this;
		const stacks = ['flame', 'tree', 'methods', 'stacks'].includes(choices.tab);
		const pressed = (id, on) => byId(id).setAttribute('aria-pressed', String(on));
		pressed('invert', choices.inverted);
		pressed('flame', choices.flame);
		pressed('by-thread', choices.byThread);
		pressed('old', choices.old);
		pressed('scaled', choices.scaled);
		byId('old').hidden = !model.compares || choices.tab !== 'flame';
		byId('scaled').hidden = !model.compares || !stacks;
		byId('flame').hidden = choices.tab !== 'flame';
		byId('invert').hidden = !['flame', 'tree'].includes(choices.tab);
		byId('by-thread').hidden = !model.hasThreads || !['flame', 'tree'].includes(choices.tab);
		byId('metric-label').hidden = model.metrics.length < 2 || !(stacks || choices.tab === 'threads');
		byId('metric').value = choices.metric;
		byId('search').value = choices.search;
		byId('legend').hidden = !stacks;
		byId('search-box').hidden = choices.tab === 'monitors';
		byId('search').placeholder = 'Search ' + ({ threads: 'threads', heap: 'classes' }[choices.tab] || 'methods') + '  ( / )';
		byId('filters').hidden = !stacks && choices.thread === 0;
		this.showMatches(stacks);
		this.showChips();
		if (stacks)
			this.showLegend();
	}

	showMatches(stacks) {
		const { model } = this;
		const shown = stacks && model.hasStacks && model.matches() !== null;
		byId('search-box').classList.toggle('matching', shown);
		byId('found').hidden = !shown;
		byId('match-at').textContent = '';
		byId('matches').textContent = shown ? formatPercent(model.matchedCost(), model.view().total[0]) + ' match' : '';
	}

	showChips() {
		const { model, choices } = this;
		const chips = [];
		const chip = (text, title, cleared) => {
			const button = element('button', { title }, text);
			button.addEventListener('click', () => this.choose(cleared));
			chips.push(button);
		};
		if (choices.focus >= 0)
			chip((choices.inverted ? 'Callers of ' : 'Calls of ') + model.names.short(choices.focus), 'Show all stacks again', { focus: -1, zoom: [] });
		if (choices.thread !== 0)
			chip('Thread ' + model.profile.threads[choices.thread - 1].name, 'Show all threads again', { thread: 0 });
		if (choices.range !== null && model.hasTimes(model.metric))
			chip(rangeText(model.profile.times, choices.range), 'Show all the time again', { range: null });
		byId('chips').replaceChildren(...chips);
	}

	/* ---- parts ---------------------------------------------------------------------------------- */

	head() {
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
		alarm.addEventListener('click', () => this.choose({ tab: 'monitors' }));
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

	buildTabs() {
		const list = byId('tabs');
		const panels = byId('panels');
		tabs.shown().forEach((tab, i) => {
			const button = element('button', { role: 'tab', id: 'tab-' + tab.id, 'aria-controls': 'panel-' + tab.id, title: tab.title + ' (' + (i + 1) + ')' }, tab.title);
			button.addEventListener('click', () => this.choose({ tab: tab.id }));
			button.addEventListener('keydown', event => {
				const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
				const all = tabs.shown();
				if (step === undefined)
					return;
				const next = all[(i + step + all.length) % all.length];
				this.choose({ tab: next.id });
				next.button.focus();
			});
			tab.button = button;
			tab.content.panel.id = 'panel-' + tab.id;
			tab.content.panel.setAttribute('role', 'tabpanel');
			tab.content.panel.setAttribute('aria-labelledby', button.id);
			tab.content.panel.hidden = true;
			list.append(button);
			panels.append(tab.content.panel);
		});
	}

	buildMetrics() {
		const select = byId('metric');
		for (const metric of this.model.metrics)
			select.append(element('option', { value: metric.id }, metric.name));
		select.addEventListener('change', () => this.choose({ metric: select.value, zoom: [] }));
	}

	buildLegend() {
		const { kinds, methodCount } = this.model.profile;
		const present = new Set(kinds.subarray(0, methodCount));
		this.legend = [];
		if (this.model.compares)
			byId('legend').append(this.scale(), this.goneButton());
		KIND_COLOURS.forEach((name, kind) => {
			if (!present.has(kind))
				return;
			const mark = element('i');
			const share = element('b');
			const button = element('button', { title: 'Press to fold these frames into their callers' }, this.model.compares ? '' : mark,
				['Application', 'Libraries', 'JDK', 'Native', 'No stack'][kind] + ' ', share);
			mark.style.background = 'var(--kind-' + name + ')';
			button.addEventListener('click', () => this.choose({ hidden: this.choices.hidden ^ 1 << kind, zoom: [] }));
			byId('legend').append(button);
			this.legend.push({ kind, button, share });
		});
	}

	/* What the colours of changes mean. */
	scale() {
		const texts = [['less', 'less, gone'], ['none', 'unchanged, or within chance'], ['more', 'more, new']];
		return element('span', { class: 'scale' }, ...texts.map(([name, text]) => {
			const mark = element('i');
			mark.style.background = 'var(--change-' + name + ')';
			return element('span', {}, mark, text);
		}));
	}

	/* Frames of the old profile alone have no width among the new ones. */
	goneButton() {
		this.gone = element('b');
		const button = element('button', { id: 'gone', title: 'Frames that only the old profile has: press for its widths (O)' }, 'Gone ', this.gone);
		button.addEventListener('click', () => this.toggle('old'));
		return button;
	}

	showGone() {
		const { model, choices } = this;
		const share = model.goneShare();
		byId('gone').hidden = choices.tab !== 'flame' || share === 0;
		this.gone.textContent = formatPercent(share, 1);
	}

	/* The share of each kind's own cost. */
	showLegend() {
		const { model } = this;
		if (model.compares)
			this.showGone();
		const { kinds } = model.profile;
		const sums = model.keep('legend', model.costKey(), () => {
			const view = model.view();
			const byKind = new Float64Array(8);
			for (let i = 0; i < view.count; i++)
				byKind[kinds[view.method[i]]] += view.self[i];
			return byKind;
		});
		for (const { kind, button, share } of this.legend) {
			const shown = !(this.choices.hidden >> kind & 1);
			button.setAttribute('aria-pressed', String(shown));
			share.textContent = shown ? formatPercent(sums[kind], model.view().total[0]) : '';
		}
	}

	/* ---- keys and the window ----------------------------------------------------------------------- */

	listen() {
		const toggle = (id, name) => byId(id).addEventListener('click', () => this.toggle(name));
		toggle('invert', 'inverted');
		toggle('flame', 'flame');
		toggle('by-thread', 'byThread');
		toggle('old', 'old');
		toggle('scaled', 'scaled');
		byId('theme').addEventListener('click', () => setTheme(this, document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
		byId('help').addEventListener('click', () => this.help());
		byId('previous-match').addEventListener('click', () => this.stepMatch(-1));
		byId('next-match').addEventListener('click', () => this.stepMatch(1));
		const search = byId('search');
		search.addEventListener('input', () => {
			clearTimeout(this.searchTimer);
			this.searchTimer = setTimeout(() => this.choose({ search: search.value }), 60);
		});
		search.addEventListener('keydown', event => {
			if (event.key === 'Escape') {
				this.search('');
				search.blur();
			} else if (event.key === 'Enter') {
				this.search(search.value);
				tabs.of(this.choices.tab).content.panel.querySelector('.pane').focus();
				this.stepMatch(0);
			} else {
				return;
			}
			event.preventDefault();
			event.stopPropagation();
		});
		document.addEventListener('keydown', event => this.key(event));
		document.addEventListener('copy', event => this.copy(event));
		window.addEventListener('hashchange', () => {
			if (location.hash.slice(1) === this.written)
				return;
			this.written = location.hash.slice(1);
			this.model.fromFragment(this.written);
			this.show();
		});
		new ResizeObserver(() => this.show()).observe(byId('panels'));
	}

	toggle(name) {
		this.choose({ [name]: !this.choices[name], zoom: name === 'flame' ? this.choices.zoom : [] });
	}

	key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement ||
		    event.target instanceof HTMLSelectElement || byId('help-dialog').open)
			return;
		const { tab } = this.choices;
		const stacks = tab === 'flame' || tab === 'tree';
		const { compares } = this.model;
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		if (key === '/')
			byId('search').select();
		else if (key === 'n')
			this.stepMatch(event.shiftKey ? -1 : 1);
		else if (key === 'i' && stacks)
			this.toggle('inverted');
		else if (key === 'f' && tab === 'flame')
			this.toggle('flame');
		else if (key === 't' && stacks && this.model.hasThreads)
			this.toggle('byThread');
		else if (key === 'o' && compares && tab === 'flame')
			this.toggle('old');
		else if (key === 's' && compares && !byId('scaled').hidden)
			this.toggle('scaled');
		else if (key === 'c' && tab === 'flame' && tabs.of('flame').content.selected >= 0)
			this.focus(this.model.tree().method[tabs.of('flame').content.selected]);
		else if (key === 'Backspace')
			this.goBack();
		else if (key === 'Escape')
			this.escape();
		else if (key === '?')
			this.help();
		else if (key >= '1' && key <= '9' && tabs.shown()[Number(key) - 1] !== undefined)
			this.choose({ tab: tabs.shown()[Number(key) - 1].id });
		else
			return;
		event.preventDefault();
	}

	/* Copying with nothing selected copies the name of the selected frame. */
	copy(event) {
		const { selected, tree } = tabs.of(this.choices.tab).content;
		if (this.choices.tab !== 'flame' || selected < 0 || !getSelection().isCollapsed || event.target instanceof HTMLInputElement)
			return;
		event.clipboardData.setData('text/plain', this.model.profile.names[tree.method[selected]]);
		event.preventDefault();
	}

	help() {
		const { facts, sets } = this.model.profile;
		const dialog = byId('help-dialog');
		const list = pairs => element('dl', {}, ...pairs.flatMap(([term, text]) => [element('dt', {}, term), element('dd', {}, text)]));
		const keys = [
			['Click, Enter', 'zoom in to a frame; its callers stay above it'],
			['Backspace', 'back'],
			['Arrows', 'to callers, callees and neighbours; in a tree: open and close'],
			['/', 'search: text or a regular expression; the share of cost below matches is shown'],
			['N, Shift and N', 'the next match, the previous one; in the flame graph the widest comes first'],
			['I, F, T', 'inverted; flame graph; by thread'],
			['Shift and click, C', 'all calls of the method, wherever it is called'],
			['1 to ' + tabs.shown().length, 'tabs'],
			['Escape', 'clears the search, the zoom, the range, the thread'],
		];
		if (facts.before !== null)
			keys.splice(6, 0, ['O, S', 'widths of the old profile, which also has what is gone; old costs scaled so that both totals are equal']);
		const known = [['Program', facts.program], ['JVM', facts.jvm], ['Options', facts.options], ['Created', facts.created],
			['Length', facts.durationMs > 0 ? formatSeconds(facts.durationMs / 1000) : ''], ['Stacks', cutText(facts)], ['File', facts.name]];
		const old = facts.before === null ? [] : [['Old program', facts.before.program], ['Old JVM', facts.before.jvm],
			['Old options', facts.before.options], ['Old created', facts.before.created], ['Old file', facts.before.name]];
		const colours = facts.before === null ? 'Colour is the kind of code.'
			: 'Frames are as wide as in the new profile. Colour is the change from the old one: red for more, blue for less, the stronger the larger the change is beside the cost. Samples that can differ so much by chance, with 95% confidence, count as unchanged.';
		const close = element('form', { method: 'dialog' }, element('button', {}, 'Close'));
		dialog.replaceChildren(close,
			element('h2', {}, 'Keys'), list(keys),
			element('h2', {}, 'How to read it'),
			element('p', {}, 'A frame is as wide as its cost and all below it. Children stand below their caller, the widest first. ' + colours + ' A grey frame is the sum of frames too narrow to be seen. Shares have a 95% interval where the costs are sampled.'),
			element('h2', {}, 'Profile'), list(known.concat(old).filter(([, text]) => text !== '').concat(sets.map(set => ['Section', set.title]))),
			...facts.notes.filter(note => !/^NOTE: (program|JVM|options|profiled for)\b/.test(note))
				.map(note => element('p', {}, note.replace(/^NOTE: /, ''))));
		dialog.showModal();
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

/* ---- theme ---------------------------------------------------------------------------------------- */

function setTheme(app, theme) {
	document.documentElement.dataset.theme = theme;
	if (app !== null) {
		app.colours.read();
		app.show();
	}
}

function startTheme() {
	const dark = matchMedia('(prefers-color-scheme: dark)');
	setTheme(null, dark.matches ? 'dark' : 'light');
	return dark;
}

/* ---- start ------------------------------------------------------------------------------------------ */

async function start() {
	const dark = startTheme();
	try {
		if (typeof DecompressionStream !== 'function')
			throw new Error('this browser can not unpack the data: use Chrome or Edge from 80 on, Firefox from 113 on, or Safari from 16.4 on');
		const data = byId('data');
		const profile = await unpackData(data.textContent);
		data.remove();
		const app = new App(profile);
		byId('app').hidden = false;
		window.hprofPage = app;
		app.show();
		dark.addEventListener('change', () => setTheme(app, dark.matches ? 'dark' : 'light'));
	} catch (error) {
		byId('app').hidden = true;
		byId('failure').hidden = false;
		byId('failure').textContent = 'The profile can not be shown: ' + error.message;
		throw error;
	}
}

start();
