/*
 * help.js: the dialog of keys, how to read the page, and what the profile says of itself.
 */

function showHelp(profile) {
	const { facts, sets } = profile;
	const dialog = byId('help-dialog');
	const list = pairs => element('dl', {}, ...pairs.flatMap(([term, text]) => [element('dt', {}, term), element('dd', {}, text)]));
	const keys = [
		['Click, Enter', 'zoom in to a frame; its callers stay above it'],
		['Backspace', 'back'],
		['Arrows', 'to callers, callees and neighbours; in a tree: open and close'],
		['/', 'search: text or a regular expression; the share of cost below matches is shown'],
		['N, Shift and N', 'the next match, the previous one; in the flame graph the widest comes first'],
		['I, F, T', 'inverted; flame graph; by thread'],
		['Shift and click, C', 'all calls of the method, wherever it is called'],
		['1 to ' + tabs.shown().length, 'tabs'],
		['Escape', 'clears the search, the zoom, the range, the thread'],
	];
	if (facts.before !== null)
		keys.splice(6, 0, ['O, S', 'widths of the old profile, which also has what is gone; old costs scaled so that both totals are equal']);
	const known = [['Program', facts.program], ['JVM', facts.jvm], ['Options', facts.options], ['Created', facts.created],
		['Length', facts.durationMs > 0 ? formatSeconds(facts.durationMs / 1000) : ''], ['Stacks', cutText(facts)], ['File', facts.name]];
	const old = facts.before === null ? [] : [['Old program', facts.before.program], ['Old JVM', facts.before.jvm],
		['Old options', facts.before.options], ['Old created', facts.before.created], ['Old file', facts.before.name]];
	const colours = facts.before === null ? 'Colour is the kind of code.'
		: 'Frames are as wide as in the new profile. Colour is the change from the old one: red for more, blue for less, the stronger the larger the change is beside the cost. Samples that can differ so much by chance, with 95% confidence, count as unchanged.';
	const close = element('form', { method: 'dialog' }, element('button', {}, 'Close'));
	dialog.replaceChildren(close,
		element('h2', {}, 'Keys'), list(keys),
		element('h2', {}, 'How to read it'),
		element('p', {}, 'A frame is as wide as its cost and all below it. Children stand below their caller, the widest first. ' + colours + ' A grey frame is the sum of frames too narrow to be seen. Shares have a 95% interval where the costs are sampled.'),
		element('h2', {}, 'Profile'), list(known.concat(old).filter(([, text]) => text !== '').concat(sets.map(set => ['Section', set.title]))),
		...facts.notes.filter(note => !/^NOTE: (program|JVM|options|profiled for)\b/.test(note))
			.map(note => element('p', {}, note.replace(/^NOTE: /, ''))));
	dialog.showModal();
}
