// Pictures of README, drawn by `npm run docs` and `npm run frames`. A test compares them.
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {framePicture, type PictureWords} from './frame-picture.ts';

const ROOT = join(import.meta.dirname, '../..');
const COLUMNS = 80;

const PICTURES: Readonly<Record<string, PictureWords & {readonly frame: string}>> = {
	renting: {
		frame: 'frames/compute/full-80x24',
		title: 'Compute',
		description:
			'A list of what can be rented, the cheapest first: GPU, memory, price of an hour, regions and host.',
	},
	notebook: {
		frame: 'frames/files/notebook-80x24',
		title: 'A notebook',
		description:
			'The files of a server, and below them a notebook: cells of text and of code, with what the code printed.',
	},
	assistant: {
		frame: 'frames/assistant/full-80x24',
		title: 'The assistant',
		description:
			'An answer of the assistant with a block of code, which keys copy, run or write, a table and a list.',
	},
	work: {
		// Recorded from a real run.
		frame: 'journeys/recorded/work-4-done-80x30',
		title: 'A task',
		description:
			'A task of the built-in assistant: what was wanted, a line for each step, and the report that was written.',
	},
};

export type Picture = {
	readonly file: string;
	/** Content of the frame's file. */
	readonly frame: string;
	readonly svg: string;
};

export const drawPictures = async (): Promise<readonly Picture[]> =>
	Promise.all(
		Object.entries(PICTURES).map(async ([name, {frame, ...words}]) => {
			const rows = await readFile(join(ROOT, `test/${frame}.txt`), 'utf8');
			return {
				file: join(ROOT, `src/docs/pictures/${name}.svg`),
				frame: rows,
				svg: framePicture(rows, COLUMNS, words),
			};
		}),
	);

/** Writes the pictures that differ from their frames. Returns their paths. */
export const writePictures = async (): Promise<readonly string[]> => {
	const written: string[] = [];
	for (const {file, svg} of await drawPictures()) {
		if ((await readFile(file, 'utf8').catch(() => '')) === svg) continue;
		await mkdir(dirname(file), {recursive: true});
		await writeFile(file, svg);
		written.push(relative(ROOT, file));
	}
	return written;
};

if (process.argv[1] === import.meta.filename) await writePictures();
