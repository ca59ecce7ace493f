/*
 * data.js: unpacks the profile. page_columns.c writes what this reads, in the same order.
 * Everything with an entry for each frame or sample is a typed array.
 */
'use strict';

const KIND = { APPLICATION: 0, LIBRARY: 1, JDK: 2, NATIVE: 3, NONE: 4, ROOT: 5, THREAD: 6 };
const CLASS_FLAG = 8;
const SET_NAMES = ['samples', 'times', 'off-cpu', 'sites', 'monitors', 'usr', 'lck', 'slp', 'i/o', 'lat', 'stw'];
const SET_VALUES = [1, 2, 2, 4, 2, 1, 1, 1, 1, 1, 1];

async function unpackData(text) {
	const packed = decodeBase64(text.trim());
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
	return readProfile(new ByteReader(new Uint8Array(await new Response(stream).arrayBuffer())));
}

function decodeBase64(text) {
	if (typeof Uint8Array.fromBase64 === 'function')
		return Uint8Array.fromBase64(text);
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);
	for (let i = 0; i < bytes.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

/* Numbers have 7 bits a byte, the lowest first; all bytes but the last have the top bit. */
class ByteReader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	number() {
		let value = 0;
		for (let scale = 1; ; scale *= 128) {
			const byte = this.bytes[this.at++];
			value += (byte & 127) * scale;
			if (!(byte & 128))
				return value;
		}
	}

	/* Numbers below 2^32. */
	integers(count) {
		const out = new Uint32Array(count);
		const bytes = this.bytes;
		let at = this.at;
		for (let i = 0; i < count; i++) {
			let byte = bytes[at++];
			let value = byte & 127;
			for (let shift = 7; byte & 128; shift += 7) {
				byte = bytes[at++];
				value |= (byte & 127) << shift;
			}
			out[i] = value;
		}
		this.at = at;
		return out;
	}

	numbers(count) {
		const out = new Float64Array(count);
		for (let i = 0; i < count; i++)
			out[i] = this.number();
		return out;
	}

	take(count) {
		this.at += count;
		return this.bytes.subarray(this.at - count, this.at);
	}
}

function readProfile(reader) {
	if (reader.number() !== 2)
		throw new Error('the data has another version than the script');
	const compares = reader.number() === 1;
	const profile = readTree(reader);
	profile.compares = compares;
	profile.methodCount = reader.number();
	const flags = reader.take(profile.methodCount);
	profile.sets = readSets(reader, compares);
	profile.times = readTimes(reader, profile.sets);
	const strings = { used: [] };
	const at = index => () => strings.all[index];
	const optional = index => index === 0 ? () => '' : at(index - 1);
	const facts = readFacts(reader, compares, at, optional);
	const threads = readThreads(reader, optional);
	const states = readStates(reader, at, optional);
	const lists = readLists(reader, at);
	strings.all = readStrings(reader);
	profile.facts = facts();
	threads(profile);
	profile.states = states();
	profile.lists = lists();
	for (const set of profile.sets)
		set.title = strings.all[set.title];
	nameMethods(profile, flags, strings.all);
	return profile;
}

/* Node 0 is the root; the descendants of node i are those from i + 1 to end[i] - 1. */
function readTree(reader) {
	const count = reader.number();
	const method = new Uint32Array(count);
	method.set(reader.integers(count - 1), 1);
	const ups = reader.integers(count - 1);
	const parent = new Uint32Array(count);
	const depth = new Uint32Array(count);
	const end = new Uint32Array(count);
	let path = new Uint32Array(1024);
	let level = 0;
	for (let i = 1; i < count; i++) {
		const here = level + 1 - ups[i - 1];
		for (let k = here; k <= level; k++)
			end[path[k]] = i;
		if (here >= path.length)
			path = longer(path);
		path[here] = i;
		parent[i] = path[here - 1];
		depth[i] = level = here;
	}
	for (let k = 0; k <= level; k++)
		end[path[k]] = count;
	return { tree: { count, method, parent, depth, end } };
}

/* values has those of an entry, one array each; of two profiles those of the new one, and before
 * has those of the old one. */
function readSets(reader, compares) {
	const sets = [];
	for (let left = reader.number(); left > 0; left--) {
		const kind = reader.number();
		const set = { kind, name: SET_NAMES[kind], exact: reader.number() === 1 };
		set.total = reader.number();
		set.title = reader.number();
		set.count = reader.number();
		set.node = reader.integers(set.count);
		for (let i = 1; i < set.count; i++)
			set.node[i] += set.node[i - 1];
		set.thread = reader.integers(set.count);
		set.line = reader.integers(set.count);
		const values = () => Array.from({ length: SET_VALUES[kind] }, () => reader.numbers(set.count));
		set.values = values();
		set.before = compares ? values() : null;
		sets.push(set);
	}
	return sets;
}

/* The moments of entry i of the samples are those from first[i] to first[i + 1] - 1. */
function readTimes(reader, sets) {
	const bucketMs = reader.number();
	if (bucketMs === 0)
		return null;
	const start = reader.number();
	const buckets = reader.number();
	const entries = sets[0].count;
	const counts = reader.integers(entries);
	const first = new Uint32Array(entries + 1);
	for (let i = 0; i < entries; i++)
		first[i + 1] = first[i] + counts[i];
	const bucket = reader.integers(first[entries]);
	for (let i = 0; i < entries; i++) {
		for (let m = first[i] + 1; m < first[i + 1]; m++)
			bucket[m] += bucket[m - 1];
	}
	return { bucketMs, start, buckets, first, bucket, samples: reader.numbers(first[entries]) };
}

function readFacts(reader, compares, at, optional) {
	const byThread = reader.number() === 1;
	const counts = reader.number() === 1;
	const source = () => {
		const parts = { name: at(reader.number()) };
		for (const part of ['program', 'jvm', 'options', 'created'])
			parts[part] = optional(reader.number());
		return () => Object.fromEntries(Object.entries(parts).map(([part, text]) => [part, text()]));
	};
	const before = compares ? source() : () => null;
	const isScaled = compares && reader.number() === 1;
	const now = source();
	const durationMs = reader.number();
	const intervalMs = reader.number();
	const cutDepth = reader.number(); // 0: no stack is cut
	const notes = Array.from(reader.integers(reader.number()), at);
	return () => ({
		...now(), before: before(), byThread, counts, isScaled, durationMs, intervalMs, cutDepth,
		notes: notes.map(note => note()),
	});
}

function readThreads(reader, optional) {
	const used = reader.number();
	const count = reader.number();
	const serials = reader.integers(count);
	const names = Array.from(reader.integers(count), optional);
	return profile => {
		profile.threads = names.map((name, i) => ({ serial: serials[i], name: name() || 'thread ' + serials[i] }));
		profile.usedThreads = used;
		/* By index, 0 for none: the first thread with the same name. */
		const first = new Map();
		profile.sameName = [0];
		profile.threads.forEach((thread, i) => {
			if (!first.has(thread.name))
				first.set(thread.name, i + 1);
			profile.sameName.push(first.get(thread.name));
		});
	};
}

function readStates(reader, at, optional) {
	const count = reader.number();
	const names = Array.from(reader.integers(reader.number()), at);
	const known = () => reader.number() - 1;
	const rows = [];
	for (let i = 0; i < count; i++) {
		rows.push({
			thread: reader.number(), name: optional(reader.number()), life: known(),
			times: names.map(known), voluntary: known(), involuntary: known(),
		});
	}
	return () => {
		for (const row of rows)
			row.name = row.name();
		return { names: names.map(name => name()), rows };
	};
}

function readLists(reader, at) {
	const lists = [];
	for (let left = reader.number(); left > 0; left--) {
		const list = { title: at(reader.number()), classes: reader.number() === 1, rows: [] };
		for (let rows = reader.number(); rows > 0; rows--) {
			const name = at(reader.number());
			if (list.classes)
				list.rows.push({ name, objects: reader.number(), bytes: reader.number() });
			else
				list.rows.push({ name, node: reader.number() });
		}
		lists.push(list);
	}
	return () => {
		for (const list of lists) {
			list.title = list.title();
			for (const row of list.rows)
				row.name = row.name();
		}
		return lists;
	};
}

function readStrings(reader) {
	const count = reader.number();
	const text = new TextDecoder().decode(reader.take(reader.number()));
	return text.split('\0').slice(0, count);
}

/* Methods: those of the profile, then the root, then one for each thread. */
function nameMethods(profile, flags, strings) {
	const count = profile.methodCount;
	const all = count + 1 + profile.threads.length;
	profile.rootMethod = count;
	profile.kinds = new Uint8Array(all).fill(KIND.THREAD);
	profile.isClass = new Uint8Array(all);
	for (let i = 0; i < count; i++) {
		profile.kinds[i] = flags[i] & ~CLASS_FLAG;
		profile.isClass[i] = flags[i] & CLASS_FLAG ? 1 : 0;
	}
	profile.kinds[count] = KIND.ROOT;
	profile.names = strings.slice(0, count);
	profile.names.push('all');
	for (const thread of profile.threads)
		profile.names.push(thread.name);
	profile.tree.method[0] = count;
}
