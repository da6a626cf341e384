// Steps of journeys in which a notebook's cells continue without the program.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {readNotebook} from '../../src/text/notebook/notebook.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import type {Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

export const pathIn = (home: Home, name: string): string => join(serverFolder(serviceFolder(home)), name);
/**
 * Cells that record that they ran and print their number once. `wait`: code that runs in between.
 */
export const sourcesOf = (count: number, wait: string): readonly string[] =>
	Array.from(
		{length: count},
		(_, index) =>
			`import os, time\nwith open('ran', 'a') as file: file.write('${index} ')\n${wait}\nprint('out ${index}.')`,
	);

/** Opens a notebook. `shows`: code that only this notebook contains. */
export const openFile = async (
	terminal: Terminal,
	name: string,
	shows: string | RegExp = /import os, time/,
): Promise<void> => {
	pressAction(terminal, 'anywhere', 'files');
	// Either the tree is shown, or a notebook that covers it.
	await terminal.until(/prices\.ipynb|\.ipynb ─/);
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Tab complete');
	terminal.type(`file ${name}`);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(shows);
};
export const runAll = async (terminal: Terminal, name: string, shows?: string | RegExp): Promise<void> => {
	await openFile(terminal, name, shows);
	pressAction(terminal, 'viewer', 'work');
	await terminal.until(/saved · python3 · cell 1 of /);
	pressAction(terminal, 'notebook', 'runAll');
};
export const save = async (terminal: Terminal): Promise<void> => {
	pressAction(terminal, 'notebook', 'save');
	await terminal.until(/\.ipynb is saved|Saving would change nothing/);
};
/** Outputs in the saved file, by cell. */
export const outputsIn = (home: Home, name: string): readonly string[] => {
	const read = readNotebook(readFileSync(pathIn(home, name), 'utf8'));
	if (typeof read === 'string') throw new Error(read);
	return read.cells.map(({outputs}) =>
		outputs.map(({text}) => (Array.isArray(text) ? text.join('') : String(text))).join(''),
	);
};
export const ranIn = (home: Home): readonly number[] =>
	existsSync(pathIn(home, 'ran'))
		? readFileSync(pathIn(home, 'ran'), 'utf8').split(' ').filter(Boolean).map(Number)
		: [];
export const upTo = (count: number): readonly number[] => Array.from({length: count}, (_, index) => index);
export const outs = (count: number): readonly string[] => upTo(count).map(index => `out ${index}.\n`);
