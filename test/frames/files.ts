// Where the frames stand, and how they are compared.
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';
import {createTwoFilesPatch} from 'diff';
import {drawScene, shownText} from './draw.tsx';
import {scenes} from './scenes/index.ts';
import {SIZES, sizeName, type Scene, type Size} from './scene.ts';

const FOLDER = import.meta.dirname;

/** Path of a frame below this folder. */
const pathOf = ({screen, state}: Scene, size: Size): string => `${screen}/${state}-${sizeName(size)}.txt`;

/** The frames of a scene by their paths. */
const framesOf = async (scene: Scene): Promise<ReadonlyMap<string, string>> => {
	const drawn = new Map<string, string>();
	for (const size of SIZES)
		drawn.set(pathOf(scene, size), await shownText(await drawScene(scene, size), size));
	return drawn;
};

const stored = (path: string): string | null => {
	try {
		return readFileSync(join(FOLDER, path), 'utf8');
	} catch {
		return null;
	}
};

/** What differs between the frames of a scene and their files, as a unified diff; empty when nothing does. */
export const differences = async (scene: Scene): Promise<string> =>
	[...(await framesOf(scene))]
		.filter(([path, frame]) => stored(path) !== frame)
		.map(([path, frame]) =>
			createTwoFilesPatch(`test/frames/${path}`, 'now', stored(path) ?? '', frame, '', '', {context: 2}),
		)
		.join('\n');

/** Files of frames that no scene draws. */
export const strayFiles = (): readonly string[] => {
	const known = new Set(scenes.flatMap(scene => SIZES.map(size => pathOf(scene, size))));
	return readdirSync(FOLDER, {recursive: true, withFileTypes: true})
		.filter(file => file.isFile() && file.name.endsWith('.txt'))
		.map(file => relative(FOLDER, join(file.parentPath, file.name)).split(sep).join('/'))
		.filter(path => !known.has(path));
};

/** Writes every frame of these scenes that is not as its file. Answers the paths written. */
export const writeFrames = async (some: readonly Scene[]): Promise<readonly string[]> => {
	const written: string[] = [];
	for (const scene of some)
		for (const [path, frame] of await framesOf(scene)) {
			if (stored(path) === frame) continue;
			mkdirSync(dirname(join(FOLDER, path)), {recursive: true});
			writeFileSync(join(FOLDER, path), frame);
			written.push(path);
		}
	return written;
};

export const removeStrays = (): readonly string[] => {
	const strays = strayFiles();
	for (const path of strays) rmSync(join(FOLDER, path));
	return strays;
};
