import type {Match} from '../../../api/search/search-page.ts';
import {label} from '../../../text/safe.ts';
import {durationText} from '../../core/components/age.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {route} from '../../core/store/route.ts';
import {fileListing} from '../tree/listing.ts';
import {fileSearch, type Search} from './file-search.ts';

const titleOf = (search: Search | undefined, server: string): string => {
	const name = `Search the files of ${label(server, 40)}`;
	if (search === undefined) return name;
	const {phase, matches, searched, startedAt, at} = search;
	const count = `${matches.length} in ${searched} files`;
	const lasted = durationText(at - startedAt);
	switch (phase) {
		case 'running':
			return `${name}   ◌ ${count}  ${lasted}`;
		case 'stopped':
			return `${name}   ${count}, stopped`;
		case 'failed':
			return `${name}   ✗ ${count}`;
		case 'asks':
			return name;
		case 'done':
			return `${name}   ${count}  ${lasted}`;
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

/**
 * Searches text in all files of a server. Enter searches, then opens the file of a match at its
 * line.
 */
export const searchInFiles = chooser(
	{kind: 'search-files', line: ({server}) => ({field: 'search-files', server})},
	({get}, {server}) => {
		const {search: latest} = get();
		const search = latest?.server === server ? latest : undefined;
		const choiceOf = ({path, line, text}: Match): Choice => ({
			id: `${path}:${line}`,
			text: `${label(path, 200)}:${line}  ${label(text.trim(), 300)}`,
			enterLabel: 'open',
			choose() {
				fileSearch(get).stop();
				route(get).focusPart('files', 'viewer');
				route(get).go('files');
				void fileListing(get).goToPath(server, path, line);
			},
		});
		const allow: Choice = {
			text: 'This server has no live link. Search by Python in its kernel: that counts as a cell and waits for running ones',
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
			cutsRows: true,
			get empty() {
				return emptyText(search, search?.pattern ?? '');
			},
			untyped: 'Type text or a regular expression, then press Enter.',
			choicesFor: typed =>
				search?.pattern !== typed ? [] : search.phase === 'asks' ? [allow] : search.matches.map(choiceOf),
			whyNot: typed => (typed === '' ? 'Type what to search for' : undefined),
			onEnter(typed) {
				if (search?.pattern === typed && search.phase !== 'failed' && search.phase !== 'stopped')
					return false;
				fileSearch(get).start(server, typed);
				return true;
			},
		};
	},
);
