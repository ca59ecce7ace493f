/*
 * layout.js: where the frames of a tree are: in rows from the root on, as wide as their cost.
 * Children too narrow to be seen are one grey frame with their sum.
 */

const NARROWEST = 0.5; /* px */
const REST = -1;

/* The last place from low to high whose value, of rising ones, is not above the limit; low if there
 * is none. */
function lastUpTo(values, low, high, limit) {
	while (low < high) {
		const middle = low + high + 1 >> 1;
		if (values[middle] <= limit)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Frames in rows: those of row r are first[r] to first[r + 1] - 1, from left to right. */
class Boxes {
	constructor() {
		this.count = 0;
		this.x = new Float64Array(1024);
		this.width = new Float64Array(1024);
		this.node = new Int32Array(1024);
		this.rest = new Float64Array(1024); /* of a grey frame: its sum */
		this.merged = new Uint32Array(1024); /* and of how many frames */
		this.parent = new Int32Array(1024);  /* the box above */
		this.first = [0];
	}

	add(x, width, node, parent) {
		if (this.count === this.x.length) {
			for (const name of ['x', 'width', 'node', 'rest', 'merged', 'parent'])
				this[name] = longer(this[name]);
		}
		this.x[this.count] = x;
		this.width[this.count] = width;
		this.node[this.count] = node;
		this.parent[this.count] = parent;
		return this.count++;
	}

	get rows() { return this.first.length - 1; }

	rowOf(box) {
		return lastUpTo(this.first, 0, this.rows - 1, box);
	}

	/* The box at x in a row; -1 if none. */
	at(row, x) {
		if (row < 0 || row >= this.rows)
			return -1;
		const end = this.first[row + 1];
		const box = lastUpTo(this.x, this.first[row], end - 1, x);
		return box < end && x >= this.x[box] && x < this.x[box] + Math.max(this.width[box], 1) ? box : -1;
	}
}

/* The ancestors of zoomed, each as wide as the pane, and what is below it. */
function layOut(tree, zoomed, width, rowsMax) {
	const boxes = new Boxes();
	const path = [];
	for (let node = zoomed; node >= 0; node = node === tree.root ? -1 : tree.parent[node])
		path.push(node);
	for (let i = path.length - 1; i >= 0; i--) {
		boxes.add(0, width, path[i], boxes.count - 1);
		boxes.first.push(boxes.count);
	}
	const scale = tree.total[zoomed] > 0 ? width / tree.total[zoomed] : 0;
	boxes.zoomRow = path.length - 1;
	while (boxes.rows < rowsMax && scale > 0) {
		const before = boxes.count;
		for (let box = boxes.first[boxes.rows - 1]; box < before; box++) {
			if (boxes.node[box] !== REST)
				layOutChildren(tree, boxes, box, scale);
		}
		if (boxes.count === before)
			return boxes;
		boxes.first.push(boxes.count);
	}
	boxes.more = boxes.rows >= rowsMax;
	return boxes;
}

function layOutChildren(tree, boxes, box, scale) {
	let x = boxes.x[box];
	let rest = 0;
	let merged = 0;
	for (let child = tree.first(boxes.node[box]); child >= 0; child = tree.next(child)) {
		const total = tree.total[child];
		if (total * scale >= NARROWEST) {
			boxes.add(x, total * scale, child, box);
			x += total * scale;
		} else if (total > 0) {
			rest += total;
			merged++;
		}
	}
	if (rest * scale >= NARROWEST) {
		const grey = boxes.add(x, rest * scale, REST, box);
		boxes.rest[grey] = rest;
		boxes.merged[grey] = merged;
	}
}
