/*
 * format.js: numbers with separators and units, shares with their interval, names in parts.
 */

const groups = new Intl.NumberFormat('en-US');
const fixed = [0, 1, 2].map(digits => new Intl.NumberFormat('en-US',
	{ minimumFractionDigits: digits, maximumFractionDigits: digits }));

function formatCount(count) {
	return groups.format(Math.round(count));
}

/* "1 method", "2 methods". */
function counted(count, what) {
	return formatCount(count) + ' ' + what + (count === 1 ? '' : 's');
}

/* Milliseconds, with more digits for less of them. */
function formatMs(ns) {
	const ms = ns / 1e6;
	if (ms > 0 && ms < 0.005)
		return '<0.01 ms';
	return fixed[ms === 0 || ms >= 1000 ? 0 : ms >= 10 ? 1 : 2].format(ms) + ' ms';
}

/* A short time. */
function formatNs(ns) {
	if (ns < 1000)
		return fixed[0].format(ns) + ' ns';
	return ns < 1e6 ? fixed[ns < 1e5 ? 1 : 0].format(ns / 1000) + ' µs' : formatMs(ns);
}

function formatBytes(bytes) {
	const units = ['B', 'kB', 'MB', 'GB', 'TB'];
	let unit = 0;
	let value = bytes;
	for (; value >= 1000 && unit < units.length - 1; unit++)
		value /= 1000;
	return fixed[unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2].format(value) + ' ' + units[unit];
}

function formatSeconds(seconds) {
	return (seconds >= 100 || Number.isInteger(seconds) ? groups.format(Math.round(seconds))
		: fixed[seconds >= 10 ? 1 : 2].format(seconds)) + ' s';
}

function formatCost(metric, value) {
	switch (metric.unit) {
	case 'ns':
		return formatMs(value);
	case 'bytes':
		return formatBytes(value);
	case 'samples':
		return formatCount(value) + (value === 1 ? ' sample' : ' samples');
	default:
		return formatCount(value) + ' ' + metric.unit;
	}
}

/* In a column whose title has the unit. */
function formatCell(metric, value) {
	return metric.unit === 'ns' || metric.unit === 'bytes' ? formatCost(metric, value) : formatCount(value);
}

function formatPercent(part, total) {
	const percent = total > 0 ? part / total * 100 : 0;
	return (percent > 0 && percent < 0.05 ? '<0.1' : fixed[1].format(percent)) + '%';
}

/* Half the width of the 95% interval (Wilson) of a share of samples, in per cent. */
function intervalOf(part, total) {
	const z = 1.96;
	const p = part / total;
	return 100 * z / (1 + z * z / total) * Math.sqrt(p * (1 - p) / total + z * z / (4 * total * total));
}

/* The share, with its interval where the costs are sampled. */
function formatShare(metric, part, total) {
	const share = formatPercent(part, total);
	if (metric.unit !== 'samples' || part <= 0 || part >= total || part / total < 0.0005)
		return share;
	const half = intervalOf(part, total);
	return share + ' ±' + fixed[half < 0.05 ? 2 : 1].format(half);
}

/* ---- changes ----------------------------------------------------------------------- */

function formatChange(metric, [before, now]) {
	const change = now - before;
	return change === 0 ? '0' : (change > 0 ? '+' : '−') + formatCell(metric, Math.abs(change));
}

/* The change in per cent of the old value. */
function formatGrowth([before, now]) {
	if (before === now)
		return '';
	if (before === 0 || now === 0)
		return before === 0 ? 'new' : 'gone';
	const percent = (now - before) / before * 100;
	if (percent >= 100000)
		return '>99999%';
	return (percent > 0 ? '+' : '−') + fixed[Math.abs(percent) < 99.95 ? 1 : 0].format(Math.abs(percent)) + '%';
}

/* "12 → 20 samples, +66.7%" */
function formatPair(metric, pair) {
	const growth = formatGrowth(pair);
	return formatCell(metric, pair[0]) + ' → ' + formatCost(metric, pair[1]) + (growth === '' ? '' : ', ' + growth);
}

const NO_STACK = '<no_stack>.';
const SPECIAL_NAMES = {
	'<empty trace>': 'no stack',
	'[below the cutoff]': 'below the cutoff',
	'[filtered out]': 'filtered out',
};

/* Parts of names, made when first needed: package, with its dot, and the rest. */
class Names {
	constructor(profile) {
		this.profile = profile;
		this.packages = new Array(profile.names.length);
		this.shorts = new Array(profile.names.length);
	}

	split(method) {
		const profile = this.profile;
		const name = profile.names[method];
		const kind = profile.kinds[method];
		let cut = 0;
		let short = name;
		if (name.startsWith(NO_STACK)) {
			short = 'no stack: ' + name.slice(NO_STACK.length).replaceAll('_', ' ');
		} else if (name in SPECIAL_NAMES) {
			short = SPECIAL_NAMES[name];
		} else if (kind <= KIND.NATIVE) {
			const last = name.lastIndexOf('.');
			cut = profile.isClass[method] ? last + 1 : name.lastIndexOf('.', last - 1) + 1;
			short = name.slice(cut);
		}
		this.packages[method] = name.slice(0, cut);
		this.shorts[method] = short;
	}

	short(method) {
		if (this.shorts[method] === undefined)
			this.split(method);
		return this.shorts[method];
	}

	package(method) {
		if (this.shorts[method] === undefined)
			this.split(method);
		return this.packages[method];
	}

	full(method) {
		return this.package(method) + this.short(method);
	}
}

const KIND_NAMES = ['application', 'library', 'JDK', 'native method', 'no code', '', 'thread'];

/* ---- elements: text is always text, never markup ------------------------------------ */

function element(tag, properties, ...children) {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(properties || {})) {
		if (name === 'class')
			made.className = value;
		else if (name in made && typeof value !== 'string')
			made[name] = value;
		else
			made.setAttribute(name, value);
	}
	made.append(...children.filter(child => child !== null && child !== undefined));
	return made;
}

function byId(id) {
	return document.getElementById(id);
}
