// Stores frames in files and compares them.
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';
import {createTwoFilesPatch} from 'diff';
import {shownText, withScene} from './draw.tsx';
import {scenes} from './scenes/index.ts';
import {SIZES, sceneName, sizeName, storedSizes, type Scene, type Size} from './scene.ts';

const FOLDER = import.meta.dirname;

/** Path of a frame below this folder. */
const pathOf = ({screen, state}: Scene, size: Size): string => `${screen}/${state}-${sizeName(size)}.txt`;

/** A scene at one size, as a terminal shows it. */
export type Frame = Size & {
	readonly scene: string;
	readonly path: string;
	readonly isStored: boolean;
	readonly text: string;
	readonly lines: readonly string[];
	readonly cursor: {readonly x: number; readonly y: number} | null;
};

/** The frames of a scene at each size. The scene is drawn once, then its terminal is resized. */
export const framesOf = async (scene: Scene): Promise<readonly Frame[]> => {
	const kept = storedSizes(scene);
	const names = new Set(kept.map(sizeName));
	const sizes = [...SIZES, ...kept.filter(size => !SIZES.some(each => sizeName(each) === sizeName(size)))];
	const [first, ...others] = sizes as [Size, ...Size[]];
	const frames: Frame[] = [];
	await withScene(scene, first, async ({frame, resized, cursor}) => {
		const take = async (size: Size, drawn: string): Promise<void> => {
			const text = await shownText(drawn, size);
			const lines = text.replace(/\n$/, '').split('\n');
			const path = pathOf(scene, size);
			const isStored = names.has(sizeName(size));
			frames.push({...size, scene: sceneName(scene), path, isStored, text, lines, cursor: cursor()});
		};
		await take(first, frame);
		for (const size of others) await take(size, await resized(size));
	});
	return frames;
};

const stored = (path: string): string | null => {
	try {
		return readFileSync(join(FOLDER, path), 'utf8');
	} catch {
		return null;
	}
};

/** The differences between frames and their files, as a unified diff; empty if there are none. */
export const differences = (frames: readonly Frame[]): string =>
	frames
		.filter(({path, isStored, text}) => isStored && stored(path) !== text)
		.map(({path, text}) =>
			createTwoFilesPatch(`test/frames/${path}`, 'now', stored(path) ?? '', text, '', '', {context: 2}),
		)
		.join('\n');

/** Frame files that belong to no scene. */
export const strayFiles = (): readonly string[] => {
	const known = new Set(scenes.flatMap(scene => storedSizes(scene).map(size => pathOf(scene, size))));
	return readdirSync(FOLDER, {recursive: true, withFileTypes: true})
		.filter(file => file.isFile() && file.name.endsWith('.txt'))
		.map(file => relative(FOLDER, join(file.parentPath, file.name)).split(sep).join('/'))
		.filter(path => !known.has(path));
};

/** Writes every frame of these scenes that differs from its file. Returns the paths. */
export const writeFrames = async (some: readonly Scene[]): Promise<readonly string[]> => {
	const written: string[] = [];
	for (const scene of some)
		for (const {path, isStored, text} of await framesOf(scene)) {
			if (!isStored || stored(path) === text) continue;
			mkdirSync(dirname(join(FOLDER, path)), {recursive: true});
			writeFileSync(join(FOLDER, path), text);
			written.push(path);
		}
	return written;
};

export const removeStrays = (): readonly string[] => {
	const strays = strayFiles();
	for (const path of strays) rmSync(join(FOLDER, path));
	return strays;
};
