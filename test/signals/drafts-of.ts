import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Home} from '../support/program.ts';

export const draftFolder = (home: Home): string => join(home.folder, '.local/state/svc-tui/drafts');

export const draftNames = (home: Home): readonly string[] => {
	try {
		return readdirSync(draftFolder(home)).sort();
	} catch {
		return [];
	}
};

/** The texts of all drafts on disk, sorted. @throws {Error} if a draft is incomplete. */
export const draftTexts = (home: Home): readonly string[] =>
	draftNames(home)
		.filter(name => name.endsWith('.json'))
		.map(name => (JSON.parse(readFileSync(join(draftFolder(home), name), 'utf8')) as {text: string}).text)
		.sort();
