// The whole screen behind a dialog is drawn in one role.
import headless from '@xterm/headless';
import {expect, test} from 'vitest';
import {withScene} from './draw.tsx';
import {sceneName} from './scene.ts';
import {scenes} from './scenes/index.ts';

const SIZE = {columns: 120, rows: 40};
const BOXES = [
	'dialogs/restart busy',
	'dialogs/create start',
	'dialogs/sign-in full',
	'dialogs/kernels full',
];

test.each(
	scenes.filter(scene => BOXES.includes(sceneName(scene))).map(scene => [sceneName(scene), scene] as const),
)('the text behind a box has one role: %s', async (_, scene) => {
	await withScene(scene, SIZE, async ({frame}) => {
		const terminal = new headless.Terminal({
			cols: SIZE.columns,
			rows: SIZE.rows,
			allowProposedApi: true,
			convertEol: true,
		});
		await new Promise<void>(resolve => terminal.write(frame.replace(/\n$/, ''), resolve));
		const roles = new Set<string>();
		for (let y = 2; y < SIZE.rows - 2; y++) {
			const line = terminal.buffer.active.getLine(y);
			const text = line?.translateToString() ?? '';
			const edge = text.search(/[│╭╰]/);
			for (let x = 0; x < (edge === -1 ? SIZE.columns : edge); x++) {
				const cell = line?.getCell(x);
				if (cell && cell.getChars().trim() !== '')
					roles.add([cell.isDim(), cell.isBold(), cell.isInverse(), cell.getFgColor()].join(' '));
			}
		}
		terminal.dispose();
		// Zero roles: no text was read, so nothing was checked.
		expect(roles.size).toBe(1);
	});
});
