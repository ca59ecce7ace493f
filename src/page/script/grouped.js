/*
 * grouped.js: trees that are made from a view as they are opened: callers of the hot methods, or
 * what all calls of one method do.
 */

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
