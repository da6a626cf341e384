import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Home} from '../support/program.ts';

export const draftFolder = (home: Home): string => join(home.folder, '.local/state/svc-tui/drafts');

/** Names of what lies in the folder of drafts. */
export const draftNames = (home: Home): readonly string[] => {
	try {
		return readdirSync(draftFolder(home)).sort();
	} catch {
		return [];
	}
};

/** The texts of all drafts on disk, sorted. @throws when one is not whole. */
export const draftTexts = (home: Home): readonly string[] =>
	draftNames(home)
		.filter(name => name.endsWith('.json'))
		.map(name => (JSON.parse(readFileSync(join(draftFolder(home), name), 'utf8')) as {text: string}).text)
		.sort();
