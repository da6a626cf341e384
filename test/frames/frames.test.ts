// Draws every scene at five sizes. The stored frames must be unchanged, and all frames must fulfil
// the invariants.
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {beforeAll, describe, expect, test} from 'vitest';
import {glyph} from '../../src/tui/core/theme/glyphs.ts';
import {FRAMES as FAILED} from '../support/frames.ts';
import {brokenOff} from './cut-sentences.ts';
import {cutsIn, shownRows, wordsOf} from './cut-words.ts';
import {differences, framesOf, strayFiles, type Frame} from './files.ts';
import {faultsOf} from './invariants.ts';
import {SIZES, sceneName, type Scene} from './scene.ts';
import {scenes} from './scenes/index.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ACCEPT = 'npm run frames writes the frames as they are now; git diff then shows the change for review.';

const drawn = new Map<Scene, Promise<readonly Frame[]>>();
const draw = (scene: Scene): Promise<readonly Frame[]> => {
	const known = drawn.get(scene) ?? framesOf(scene);
	drawn.set(scene, known);
	return known;
};

/** The faults of a frame, and a file with the frame. */
const faultsWithFrame = (frame: Frame): readonly string[] => {
	const faults = faultsOf(frame);
	if (faults.length === 0) return [];
	const file = join(FAILED, frame.path);
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(file, frame.text);
	return faults.map(fault => `${relative(ROOT, file)}: ${fault}`);
};

test.each(scenes.map(scene => [sceneName(scene), scene] as const))(
	'%s looks as its files in test/frames show, and fits at each size',
	async (_, scene) => {
		const frames = await draw(scene);
		expect(frames.flatMap(faultsWithFrame)).toEqual([]);
		const changes = differences(frames);
		if (changes !== '') throw new Error(`${changes}\n${ACCEPT}`);
	},
);

test('every file of a frame belongs to a state that is drawn', () => {
	expect(strayFiles(), ACCEPT).toEqual([]);
});

describe('of all frames', () => {
	let frames: readonly Frame[] = [];
	beforeAll(async () => {
		const each: (readonly Frame[])[] = [];
		for (const scene of scenes) each.push(await draw(scene));
		frames = each.flat();
	});

	/** The paths of frames that break an invariant. */
	const where = (isWrong: (frame: Frame) => boolean): readonly string[] =>
		frames.filter(isWrong).map(({path}) => path);

	test('every screen is a tab with its name', () => {
		const names = /1 Servers.*2 Compute.*3 (?:Environments|Env).*4 Files.*5 REPL.*6 (?:Assistant|Chat)/;
		// Up to 80 columns, a long state leaves room only for the numbers of the tabs.
		const isLong = (header: string): boolean => header.includes('draining-connections');
		const hasRoom = (columns: number): boolean => columns >= 80;
		expect(
			where(({columns, lines: [header = '']}) => hasRoom(columns) && !names.test(header) && !isLong(header)),
		).toEqual([]);
		expect(where(({lines: [header = '']}) => !/1.*2.*3.*4.*5.*6/.test(header))).toEqual([]);
	});

	describe('where one is', () => {
		const marked = ({lines}: Frame): readonly string[] =>
			shownRows(lines).filter(line => line.includes(glyph.scroll));

		test('has numbers wherever a mark shows that there is more', () => {
			expect(frames.filter(frame => marked(frame).length > 0).length).toBeGreaterThan(20);
			const isOpen = ({path}: Frame): boolean => !path.startsWith('leader/');
			expect(
				where(
					frame =>
						isOpen(frame) && marked(frame).length > 0 && !/\d+(?:\/| of )\d+|\d+ more line/.test(frame.text),
				),
			).toEqual([]);
		});
	});

	describe('nothing is cut without …', () => {
		const cuts = (change: (line: string) => string): readonly string[] => {
			const changed = frames.map(frame => ({...frame, lines: frame.lines.map(change)}));
			const known = wordsOf(changed);
			return changed.flatMap(({path, lines}) =>
				cutsIn(lines, known).map(({row, text}) => `${path}:${row + 1}: ${text}`),
			);
		};

		test('every word at the end of a row is whole, or continues in the next', () => {
			expect(cuts(line => line)).toEqual([]);
		});

		test('with the … taken out, many are found', () => {
			expect(cuts(line => line.replaceAll('…', '')).length).toBeGreaterThan(140);
		});

		test('no sentence breaks off between two words', () => {
			expect(brokenOff(frames)).toEqual([]);
		});

		test('with the … and the word before it taken out, some are found', () => {
			const changed = frames.map(frame => ({
				...frame,
				lines: frame.lines.map(line => line.replaceAll(/ ?\p{L}*…/gu, '')),
			}));
			expect(brokenOff(changed).length).toBeGreaterThan(15);
		});
	});

	test('a wider terminal names every key and tab that a narrower one names', () => {
		const wordsAt = (width: number): ReadonlyMap<string, readonly string[]> =>
			new Map(
				frames
					.filter(({columns}) => columns === width)
					.map(({scene, lines}) => [
						scene,
						`${lines[0]} ${lines.at(-1)}`.match(/[\p{L}\p{N}^⇧⏎]+(?![\p{L}…])/gu) ?? [],
					]),
			);
		const wide = wordsAt(200);
		const lost = [...wordsAt(120)].flatMap(([scene, words]) =>
			words.filter(word => !wide.get(scene)?.includes(word)).map(word => `${scene}: ${word}`),
		);
		expect(lost).toEqual([]);
	});

	test('each is drawn at all sizes, and a cursor is seen in many', () => {
		expect(frames.length).toBeGreaterThanOrEqual(scenes.length * SIZES.length);
		expect(frames.filter(({cursor}) => cursor !== null).length).toBeGreaterThan(140);
	});
});
