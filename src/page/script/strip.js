/*
 * strip.js: samples over time as a heat strip, in which a range can be selected. Where something
 * is searched for or zoomed in to, its part stands out.
 */

const AXIS = 14;

class Strip {
	constructor(app) {
		this.app = app;
		this.canvas = byId('strip');
		this.drag = null;
		this.listen();
	}

	get times() { return this.app.model.profile.times; }

	update() {
		const { model } = this.app;
		const shown = model.metric !== undefined && model.hasTimes(model.metric) &&
			['flame', 'methods', 'tree', 'threads'].includes(model.choices.tab);
		byId('strip-box').hidden = !shown;
		if (!shown)
			return;
		const { thread, search, zoom, focus, inverted } = model.choices;
		this.all = model.keep('strip', thread, () => model.buckets(thread));
		this.part = model.keep('strip part', [model.costKey(), search, zoom, focus, inverted].join(), () => this.partOf());
		this.draw();
	}

	/* By bucket: the samples that match, or are in the zoomed frame; null if there is neither. */
	partOf() {
		const { model } = this.app;
		const { thread, zoom, focus, inverted } = model.choices;
		const view = model.view();
		const found = model.matches();
		let inside;
		if (found !== null)
			inside = topmost(view, i => found[view.method[i]] === 1);
		else if (focus >= 0)
			inside = topmost(view, i => view.method[i] === focus);
		else if (zoom.length > 0 && !inverted)
			inside = [model.nodeAt(zoom)];
		else
			return null;
		const flags = new Uint8Array(view.count);
		for (const node of inside)
			flags.fill(1, node, view.end[node]);
		return model.buckets(thread, e => flags[view.entryNode[e]] === 1);
	}

	draw() {
		const { canvas, times, all, part } = this;
		const { colours, model } = this.app;
		const ratio = window.devicePixelRatio || 1;
		const width = canvas.clientWidth;
		const height = canvas.clientHeight;
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		const context = canvas.getContext('2d');
		context.scale(ratio, ratio);
		const bars = groupBuckets(all, Math.floor(width / 3));
		const parts = part === null ? null : groupBuckets(part, Math.floor(width / 3));
		const most = bars.means.reduce((a, b) => Math.max(a, b), 0);
		const tall = height - AXIS;
		const edge = i => Math.round(Math.min(width, i * bars.per / times.buckets * width));
		context.fillStyle = colours.raised;
		context.fillRect(0, 0, width, tall);
		bars.means.forEach((mean, i) => {
			const level = most > 0 ? mean / most : 0;
			const x = edge(i);
			const wide = edge(i + 1) - x - (edge(1) > 4 ? 1 : 0);
			context.fillStyle = parts === null ? mix(colours.wash, colours.accent, 0.25 + 0.75 * level) : mix(colours.line, colours.quiet, 0.25);
			context.fillRect(x, tall - level * (tall - 2), wide, level * (tall - 2));
			if (parts !== null && most > 0) {
				context.fillStyle = colours.accent;
				context.fillRect(x, tall - parts.means[i] / most * (tall - 2), wide, parts.means[i] / most * (tall - 2));
			}
		});
		this.drawAxis(context, width, height);
		this.drawRange(context, width, tall, model.choices.range);
	}

	drawAxis(context, width, height) {
		const { colours } = this.app;
		const seconds = this.times.buckets * this.times.bucketMs / 1000;
		const step = niceStep(seconds / Math.max(1, width / 90));
		context.fillStyle = colours.quiet;
		context.font = FONT.replace('12px', '11px');
		context.textBaseline = 'alphabetic';
		for (let i = 0; i * step <= seconds; i++) {
			const x = i * step / seconds * width;
			const text = formatSeconds(Number((i * step).toFixed(3)));
			const room = context.measureText(text).width;
			context.fillRect(Math.min(x, width - 1), height - AXIS, 1, 4);
			if (x + 4 + room < width)
				context.fillText(text, x + 4, height - 2);
		}
	}

	drawRange(context, width, tall, range) {
		const { colours } = this.app;
		if (range === null)
			return;
		const [from, to] = [range[0], range[1] + 1].map(bucket => bucket / this.times.buckets * width);
		context.globalAlpha = 0.7;
		context.fillStyle = colours.paper;
		context.fillRect(0, 0, from, tall);
		context.fillRect(to, 0, width - to, tall);
		context.globalAlpha = 1;
		context.strokeStyle = colours.accent;
		context.lineWidth = 2;
		context.strokeRect(from + 1, 1, Math.max(2, to - from - 2), tall - 2);
	}

	/* ---- the pointer and the keyboard ------------------------------------------------------ */

	bucketAt(event) {
		const frame = this.canvas.getBoundingClientRect();
		const part = (event.clientX - frame.left) / frame.width;
		return Math.max(0, Math.min(this.times.buckets - 1, Math.floor(part * this.times.buckets)));
	}

	listen() {
		const { canvas } = this;
		canvas.addEventListener('pointerdown', event => {
			if (event.button !== 0)
				return;
			canvas.setPointerCapture(event.pointerId);
			this.drag = { from: this.bucketAt(event), x: event.clientX, moved: false };
		});
		canvas.addEventListener('pointermove', event => this.move(event));
		canvas.addEventListener('pointerup', () => {
			if (this.drag !== null && !this.drag.moved)
				this.app.choose({ range: null });
			this.drag = null;
		});
		canvas.addEventListener('pointercancel', () => { this.drag = null; });
		canvas.addEventListener('pointerleave', () => this.app.status.showHint());
		canvas.addEventListener('keydown', event => this.key(event));
	}

	move(event) {
		const at = this.bucketAt(event);
		if (this.drag !== null && Math.abs(event.clientX - this.drag.x) > 3)
			this.drag.moved = true;
		if (this.drag !== null && this.drag.moved) {
			const range = [Math.min(this.drag.from, at), Math.max(this.drag.from, at)];
			this.app.choose({ range });
			this.app.status.showText(rangeText(this.times, range), counted(this.sumOf(range), 'sample'));
			return;
		}
		this.app.status.showText(rangeText(this.times, [at, at]), counted(this.all[at], 'sample'));
	}

	sumOf(range) {
		let sum = 0;
		for (let i = range[0]; i <= range[1]; i++)
			sum += this.all[i];
		return sum;
	}

	key(event) {
		const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		if (step === undefined || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		const last = this.times.buckets - 1;
		const size = Math.max(1, Math.ceil(this.times.buckets / 50));
		const [from, to] = this.app.model.choices.range || [0, size - 1];
		const clamp = bucket => Math.max(0, Math.min(last, bucket));
		let range;
		if (event.shiftKey)
			range = [from, Math.max(from, clamp(to + step * size))];
		else if (from + step * size >= 0 && to + step * size <= last)
			range = [from + step * size, to + step * size];
		else
			range = [from, clamp(to)];
		this.app.choose({ range });
		this.app.status.showText(rangeText(this.times, range), counted(this.sumOf(range), 'sample'));
	}
}

/* Bars, most of them at most: each the mean of the same number of buckets; the last may have fewer. */
function groupBuckets(buckets, most) {
	const per = Math.max(1, Math.ceil(buckets.length / Math.max(1, most)));
	const means = [];
	for (let from = 0; from < buckets.length; from += per) {
		const group = buckets.subarray(from, from + per);
		means.push(group.reduce((sum, value) => sum + value, 0) / group.length);
	}
	return { per, means };
}

function rangeText(times, range) {
	const seconds = bucket => bucket * times.bucketMs / 1000;
	return seconds(range[0]).toFixed(1) + '–' + seconds(range[1] + 1).toFixed(1) + ' s';
}

/* The next number of the form 1, 2 or 5 times a power of ten. */
function niceStep(least) {
	const power = Math.pow(10, Math.floor(Math.log10(least)));
	return [1, 2, 5, 10].find(factor => factor * power >= least * 0.999) * power;
}
