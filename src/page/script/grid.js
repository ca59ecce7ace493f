/*
 * grid.js: a table of any length: only rows in view are elements. Sorted by its head, moved
 * through with the keyboard, copied as CSV.
 *
 * A column: title, width (px), grow: its share of the room that is left, key(row): a number or text
 * to sort by, fill(cell, row) or text(row), className, csv(row) if not the key, fixed: can't be
 * sorted by. Where there is no room for all, the columns with the highest spare leave together,
 * then those with the next; without one it stays. alone: the title where the column before it has
 * left. isName: what the row is about, which a narrow table has on a line of its own.
 */

const GRID_LINE = 26; /* px */
const GRID_NARROW_LINE = 23; /* two make a row */
const GRID_EXTRA = 8; /* rows beyond the view */
const NARROW = 700; /* px */
const SCROLL_BAR = 16;

class Grid {
	constructor(label, columns, actions) {
		this.columns = columns;
		/* select(row), open(row), click(row, event), key(event, row), sorted(); of a tree level(row), from 1, and
		 * expanded(row): null for a leaf */
		this.actions = actions;
		this.id = 'grid-' + label.toLowerCase().replaceAll(' ', '-') + '-';
		this.rows = [];
		this.at = -1;
		this.sortBy = this.firstSort = columns.findIndex(column => column.first);
		this.up = false;
		this.head = element('div', { class: 'head', role: 'row' });
		this.body = element('div', { role: 'rowgroup' });
		this.grid = element('div', { class: 'grid' }, this.head, this.body);
		this.pane = element('div', { class: 'pane', tabIndex: 0, role: actions.level ? 'treegrid' : 'grid', 'aria-label': label }, this.grid);
		this.pane.addEventListener('scroll', () => this.draw());
		this.pane.addEventListener('keydown', event => this.key(event));
	}

	/* The columns for the width of the pane. */
	makeHead() {
		const width = this.pane.offsetWidth || window.innerWidth;
		if (width === this.width)
			return;
		this.width = width;
		this.narrow = width < NARROW;
		const line = this.narrow ? GRID_NARROW_LINE : GRID_LINE;
		this.rowHeight = this.narrow ? 2 * line : line;
		this.shown = this.fitting(width - SCROLL_BAR);
		this.grid.classList.toggle('narrow', this.narrow);
		this.grid.style.setProperty('--tall', line + 'px');
		this.grid.style.minWidth = this.widthOf(this.shown) + 'px';
		this.grid.style.setProperty('--columns', this.shown.filter(column => !this.inOwnLine(column))
			.map(column => this.trackOf(column)).join(' '));
		this.head.replaceChildren(...this.shown.map(column => this.headCell(column)));
		this.markSort();
	}

	inOwnLine(column) {
		return this.narrow && column.isName === true;
	}

	/* The title of a column beside the others that are shown. */
	titleOf(column, shown) {
		const before = this.columns[this.columns.indexOf(column) - 1];
		return column.alone !== undefined && !shown.includes(before) ? column.alone : column.title;
	}

	widthIn(column, shown) {
		const title = this.titleOf(column, shown);
		return title === column.title ? column.width : Math.max(column.width, figureWidth(title));
	}

	widthOf(columns) {
		return columns.reduce((sum, column) => sum + (this.inOwnLine(column) ? 0 : this.widthIn(column, columns)), 0);
	}

	fitting(room) {
		let shown = this.columns;
		for (;;) {
			const most = Math.max(...shown.map(column => column.spare || 0));
			if (most === 0 || this.widthOf(shown) <= room)
				return shown;
			shown = shown.filter(column => (column.spare || 0) < most);
		}
	}

	/* A narrow table spreads its figures. */
	trackOf(column) {
		const width = this.widthIn(column, this.shown);
		const grow = this.narrow ? width : column.grow;
		return grow === undefined ? width + 'px' : 'minmax(' + width + 'px, ' + grow + 'fr)';
	}

	headCell(column) {
		const title = this.titleOf(column, this.shown);
		const cell = element('div', { role: 'columnheader', class: this.classOf(column) });
		if (column.fixed) {
			cell.append(title);
			return cell;
		}
		const button = element('button', { title: column.hint || 'Sort by ' + column.title }, title);
		button.addEventListener('click', () => this.sort(this.columns.indexOf(column)));
		cell.append(button);
		return cell;
	}

	classOf(column) {
		return [column.className || '', column.isName ? 'main' : ''].join(' ').trim();
	}

	markSort() {
		this.shown.forEach((column, i) => {
			if (column === this.columns[this.sortBy])
				this.head.children[i].setAttribute('aria-sort', this.up ? 'ascending' : 'descending');
			else
				this.head.children[i].removeAttribute('aria-sort');
		});
	}

	sort(column) {
		this.up = column === this.sortBy ? !this.up : typeof this.columns[column].key(this.rows[0]) === 'string';
		this.sortBy = column;
		this.markSort();
		this.setRows(this.rows);
		if (this.actions.sorted)
			this.actions.sorted();
	}

	/* The order as text, for the address; '' for the first one. */
	get order() {
		if (this.sortBy < 0 || this.sortBy === this.firstSort && !this.up)
			return '';
		return (this.up ? '~' : '') + nameOfColumn(this.columns[this.sortBy]);
	}

	/* Takes the order of that name, if there is one. To be called before there are rows. */
	set order(text) {
		const up = text.startsWith('~');
		const column = this.columns.findIndex(column => !column.fixed && nameOfColumn(column) === text.slice(up ? 1 : 0));
		if (column < 0)
			return;
		this.sortBy = column;
		this.up = up;
	}

	/* Shows these rows, in the order chosen. */
	setRows(rows) {
		this.makeHead();
		const selected = this.rows[this.at];
		this.rows = this.sortBy < 0 ? rows : this.sorted(rows);
		this.at = selected === undefined ? -1 : this.rows.indexOf(selected);
		this.pane.setAttribute('aria-rowcount', String(this.rows.length + 1));
		this.draw();
	}

	sorted(rows) {
		const { key } = this.columns[this.sortBy];
		const keyed = Array.from(rows, (row, i) => ({ row, i, key: key(row) }));
		const sign = this.up ? 1 : -1;
		if (keyed.length > 0 && typeof keyed[0].key === 'string')
			keyed.sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) || a.i - b.i);
		else
			keyed.sort((a, b) => sign * (a.key - b.key) || a.i - b.i);
		return keyed.map(each => each.row);
	}

	draw() {
		const { pane } = this;
		this.body.style.height = this.rows.length * this.rowHeight + 'px';
		const from = Math.max(0, Math.floor(pane.scrollTop / this.rowHeight) - GRID_EXTRA);
		const to = Math.min(this.rows.length, Math.ceil((pane.scrollTop + pane.clientHeight) / this.rowHeight) + GRID_EXTRA);
		const made = [];
		for (let i = from; i < to; i++)
			made.push(this.makeRow(i));
		this.body.replaceChildren(...made);
		if (this.at >= from && this.at < to)
			pane.setAttribute('aria-activedescendant', this.id + this.at);
		else
			pane.removeAttribute('aria-activedescendant');
	}

	makeRow(i) {
		const row = this.rows[i];
		const line = element('div', {
			class: 'row', role: 'row', id: this.id + i, 'aria-rowindex': String(i + 2), 'aria-selected': String(i === this.at),
		});
		if (this.actions.level)
			this.markLevel(line, row);
		line.style.top = (i + 1) * this.rowHeight + 'px';
		for (const column of this.shown) {
			const cell = element('div', { role: 'gridcell', class: this.classOf(column) });
			if (column.fill)
				column.fill(cell, row);
			else
				cell.textContent = column.text(row);
			line.append(cell);
		}
		line.addEventListener('click', event => {
			this.select(i);
			if (this.actions.click)
				this.actions.click(row, event);
		});
		line.addEventListener('dblclick', () => this.actions.open && this.actions.open(row));
		line.addEventListener('pointerenter', () => this.actions.select && this.actions.select(row));
		return line;
	}

	markLevel(line, row) {
		const expanded = this.actions.expanded(row);
		line.setAttribute('aria-level', String(this.actions.level(row)));
		if (expanded !== null)
			line.setAttribute('aria-expanded', String(expanded));
	}

	select(i) {
		if (this.rows.length === 0)
			return;
		this.at = Math.max(0, Math.min(this.rows.length - 1, i));
		const top = this.at * this.rowHeight;
		const { pane } = this;
		if (top < pane.scrollTop)
			pane.scrollTop = top;
		else if (top + 2 * this.rowHeight > pane.scrollTop + pane.clientHeight)
			pane.scrollTop = top + 2 * this.rowHeight - pane.clientHeight;
		this.draw();
		if (this.actions.select)
			this.actions.select(this.rows[this.at]);
	}

	/* The next row, the previous one for -1, the first for 0: see placeAfter(). */
	step(step) {
		const place = placeAfter(this.at, step, this.rows.length);
		if (place !== null)
			this.select(place.at);
		return place;
	}

	key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		const page = Math.max(1, Math.floor(this.pane.clientHeight / this.rowHeight) - 2);
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
		if (event.key in steps)
			this.select(this.at < 0 ? 0 : this.at + steps[event.key]);
		else if (event.key === 'Home')
			this.select(0);
		else if (event.key === 'End')
			this.select(this.rows.length - 1);
		else if (event.key === 'Enter' && event.target === this.pane && this.at >= 0 && this.actions.open)
			this.actions.open(this.rows[this.at]);
		else if (!(this.actions.key && this.at >= 0 && this.actions.key(event, this.rows[this.at])))
			return;
		event.preventDefault();
	}

	/* All rows, in their order; text of the profile can't become a formula. */
	csv() {
		const columns = this.columns.filter(column => column.csv !== null);
		const quote = value => {
			if (typeof value === 'number')
				return String(value);
			const text = /^[=+\-@\t\r]/.test(value) ? "'" + value : value;
			return '"' + text.replaceAll('"', '""') + '"';
		};
		const lines = [columns.map(column => quote(column.csvTitle || column.title))];
		for (const row of this.rows)
			lines.push(columns.map(column => quote((column.csv || column.key)(row))));
		return lines.map(line => line.join(',') + '\n').join('');
	}
}

function nameOfColumn(column) {
	return column.hint || column.title;
}

/* The place after at, -1 for none yet, in a ring of count; the first one for a step of 0. Null if
 * there is none. */
function placeAfter(at, step, count) {
	if (count === 0)
		return null;
	if (step === 0)
		return { at: 0, count };
	return { at: at < 0 ? step > 0 ? 0 : count - 1 : (at + step + count) % count, count };
}

async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch (_) {
		const area = element('textarea', { class: 'unseen' });
		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand('copy');
		area.remove();
	}
}
