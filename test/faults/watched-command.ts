import {UnicodeGraphemesAddon} from '@xterm/addon-unicode-graphemes';
import headless from '@xterm/headless';
import {expect} from 'vitest';
import {onTerminal} from '../cli/support.ts';
import {type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {recordEvents} from '../support/terminal-events.ts';
import {createControlReader} from './controls.ts';

const COLUMNS = 1200;
/** Matches text that contains only printable characters and line ends. */
export const PLAIN =
	/^[^\u0000-\u0009\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]*$/;

type Options = {
	readonly home: Home;
	readonly env?: Readonly<Record<string, string>>;
	/** Controls that the command itself sends. */
	readonly own?: readonly string[];
};
type Shown = {readonly code: number; readonly text: string; readonly rows: readonly (readonly string[])[]};

/**
 * Runs a command in a terminal and returns its screen. Fails if the output contains anything except
 * text and colours.
 */
export const onScreen = async (
	args: readonly string[],
	{home, env = {}, own = []}: Options,
): Promise<Shown> => {
	const {code, text} = await onTerminal(args, {home, env, columns: COLUMNS});
	const lines = text.split('\n').length;
	const emulator = new headless.Terminal({
		cols: COLUMNS,
		rows: Math.max(2, lines),
		allowProposedApi: true,
		scrollback: 0,
		convertEol: true,
	});
	emulator.loadAddon(new UnicodeGraphemesAddon());
	// The reader also lists terminal modes, under their names.
	const {bells, frames, modes: _, ...events} = recordEvents(emulator);
	const controls = createControlReader();
	controls.read(text);
	await new Promise<void>(resolve => emulator.write(text, resolve));
	expect({
		kinds: [...controls.counts.keys()].filter(kind => !own.includes(kind)),
		events: Object.values(events).flat(),
		bells,
		frames,
	}).toEqual({kinds: [], events: [], bells: 0, frames: 0});
	const rows = Array.from({length: lines}, (_, y) => {
		const line = emulator.buffer.active.getLine(y);
		// Cells are read only up to the last possible text.
		return Array.from(
			{length: Math.min(COLUMNS, 2 * (line?.translateToString(true).length ?? 0))},
			(__, x) => (line?.getCell(x)?.getWidth() === 0 ? '' : line?.getCell(x)?.getChars() || ' '),
		);
	});
	emulator.dispose();
	return {code, text, rows};
};

/**
 * Checks that the output with `--json` is the same in a terminal and in a pipe, contains no control
 * character, and equals the value that the service sent.
 */
export const expectJson = async (
	args: readonly string[],
	value: unknown,
	{home, env = {}}: Options,
): Promise<void> => {
	const {stdout, stderr} = await runHere([...args, '--json'], {home, env});
	expect(stdout + stderr).toMatch(PLAIN);
	expect(JSON.parse(stdout)).toEqual(value);
	const {text} = await onScreen([...args, '--json'], {home, env});
	expect(text).toBe(stdout + stderr);
};
