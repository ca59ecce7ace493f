/*
 * colours.js: the colours of the theme, read from the style sheet for the canvas.
 */

const KIND_COLOURS = ['application', 'library', 'jdk', 'native', 'none'];

const CHANGE_STEPS = 8; /* in each direction */

class Colours {
	constructor() {
		this.read();
	}

	read() {
		const style = getComputedStyle(document.documentElement);
		const value = name => style.getPropertyValue('--' + name).trim();
		for (const name of ['paper', 'raised', 'line', 'ink', 'quiet', 'accent', 'wash', 'strong'])
			this[name] = value(name);
		this.frameInk = value('frame-ink');
		this.frameQuiet = value('frame-quiet');
		this.kinds = KIND_COLOURS.map(name => value('kind-' + name));
		this.kinds.push(this.raised, this.raised);
		this.faded = this.kinds.map(colour => mix(colour, this.paper, 0.72));
		this.changes = [];
		for (let step = -CHANGE_STEPS; step <= CHANGE_STEPS; step++)
			this.changes.push(mix(value('change-none'), value(step < 0 ? 'change-less' : 'change-more'), Math.abs(step) / CHANGE_STEPS));
		this.fadedChanges = this.changes.map(colour => mix(colour, this.paper, 0.72));
	}

	/* The place in changes of one from -1 to 1: any change differs from none. */
	static stepOf(change) {
		const size = change === 0 ? 0 : Math.max(2, Math.round(Math.abs(change) * CHANGE_STEPS));
		return CHANGE_STEPS + Math.sign(change) * size;
	}
}

function mix(colour, other, part) {
	const channels = text => [1, 3, 5].map(at => parseInt(text.slice(at, at + 2), 16));
	const [a, b] = [channels(colour), channels(other)];
	return '#' + a.map((value, i) => Math.round(value + (b[i] - value) * part).toString(16).padStart(2, '0')).join('');
}
