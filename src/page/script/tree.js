/*
 * tree.js: the trees that are shown. A view is a tree in preorder, of the profile or made from
 * it; costs are laid on it for a thread, a range of time, a metric. A grouped tree (grouped.js) is
 * made from a view. Both have method, parent, depth, total and self of a node, and first child and
 * next sibling.
 * Of two profiles that are compared, total and self, which widths follow, are those of one, and
 * otherTotal and otherSelf those of the other; null if there is one profile.
 */

/* ---- views ---------------------------------------------------------------------------- */

class View {
	constructor(tree, entryNode, numbers) {
		Object.assign(this, tree); /* count, method, parent, depth, end */
		this.entryNode = entryNode; /* by entry of the set */
		this.numbers = numbers;     /* of the nodes of what it was made from; null: the same */
		this.self = null;
		this.total = null;
		this.otherSelf = null;
		this.otherTotal = null;
	}

	/* Costs by entry; those of 0 are no cost. others: those of the other profile, or null. */
	setCosts(costs, others) {
		[this.self, this.total] = this.sums(costs);
		if (others !== null)
			[this.otherSelf, this.otherTotal] = this.sums(others);
	}

	/* Whether anything has a cost at or below a node. */
	has(node) {
		return this.total[node] > 0 || this.otherTotal !== null && this.otherTotal[node] > 0;
	}

	sums(costs) {
		const self = new Float64Array(this.count);
		const entryNode = this.entryNode;
		for (let e = 0; e < costs.length; e++)
			self[entryNode[e]] += costs[e];
		const total = self.slice();
		const parent = this.parent;
		for (let i = this.count - 1; i > 0; i--)
			total[parent[i]] += total[i];
		return [self, total];
	}

	get root() { return 0; }
	get lazy() { return false; }

	first(node) {
		return node + 1 < this.end[node] ? node + 1 : -1;
	}

	next(node) {
		return node > 0 && this.end[node] < this.end[this.parent[node]] ? this.end[node] : -1;
	}
}

/* The view of a set without a change: the profile's own tree. */
function plainView(profile, set) {
	return new View(profile.tree, set.node, null);
}

/* The profile's own tree with the costliest children by values first; the rest of it as it was. */
function sortedView(profile, set, values) {
	return inPreorder(profile.tree, set.node, values);
}

/* A growing tree, whose children are found by method. */
class TreeMaker {
	constructor(rootMethod) {
		this.count = 1;
		this.method = new Uint32Array(1024);
		this.parent = new Uint32Array(1024);
		this.method[0] = rootMethod;
		this.slots = new Uint32Array(4096);
	}

	/* To find children in a view. */
	static of(view) {
		const maker = new TreeMaker(view.method[0]);
		Object.assign(maker, { count: view.count, method: view.method, parent: view.parent });
		maker.fillSlots(view.count * 2);
		return maker;
	}

	/* Puts all nodes into slots, at least that number of them, a power of two. */
	fillSlots(least) {
		this.slots = new Uint32Array(2 ** Math.max(12, Math.ceil(Math.log2(least))));
		for (let i = 1; i < this.count; i++)
			this.slots[this.slotOf(this.parent[i], this.method[i])] = i;
	}

	/* 0: there is none. */
	find(parent, method) {
		return this.slots[this.slotOf(parent, method)];
	}

	add(parent, method) {
		if (this.count === this.method.length) {
			this.method = longer(this.method);
			this.parent = longer(this.parent);
		}
		this.method[this.count] = method;
		this.parent[this.count] = parent;
		return this.count++;
	}

	slotOf(parent, method) {
		const mask = this.slots.length - 1;
		let at = (Math.imul(parent, 0x9e3779b1) ^ Math.imul(method, 0x85ebca6b)) >>> 0;
		for (at = (at ^ at >>> 15) & mask; ; at = at + 1 & mask) {
			const node = this.slots[at];
			if (node === 0 || this.parent[node] === parent && this.method[node] === method)
				return at;
		}
	}

	/* The child with that method, added if needed. */
	child(parent, method) {
		const at = this.slotOf(parent, method);
		if (this.slots[at] !== 0)
			return this.slots[at];
		const node = this.add(parent, method);
		this.slots[at] = node;
		if (this.count * 2 > this.slots.length)
			this.fillSlots(this.slots.length * 4);
		return node;
	}
}

function longer(array) {
	const grown = new array.constructor(array.length * 2);
	grown.set(array);
	return grown;
}

/*
 * A view in which frames of the hidden kinds are folded into their callers, threads have a frame
 * by their name if byThread, and the costliest children by values come first.
 */
function changedView(profile, set, values, hidden, byThread) {
	const tree = profile.tree;
	const maker = new TreeMaker(profile.rootMethod);
	const place = new Uint32Array(set.count);
	const isHidden = profile.kinds.map(kind => kind <= KIND.NONE && hidden >> kind & 1);
	const stamp = new Uint32Array(tree.count);
	const made = new Uint32Array(tree.count);
	const order = Uint32Array.from(set.node, (_, i) => i);
	const path = [];
	const group = byThread ? set.thread.map(thread => profile.sameName[thread]) : null;
	if (byThread)
		order.sort((a, b) => group[a] - group[b] || a - b);
	for (const e of order) {
		const thread = byThread ? group[e] : 0;
		let node = set.node[e];
		for (; node !== 0 && stamp[node] !== thread + 1; node = tree.parent[node])
			path.push(node);
		let at = node !== 0 ? made[node]
			: thread === 0 ? 0 : maker.child(0, profile.rootMethod + thread);
		while (path.length > 0) {
			node = path.pop();
			if (!isHidden[tree.method[node]])
				at = maker.child(at, tree.method[node]);
			stamp[node] = thread + 1;
			made[node] = at;
		}
		place[e] = at;
	}
	return inPreorder(maker, place, values);
}

/* The node of a changed view, not by thread, for each of these nodes of the profile's tree: that of
 * the same stack, without hidden kinds; -1 if it has none. */
function placesInView(view, profile, nodes, hidden) {
	const { tree, kinds } = profile;
	const known = TreeMaker.of(view);
	const isHidden = method => kinds[method] <= KIND.NONE && hidden >> kinds[method] & 1;
	const placed = new Int32Array(tree.count).fill(-2); /* not known yet */
	const path = [];
	placed[0] = 0;
	return Int32Array.from(nodes, node => {
		for (; placed[node] === -2; node = tree.parent[node])
			path.push(node);
		let place = placed[node];
		while (path.length > 0) {
			node = path.pop();
			if (place >= 0 && !isHidden(tree.method[node]))
				place = known.find(place, tree.method[node]) || -1;
			placed[node] = place;
		}
		return place;
	});
}

/* The tree with its nodes numbered in preorder; numbers has those of its nodes. */
function inPreorder(maker, place, values) {
	const count = maker.count;
	const total = new Float64Array(count);
	for (let e = 0; e < place.length; e++)
		total[place[e]] += values[e];
	for (let i = count - 1; i > 0; i--)
		total[maker.parent[i]] += total[i];
	const start = new Uint32Array(count + 2);
	for (let i = 1; i < count; i++)
		start[maker.parent[i] + 2]++;
	for (let i = 2; i <= count + 1; i++)
		start[i] += start[i - 1];
	const children = new Uint32Array(count);
	for (let i = 1; i < count; i++)
		children[start[maker.parent[i] + 1]++] = i;
	const tree = {
		count, method: new Uint32Array(count), parent: new Uint32Array(count),
		depth: new Uint32Array(count), end: new Uint32Array(count),
	};
	const number = new Uint32Array(count);
	const stack = [0];
	let next = 0;
	while (stack.length > 0) {
		const node = stack.pop();
		const here = next++;
		number[node] = here;
		tree.method[here] = maker.method[node];
		if (node !== 0) {
			tree.parent[here] = number[maker.parent[node]];
			tree.depth[here] = tree.depth[tree.parent[here]] + 1;
		}
		const mine = children.subarray(start[node], start[node + 1]);
		mine.sort((a, b) => total[a] - total[b] || b - a);
		for (const child of mine)
			stack.push(child);
	}
	for (let i = count - 1; i >= 0; i--) {
		tree.end[i] = Math.max(tree.end[i], i + 1);
		if (i > 0)
			tree.end[tree.parent[i]] = Math.max(tree.end[tree.parent[i]], tree.end[i]);
	}
	return new View(tree, place.map(node => number[node]), number);
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* Self and total by method; in recursion a method's total counts once. A class on top of a
 * stack, which was allocated or waited for, counts for the method below it. */
function methodCosts(profile, view) {
	const [self, total] = costsByMethod(profile, view, view.self, view.total);
	if (view.otherTotal === null)
		return { self, total };
	const [otherSelf, otherTotal] = costsByMethod(profile, view, view.otherSelf, view.otherTotal);
	return { self, total, otherSelf, otherTotal };
}

function costsByMethod(profile, view, selfs, totals) {
	const self = new Float64Array(profile.names.length);
	const total = new Float64Array(profile.names.length);
	const until = new Uint32Array(profile.names.length); /* end of the active outermost call */
	for (let i = 1; i < view.count; i++) {
		const method = view.method[i];
		if (selfs[i] > 0) {
			const below = view.method[view.parent[i]];
			self[profile.isClass[method] && below !== profile.rootMethod ? below : method] += selfs[i];
		}
		if (i >= until[method]) {
			until[method] = view.end[i];
			total[method] += totals[i];
		}
	}
	return [self, total];
}
