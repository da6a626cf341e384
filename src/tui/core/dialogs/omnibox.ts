// The palette, a field that finds anything: hits of the features, in groups, and actions.
import {createEditor} from '../../../text/editor/editor.ts';
import type {Find, Hit} from '../feature.ts';
import {allFeatures} from '../features.ts';
import type {Screen, State} from '../program.ts';
import {lastResult} from '../store/last-result.ts';
import {route} from '../store/route.ts';
import {paint} from '../theme/theme.ts';
import {actionHits, commandPrefix} from './action-hits.ts';
import {chooser, LEAST_WIDTH, type Choice} from './chooser.tsx';
import type {KeyContext} from '../feature.ts';

/** Rows per group while several are shown. */
const PER_GROUP = 4;
/** Rows of actions if no other group has hits. */
const ACTIONS_ALONE = 12;
/** Fewest typed characters with which the features search. */
const LEAST = 2;

const finds = lastResult((features: ReturnType<typeof allFeatures>): readonly Find[] =>
	features.flatMap(each => each.finds ?? []).toSorted((a, b) => a.order - b.order),
);

/** Prefix of a group, if the typed text starts with one, and the words after it. */
const narrowed = (typed: string): {readonly prefix: string; readonly words: string} => {
	const prefix = typed.slice(0, 1);
	const isPrefix =
		prefix === '>' || prefix === ':' || finds(allFeatures()).some(each => each.prefix === prefix);
	return isPrefix ? {prefix, words: typed.slice(1).trim()} : {prefix: '', words: typed.trim()};
};

/**
 * Rank: 0 if the name equals the words, 1 if it starts with them, 2 if it contains them, else 3.
 */
const rankOf = (name: string, words: string): number => {
	const text = name.toLowerCase();
	const wanted = words.toLowerCase();
	return text === wanted ? 0 : text.startsWith(wanted) ? 1 : text.includes(wanted) ? 2 : 3;
};

type Group = {readonly section: string; readonly hits: readonly Hit[]; readonly most: number};

/** Groups with hits, those with the best match first. */
const ordered = (groups: readonly Group[], words: string): readonly Group[] => {
	const best = ({hits}: Group): number => Math.min(...hits.map(({name}) => rankOf(name, words)));
	return groups
		.filter(({hits}) => hits.length > 0)
		.map(group => ({group, rank: best(group)}))
		.toSorted((a, b) => a.rank - b.rank)
		.map(({group}) => group);
};

const rowsOf = ({section, hits, most}: Group): readonly Choice[] =>
	hits
		.slice(0, most)
		.map(({choice}) => ({
			...choice,
			section: hits.length > most ? `${section}   ${most} of ${hits.length}` : section,
		}));

/** Makes Tab go from each choice to the first choice of the next group. */
const withTab = (get: () => State, typed: string, choices: readonly Choice[]): readonly Choice[] =>
	choices.map((choice, at) => {
		const next = choices.findIndex((each, index) => index > at && each.section !== choice.section);
		const to = next < 0 ? 0 : next;
		return {
			...choice,
			mark() {
				const dialog = get().dialogs.at(-1);
				const target = choices[to];
				if (dialog === undefined || target === undefined) return;
				const {editor} = dialog.choosing ?? {editor: createEditor(typed)};
				const choosing = {editor, at: to, id: target.id ?? target.text};
				route(get).changeDialog({...dialog, choosing});
			},
		};
	});

const legend = (): string =>
	[
		['>', 'actions'],
		...finds(allFeatures()).flatMap(({prefix, name}) => (prefix === '' ? [] : [[prefix, name]])),
		[':', 'command'],
	]
		.map(([key = '', name = '']) => `${paint('accent', key)} ${paint('dim', name)}`)
		.join('   ');

/** Number of hits in other lists for the words of a list's filter. */
export const elsewhereCount = (state: State, list: Screen): number => {
	const words = state.lists[list].filter.text.trim();
	if (words.length < LEAST) return 0;
	return finds(allFeatures())
		.filter(({screen}) => screen !== undefined && screen !== list)
		.reduce((sum, {hits}) => sum + hits(() => state, words).length, 0);
};

const choicesIn = (at: Pick<KeyContext, 'get' | 'act'>, typed: string): readonly Choice[] => {
	const {get} = at;
	const {prefix, words} = narrowed(typed);
	if (typed.trim() === '') return actionHits(at, '').map(({choice}) => choice);
	if (prefix === ':') return [commandPrefix(get, words)];
	if (prefix === '>') return actionHits(at, words).map(({choice}) => choice);
	const only = finds(allFeatures()).filter(each => each.prefix === prefix && prefix !== '');
	if (only.length > 0)
		return only.flatMap(({section, hits}) =>
			rowsOf({section: section(get()), hits: hits(get, words, true), most: Infinity}),
		);
	if (words.length < LEAST) return actionHits(at, words).map(({choice}) => choice);
	const groups = finds(allFeatures()).map(({section, hits}) => ({
		section: section(get()),
		hits: hits(get, words),
		most: PER_GROUP,
	}));
	const isAlone = groups.every(({hits}) => hits.every(({name}) => name === ''));
	const actions = {
		section: 'Actions',
		hits: actionHits(at, words),
		most: isAlone ? ACTIONS_ALONE : PER_GROUP,
	};
	groups.push(actions);
	return withTab(get, typed, ordered(groups, words).flatMap(rowsOf));
};

/** Finds servers, compute options, files, text, conversations and actions by what is typed. */
export const palette = chooser({kind: 'palette'}, (at, {words = ''}) => ({
	title: 'Find anything',
	width: LEAST_WIDTH,
	initial: words,
	enterLabel: 'run',
	markLabel: 'next group',
	keepsSections: true,
	empty: 'Nothing has this name.',
	choicesFor: typed => choicesIn(at, typed),
	onShown(typed) {
		const {prefix, words: wanted} = narrowed(typed);
		if (prefix === '' ? wanted.length < LEAST : prefix === '>' || prefix === ':') return;
		for (const each of finds(allFeatures())) if (prefix === '' || prefix === each.prefix) each.load?.(at.get);
	},
	previewRows: 2,
	preview: () => ['', ` ${legend()}`],
}));
