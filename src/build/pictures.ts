// Pictures of README, drawn by `npm run docs` and `npm run frames`. A test compares them.
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {framePicture, type PictureWords, type Step} from './frame-picture.ts';

const ROOT = join(import.meta.dirname, '../..');
const COLUMNS = 80;

/**
 * Names of frames below `test/`. The value is the time in seconds for which a picture of several
 * frames shows the frame.
 */
type Frames = Readonly<Record<string, number>>;

const PICTURES: Readonly<Record<string, PictureWords & {readonly frames: Frames}>> = {
	renting: {
		frames: {'frames/compute/full-80x24': 0},
		title: 'Compute',
		description:
			'A list of what can be rented, the cheapest first: GPU, memory, price of an hour, regions and host.',
	},
	notebook: {
		frames: {'frames/files/notebook-80x24': 0},
		title: 'A notebook',
		description:
			'The files of a server, and below them a notebook: cells of text and of code, with what the code printed.',
	},
	assistant: {
		frames: {'frames/assistant/full-80x24': 0},
		title: 'The assistant',
		description:
			'An answer of the assistant with a block of code, which keys copy, run or write, a table and a list.',
	},
	work: {
		// Recorded from a real run.
		frames: {
			'journeys/recorded/work-1-goal-80x30': 4,
			'journeys/recorded/work-2-run-80x30': 5,
			'journeys/recorded/work-3-write-80x30': 6,
			'journeys/recorded/work-4-done-80x30': 9,
		},
		title: 'A task',
		description:
			'A task of the built-in assistant: what was wanted, a line for each step, and the report that was written.',
	},
};

export type Picture = {readonly file: string; readonly steps: readonly Step[]; readonly svg: string};

export const drawPictures = async (): Promise<readonly Picture[]> =>
	Promise.all(
		Object.entries(PICTURES).map(async ([name, {frames, ...words}]) => {
			const steps = await Promise.all(
				Object.entries(frames).map(async ([frame, seconds]) => ({
					frame: await readFile(join(ROOT, `test/${frame}.txt`), 'utf8'),
					seconds,
				})),
			);
			return {
				file: join(ROOT, `src/docs/pictures/${name}.svg`),
				steps,
				svg: framePicture(steps, COLUMNS, words),
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
