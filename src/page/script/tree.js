/*
 * tree.js: the trees that are shown. A view is a tree in preorder, of the profile or made from
 * it; costs are laid on it for a thread, a range of time, a metric. A grouped tree is made
 * from a view as it is opened: callers of the hot methods, or what all calls of one method do.
 * Both have method, parent, depth, total and self of a node, and first child and next sibling.
 * Of two profiles that are compared, total and self, which widths follow, are those of one, and
 * otherTotal and otherSelf those of the other; null if there is one profile.
 */

/* ---- views ---------------------------------------------------------------------------- */

class View {
	constructor(tree, entryNode) {
		Object.assign(this, tree); /* count, method, parent, depth, end */
		this.entryNode = entryNode; /* by entry of the set */
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
	return new View(profile.tree, set.node);
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

	/* Finds children of a tree that is made. */
	static of(view) {
		const maker = new TreeMaker(view.method[0]);
		Object.assign(maker, { count: view.count, method: view.method, parent: view.parent });
		maker.fillSlots(view.count * 2);
		return maker;
	}

	/* All nodes in at least so many slots, a power of two. */
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

/* The tree with its nodes numbered in preorder. */
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
	return new View(tree, place.map(node => number[node]));
}

/* ---- grouped trees ----------------------------------------------------------------------- */

/*
 * The children of a node are made when first asked for, so that only what is looked at costs
 * time. A node stands for a list of nodes of the view, with a weight for each, and if two
 * profiles are compared, with one of the other profile.
 */
class GroupedTree {
	constructor(view, callers) {
		this.view = view;
		this.callers = callers;
		this.count = 0;
		this.method = new Uint32Array(256);
		this.parent = new Int32Array(256);
		this.depth = new Uint32Array(256);
		this.total = new Float64Array(256);
		this.self = new Float64Array(256);
		this.firsts = new Int32Array(256); /* -2: not made yet */
		this.nexts = new Int32Array(256);
		this.columns = ['method', 'parent', 'depth', 'total', 'self', 'firsts', 'nexts'];
		this.compares = view.otherTotal !== null;
		this.otherTotal = null;
		this.otherSelf = null;
		if (this.compares) {
			this.otherTotal = new Float64Array(256);
			this.otherSelf = new Float64Array(256);
			this.columns.push('otherTotal', 'otherSelf');
		}
		this.lists = [];
	}

	get root() { return 0; }
	get lazy() { return true; }

	/* Callers of all methods with a cost of their own: the children of the root are methods. */
	static callersOf(view, rootMethod) {
		const tree = new GroupedTree(view, true);
		const nodes = [];
		for (let i = 1; i < view.count; i++) {
			if (view.self[i] > 0 || tree.compares && view.otherSelf[i] > 0)
				nodes.push(i);
		}
		tree.add(-1, rootMethod, emptyList());
		for (const name of tree.compares ? ['total', 'self', 'otherTotal', 'otherSelf'] : ['total', 'self'])
			tree[name][0] = view[name][0];
		tree.link(0, tree.group(0, tree.listOf(nodes, view.self, view.otherSelf)));
		return tree;
	}

	/* All calls of one method as the root: what they call, or who calls them. */
	static of(view, method, callers) {
		const tree = new GroupedTree(view, callers);
		const nodes = topmost(view, i => view.method[i] === method);
		tree.add(-1, method, tree.listOf(nodes, view.total, view.otherTotal));
		return tree;
	}

	listOf(nodes, weights, others) {
		return {
			nodes, weights: nodes.map(node => weights[node]),
			others: this.compares ? nodes.map(node => others[node]) : [],
		};
	}

	add(parent, method, list) {
		if (this.count === this.method.length) {
			for (const name of this.columns)
				this[name] = longer(this[name]);
		}
		const node = this.count++;
		this.method[node] = method;
		this.parent[node] = parent;
		this.depth[node] = parent < 0 ? 0 : this.depth[parent] + 1;
		this.firsts[node] = -2;
		this.nexts[node] = -1;
		this.lists[node] = list;
		for (let i = 0; i < list.nodes.length; i++) {
			this.total[node] += list.weights[i];
			this.self[node] += this.callers ? 0 : this.view.self[list.nodes[i]];
			if (this.compares) {
				this.otherTotal[node] += list.others[i];
				this.otherSelf[node] += this.callers ? 0 : this.view.otherSelf[list.nodes[i]];
			}
		}
		return node;
	}

	/* New children of parent for nodes of the view, one for each method. */
	group(parent, all) {
		const view = this.view;
		const byMethod = new Map();
		for (let i = 0; i < all.nodes.length; i++) {
			const method = view.method[all.nodes[i]];
			let list = byMethod.get(method);
			if (list === undefined)
				byMethod.set(method, list = emptyList());
			append(list, all.nodes[i], all.weights[i], all.others[i]);
		}
		return Array.from(byMethod, ([method, list]) => this.add(parent, method, list));
	}

	link(parent, children) {
		children.sort((a, b) => this.total[b] - this.total[a] || a - b);
		this.firsts[parent] = children.length > 0 ? children[0] : -1;
		for (let i = 1; i < children.length; i++)
			this.nexts[children[i - 1]] = children[i];
	}

	open(node) {
		const view = this.view;
		const list = this.lists[node];
		const below = emptyList();
		for (let i = 0; i < list.nodes.length; i++) {
			const at = list.nodes[i];
			if (this.callers) {
				if (view.parent[at] !== 0)
					append(below, view.parent[at], list.weights[i], list.others[i]);
				continue;
			}
			for (let child = view.first(at); child >= 0; child = view.next(child)) {
				if (view.has(child))
					append(below, child, view.total[child], this.compares ? view.otherTotal[child] : 0);
			}
		}
		this.link(node, this.group(node, below));
	}

	has(node) {
		return this.total[node] > 0 || this.compares && this.otherTotal[node] > 0;
	}

	first(node) {
		if (this.firsts[node] === -2)
			this.open(node);
		return this.firsts[node];
	}

	next(node) {
		return this.nexts[node];
	}
}

function emptyList() {
	return { nodes: [], weights: [], others: [] };
}

function append(list, node, weight, other) {
	list.nodes.push(node);
	list.weights.push(weight);
	list.others.push(other);
}

/* Nodes that match and have no matching ancestor. */
function topmost(view, matches) {
	const nodes = [];
	for (let i = 1; i < view.count; i++) {
		if (view.has(i) && matches(i)) {
			nodes.push(i);
			i = view.end[i] - 1;
		}
	}
	return nodes;
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
