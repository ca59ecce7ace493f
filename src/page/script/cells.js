/*
 * cells.js: cells and columns that several tables have: names, shares, costs and changes.
 */

/* The name of a method with its kind, its package in lighter ink where there is room for it, and
 * what the search found. */
function fillName(app, cell, method) {
	const { names, profile } = app.model;
	const mark = element('i');
	cell.classList.add('name');
	mark.style.background = app.colours.kinds[profile.kinds[method]];
	mark.title = KIND_NAMES[profile.kinds[method]];
	const found = app.model.matches();
	const short = names.short(method);
	if (!app.model.compares)
		cell.append(mark);
	cell.append(element('span', { class: 'text' }, element('span', { class: 'package' }, names.package(method)),
		element(found !== null && found[method] ? 'mark' : 'span', {}, short)));
	cell.title = names.full(method);
}

function fillShare(cell, part, total, text) {
	cell.classList.add('share');
	cell.style.setProperty('--part', total > 0 ? (part / total).toFixed(4) : 0);
	cell.textContent = text;
}

/* px, for a figure, or the title when rows are sorted by it. */
function figureWidth(title) {
	return Math.max(100, title.length * 7 + 42);
}

/* A column of a cost, which leaves where room is short, and one of its share of a total. */
function costColumns(metric, title, cost, total, spare) {
	return [
		{
			title, width: figureWidth(title), spare, className: 'number', key: cost, text: row => formatCell(metric, cost(row)),
			csvTitle: title + ' (' + metric.unit + ')',
		},
		{
			title: '%', alone: title.replace(/ bytes$/, '') + ' %', hint: title + ', share', width: metric.unit === 'samples' ? 118 : 84,
			className: 'number', csv: null, key: cost,
			fill: (cell, row) => fillShare(cell, cost(row), total(), formatShare(metric, cost(row), total())),
		},
	];
}

/* Columns of the old and the new cost and of the change, by the pair of a row. Where room is short,
 * those that are not the main ones leave first. */
function changeColumns(model, metric, title, pair, isMain) {
	const change = row => pair(row)[1] - pair(row)[0];
	const unit = ' (' + metric.unit + ')';
	const lower = title.toLowerCase();
	const [sides, growth, changed] = isMain ? [3, 0, 0] : [5, 4, 2];
	return [
		...[['old', 0], ['new', 1]].map(([side, at]) => ({
			title: title + ', ' + side, width: figureWidth(title + ', ' + side), spare: sides, className: 'number', key: row => pair(row)[at],
			text: row => formatCell(metric, pair(row)[at]), csvTitle: title + ', ' + side + unit,
		})),
		{
			title: 'Change', alone: title + ' change', hint: 'Sort by the size of the change of ' + lower, width: 104, spare: changed, className: 'number',
			key: row => Math.abs(change(row)), csv: change, csvTitle: title + ', change' + unit,
			fill: (cell, row) => fillChange(cell, model.change(pair(row), metric), formatChange(metric, pair(row))),
		},
		{
			title: '%', hint: 'Change of ' + lower + ' in per cent of the old cost', width: 80, spare: growth, className: 'number', csv: null,
			key: row => pair(row)[0] > 0 ? change(row) / pair(row)[0] : pair(row)[1] > 0 ? Infinity : 0,
			fill: (cell, row) => fillChange(cell, model.change(pair(row), metric), formatGrowth(pair(row))),
		},
	];
}

/* What differs by chance alone has no colour. */
function fillChange(cell, change, text) {
	if (change !== 0)
		cell.classList.add(change > 0 ? 'more-cost' : 'less-cost');
	cell.textContent = text;
}
