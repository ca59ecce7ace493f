/*
 * legend.js: the kinds of frames, each with its share; a press folds them into their callers. Of
 * two profiles also what the colours of changes mean.
 */

class Legend {
	constructor(app) {
		this.app = app;
		this.build();
	}

	get model() { return this.app.model; }

	get choices() { return this.app.choices; }

	build() {
		const { kinds, methodCount } = this.model.profile;
		const present = new Set(kinds.subarray(0, methodCount));
		this.kinds = [];
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
			button.addEventListener('click', () => this.app.choose({ hidden: this.choices.hidden ^ 1 << kind, zoom: [] }));
			byId('legend').append(button);
			this.kinds.push({ kind, button, share });
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
		button.addEventListener('click', () => this.app.toggle('old'));
		return button;
	}

	showGone() {
		const { model, choices } = this;
		const share = model.goneShare();
		byId('gone').hidden = choices.tab !== 'flame' || share === 0;
		this.gone.textContent = formatPercent(share, 1);
	}

	/* The share of each kind's own cost. */
	update() {
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
		for (const { kind, button, share } of this.kinds) {
			const shown = !(this.choices.hidden >> kind & 1);
			button.setAttribute('aria-pressed', String(shown));
			share.textContent = shown ? formatPercent(sums[kind], model.view().total[0]) : '';
		}
	}
}
