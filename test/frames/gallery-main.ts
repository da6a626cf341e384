// `npm run gallery -- WORD … [COLSxROWS]` draws a state of a screen or dialog without a service. In
// a terminal, ← → select the state, ↑ ↓ the screen, Space the size, and q quits.
import {drawScene, shownText} from './draw.tsx';
import {sceneName, SIZES, sizeName, type Scene, type Size} from './scene.ts';
import {scenes} from './scenes/index.ts';

const sizeIn = (word: string): Size | undefined => {
	const [, columns, rows] = /^(\d+)x(\d+)$/.exec(word) ?? [];
	return columns === undefined ? undefined : {columns: Number(columns), rows: Number(rows)};
};

const words = process.argv.slice(2);
const names = words.filter(word => sizeIn(word) === undefined);
const has = (scene: Scene): boolean => names.every(name => sceneName(scene).split(/[ /]/).includes(name));
let at = scenes.findIndex(has);
if (at === -1) {
	const screens = Map.groupBy(scenes, ({screen}) => screen);
	console.error(`There is no ${names.join(' ')}. There are:`);
	for (const [screen, some] of screens)
		console.error(`  ${screen}: ${some.map(({state}) => state).join(', ')}`);
	process.exit(1);
}
let size = words.map(sizeIn).find(found => found !== undefined) ?? SIZES[0]!;

if (!process.stdin.isTTY || !process.stdout.isTTY) {
	process.stdout.write(await shownText(await drawScene(scenes[at]!, size), size));
	process.exit();
}

const leave = (): never => {
	process.stdin.setRawMode(false);
	process.stdout.write('\u001B[?25h\u001B[?1049l');
	process.exit();
};
const show = async (): Promise<void> => {
	const scene = scenes[at]!;
	const frame = await drawScene(scene, size);
	const below =
		size.rows < process.stdout.rows ? `\r\n\r\n${sceneName(scene)} ${sizeName(size)}   ← → ↑ ↓ Space q` : '';
	process.stdout.write(`\u001B[2J\u001B[H${frame.trimEnd().replaceAll('\n', '\r\n')}\u001B[m${below}`);
};
/**
 * Index of the next scene of the same screen in this direction, or of the first scene of another
 * screen.
 */
const next = (step: 1 | -1, isSameScreen: boolean): number => {
	const {screen} = scenes[at]!;
	for (let tried = 1; tried <= scenes.length; tried++) {
		const place = (at + step * tried + scenes.length * 2) % scenes.length;
		if ((scenes[place]!.screen === screen) === isSameScreen) return place;
	}
	return at;
};

process.stdout.write('\u001B[?1049h\u001B[?25l');
process.stdin.setRawMode(true);
process.stdin.on('data', (bytes: Buffer) => {
	const key = bytes.toString('latin1');
	if (key === 'q' || key === '\u0003' || key === '\u001B') leave();
	else if (key === '\u001B[C') at = next(1, true);
	else if (key === '\u001B[D') at = next(-1, true);
	else if (key === '\u001B[B') at = next(1, false);
	else if (key === '\u001B[A') at = next(-1, false);
	else if (key === ' ')
		size = SIZES[(SIZES.findIndex(each => sizeName(each) === sizeName(size)) + 1) % SIZES.length]!;
	else return;
	void show();
});
await show();
