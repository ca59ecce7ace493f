/*
 * main.js: the page: its choices, tabs and keys; starts everything.
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
		this.header = new Header(this);
		this.buildTabs();
		this.buildMetrics();
		this.legend = new Legend(this);
		this.listen();
	}

	get choices() { return this.model.choices; }

	/* ---- choices --------------------------------------------------------------------------- */

	/* Changes what is chosen and shows it. */
	choose(changes) {
		Object.assign(this.choices, changes);
		this.show();
		this.keepAddress();
	}

	/* Soon: the choices may change with each move of the pointer. */
	keepAddress() {
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
		const { content, button } = tabs.of(choices.tab);
		const list = byId('tabs');
		list.scrollLeft = button.offsetLeft - list.offsetLeft - (list.clientWidth - button.offsetWidth) / 2;
		this.status.showHint();
		content.update();
		choices.sort = '';
		this.size = sizeOfPanels();
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
			this.legend.update();
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

	/* ---- keys and the window ----------------------------------------------------------------------- */

	listen() {
		const toggle = (id, name) => byId(id).addEventListener('click', () => this.toggle(name));
		toggle('invert', 'inverted');
		toggle('flame', 'flame');
		toggle('by-thread', 'byThread');
		toggle('old', 'old');
		toggle('scaled', 'scaled');
		byId('theme').addEventListener('click', () => setTheme(this, document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
		byId('help').addEventListener('click', () => showHelp(this.model.profile));
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
		new ResizeObserver(() => this.resized()).observe(byId('panels'));
	}

	/* The observer's first call has the size that is shown. */
	resized() {
		if (sizeOfPanels() !== this.size)
			this.show();
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
			showHelp(this.model.profile);
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
}

function sizeOfPanels() {
	const { clientWidth, clientHeight } = byId('panels');
	return [clientWidth, clientHeight].join();
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
