import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {paths} from './paths.ts';

/** Letters that every file system takes. */
const LONGEST_NAME = 150;

/** One file for each service; the address of one holds no password. */
const fileOf = (service: string): string => join(paths().state, 'places', `${encodeURIComponent(service).slice(0, LONGEST_NAME)}.json`);

/** What was written last, as JSON; undefined without it. */
export const readPlace = (service: string): unknown => {
	try {
		return JSON.parse(readFileSync(fileOf(service), 'utf8'));
	} catch {
		return undefined;
	}
};

/** Synchronous, so that it also works while the program ends. It is only a convenience: what fails is not told. */
export const writePlace = (service: string, place: object): void => {
	const file = fileOf(service);
	const temp = `${file}.${process.pid}.tmp`;
	try {
		mkdirSync(dirname(file), {recursive: true, mode: 0o700});
		writeFileSync(temp, JSON.stringify(place), {mode: 0o600});
		renameSync(temp, file);
	} catch {
		// The next start begins at the servers.
	}
};
