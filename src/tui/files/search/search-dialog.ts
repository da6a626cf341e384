import type {Match} from '../../../api/search/search-page.ts';
import {block, label} from '../../../text/safe.ts';
import {fit, slice} from '../../../text/width/width.ts';
import {durationText} from '../../core/components/age.ts';
import {markFound} from '../../core/components/find-rows.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {route} from '../../core/store/route.ts';
import {paint} from '../../core/theme/theme.ts';
import {fileListing} from '../tree/listing.ts';
import {fileSearch, type Search} from './file-search.ts';

const titleOf = (search: Search | undefined, server: string): string => {
	if (search === undefined || search.phase === 'asks') return `Search the files of ${label(server, 40)}`;
	const name = `Search ${label(server, 24)}`;
	const {phase, matches, searched, startedAt, at} = search;
	const files = new Set(matches.map(({path}) => path)).size;
	const count = `${matches.length} in ${files} of ${searched} files`;
	const lasted = durationText(at - startedAt);
	switch (phase) {
		case 'running':
			return `${name}   ◌ ${count}, still searching ${lasted}`;
		case 'stopped':
			return `${name}   ${count}, stopped`;
		case 'failed':
			return `${name}   ✗ ${count}`;
		case 'done':
			return `${name}   ${count}   ${lasted}`;
	}
};

const emptyText = (search: Search | undefined, typed: string): string => {
	if (search?.pattern !== typed) return 'Type text or a regular expression, then press Enter.';
	switch (search.phase) {
		case 'running':
			return search.matches.length > 0 ? '' : 'Nothing found so far.';
		case 'failed':
			return search.says;
		case 'stopped':
			return 'The search was stopped.';
		case 'asks':
		case 'done':
			return 'No file contains this.';
	}
};

/** The matched text in lower case and without control characters, as `markFound` expects it. */
const foundIn = ({text, start, end}: Match): string => {
	const found = label(Array.from(text).slice(start, end).join(''), 300);
	return found.trim() === '' ? '' : found.toLowerCase();
};

/** Width of the line numbers, in cells. */
const NUMBER = 6;
const numbered = (line: number, text: string): string =>
	`${String(line).padStart(NUMBER)}  ${block(text).replaceAll('\n', ' ')}`;

/** A match between the lines before and after it, each with its line number. */
const surroundings = (match: Match, width: number): readonly string[] => {
	const beside = (text: string | undefined, line: number): string =>
		text === undefined ? '' : paint('dim', fit(slice(numbered(line, text), 0, width), width));
	const own = slice(numbered(match.line, match.text), 0, width);
	return [
		'',
		beside(match.before.at(-1), match.line - 1),
		markFound(own, foundIn(match), false),
		beside(match.after[0], match.line + 1),
	];
};
const PREVIEW_ROWS = 4;

/** Opens the file of a match at its line. */
export const openMatch = (get: Parameters<typeof route>[0], server: string, {path, line}: Match): void => {
	route(get).focusPart('files', 'viewer');
	route(get).go('files');
	void fileListing(get).goToPath(server, path, line);
};

const idOf = ({path, line}: Match): string => `${path}:${line}`;

/**
 * Searches text in all files of a server, and groups the found lines by file. Enter searches, then
 * opens the file of a match at its line; Esc stops the search. Opens with the latest search.
 */
export const searchInFiles = chooser(
	{kind: 'search-files', line: ({server}) => ({field: 'search-files', server})},
	({get}, {server}) => {
		const {search: latest} = get();
		const search = latest?.server === server ? latest : undefined;
		const choiceOf = (match: Match): Choice => ({
			id: idOf(match),
			text: `${String(match.line).padStart(NUMBER - 1)}  ${label(match.text.trim(), 300)}`,
			section: label(match.path, 200),
			found: foundIn(match),
			enterLabel: 'open',
			choose() {
				fileSearch(get).choose(idOf(match));
				openMatch(get, server, match);
			},
		});
		const allow: Choice = {
			text: 'This server has no live link. Search with Python in its kernel? The search takes the next cell number, and starts after the cells that are running.',
			enterLabel: 'allow and search',
			choose() {
				fileSearch(get).allowCode();
				route(get).openDialog({kind: 'search-files', server});
			},
		};
		return {
			title: titleOf(search, server),
			width: 110,
			enterLabel: 'search',
			...(search?.phase !== 'asks' && {cutsRows: true}),
			keepsSections: true,
			initial: search?.pattern ?? '',
			startsAt: search?.chosen ?? undefined,
			previewRows: PREVIEW_ROWS,
			preview(choice, width) {
				const match = search?.matches.find(each => idOf(each) === choice?.id);
				return match === undefined ? [] : surroundings(match, width);
			},
			get empty() {
				return emptyText(search, search?.pattern ?? '');
			},
			untyped: 'Type text or a regular expression, then press Enter.',
			choicesFor: typed =>
				search?.pattern !== typed ? [] : search.phase === 'asks' ? [allow] : search.matches.map(choiceOf),
			whyNot: typed => (typed === '' ? 'Type what to search for' : undefined),
			onClose: () => fileSearch(get).stop(),
			onEnter(typed) {
				const isEmptyEnd =
					search?.matches.length === 0 && (search.phase === 'failed' || search.phase === 'stopped');
				if (search?.pattern === typed && !isEmptyEnd) return false;
				fileSearch(get).start(server, typed);
				return true;
			},
		};
	},
);
