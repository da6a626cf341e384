import {isDeepStrictEqual} from 'node:util';
import {UnicodeGraphemesAddon} from '@xterm/addon-unicode-graphemes';
import headless from '@xterm/headless';
import {expect} from 'vitest';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {PATIENCE} from '../support/wait-for.ts';
import {createControlReader} from './controls.ts';
import {DISPUTED} from './hostile-cases.ts';
import type {HostileService} from './hostile-service.ts';
import {isTitleRule} from '../support/title-rule.ts';

/**
 * Number of columns that the emulator has in addition to those known to the program. Text there was
 * drawn too far to the right.
 */
const BEYOND = 60;

/**
 * Characters by row and cell. An empty cell is a space; the second cell of a wide character is ''.
 */
export type Frame = readonly (readonly string[])[];

export type WatchedScreen = AsyncDisposable & {
	readonly terminal: Terminal;
	readonly columns: number;
	readonly rows: number;
	/**
	 * Resolves to the current frame. Fails if the frame is not in order, see {@link expectInOrder}.
	 */
	frame(): Promise<Frame>;
	/** Waits until the frame contains a text. The frame must be in order. */
	shows(text: string | RegExp): Promise<Frame>;
	/** Waits until `check` does not throw for a frame. Each frame until then must be in order. */
	sees(check: (frame: Frame) => void): Promise<Frame>;
	/**
	 * Harmful effects on the terminal, by kind. Empty if the output had only the effects that the
	 * program always has.
	 */
	harm(): readonly string[];
	readonly controls: ReadonlyMap<string, number>;
	/** The terminal's screen after the program has ended, with colours. */
	lastWords(): string;
};

/**
 * All control sequences that the program sends without hostile input, with the maximum number of
 * each (`clean-run.test.ts` proves the list). OSC 7772 is used by the tests' shell.
 */
export const OWN_CONTROLS: ReadonlyMap<string, number> = new Map([
	['CSI ?1049h', 2],
	['CSI ?7l', 1],
	['CSI ?s', 1],
	['CSI ?1036;1039h', 1],
	['CSI >m', 2],
	['CSI >5u', 1],
	['CSI <u', 1],
	['CSI ?2004h', 1],
	['CSI 2J', 2],
	// Saving the window's title, and queries for colours and for the width of a circle.
	['CSI 22;2t', 1],
	['CSI 23;2t', 2],
	['OSC 11', 1],
	['SGR 8', 1],
	['CSI 6n', 1],
	['CSI 2K', 1],
	['CSI c', 1],
	['CSI H', 4],
	// Ink draws its last frame again at the end, and another one if a clock has advanced.
	['CSI 1;1H', 2],
	['CSI J', 2],
	['CSI ?1049l', 3],
	['CSI ?7h', 2],
	['CSI ?1036;1039r', 1],
	['CSI ?2004l', 3],
	['OSC 7772', 1],
	...[
		'OSC 2',
		'CSI ?25h',
		'CSI ?25l',
		'CSI ?2026h',
		'CSI ?2026l',
		'CSI A',
		'CSI B',
		'CSI E',
		'CSI G',
		'CSI K',
		'CSI ?1007l',
		'CSI ?1007h',
		'CSI ?1007r',
	].map(kind => [kind, Infinity] as const),
]);

/**
 * Replies of the terminal to two queries at the start: the cursor's column after a circle, and the
 * type of the terminal.
 */
const OWN_REPLIES = ['\u001B[1;2R', '\u001B[?1;2c'];

export const textOf = (row: readonly string[]): string => row.join('').trimEnd();
export const screenOf = (frame: Frame): string => frame.map(textOf).join('\n');
/** Text of the row above the footer. */
export const noticeOf = (frame: Frame): string => textOf(frame.at(-2) ?? []);

/** The service's state, then the tabs; on a narrow terminal some tabs are numbers only. */
const HEADER = / [●◌✗](?: key| key rejected)?(?: r\/o| read-only)? {1,3}1 (?:S|  2)/;

/**
 * Faults of a frame. Header, rule and footer must be in place, and no row may be wider than the
 * terminal.
 */
const problemsOf = (frame: Frame, columns: number): readonly string[] => {
	const rows = frame.length;
	const problems: string[] = [];
	const need = (condition: boolean, problem: string): void => {
		if (!condition) problems.push(problem);
	};
	const line = (index: number): string => textOf(frame[index] ?? []);
	need(HEADER.test(line(0)), 'the header is not in the first row');
	// A pane's title may contain a name of disputed width.
	const isRule = isTitleRule(line(1), columns) || (line(1).startsWith('─ ') && DISPUTED.test(line(1)));
	need(isRule, 'the rule is not in the second row');
	need(/^(?: [◇✓✗] .*| +zoomed .*)?$/.test(line(rows - 2)), 'no blank row or notice is above the footer');
	need(
		/ esc \S| \? help *$| q quit *$|^ Waiting for the response\.|^ \^C again to quit|^ \^X …/.test(
			line(rows - 1),
		),
		'the footer is not in the last row',
	);
	for (const [index, row] of frame.entries()) {
		if (row.slice(columns).some(cell => cell !== ' ') && !DISPUTED.test(textOf(row)))
			problems.push(`row ${index} is too wide: ${JSON.stringify(textOf(row))}`);
		if (index > 0 && HEADER.test(textOf(row))) problems.push(`a second header in row ${index}`);
	}
	return problems;
};

/** Fails and prints the screen if the frame has a fault. */
export const expectInOrder = (frame: Frame, columns: number): void => {
	const problems = problemsOf(frame, columns);
	if (problems.length > 0)
		expect.fail(
			`${problems.join('; ')}\n${frame.map(row => `│${row.slice(0, columns).join('')}│${row.slice(columns).join('').trimEnd()}`).join('\n')}`,
		);
};

type Options = {
	readonly columns?: number;
	readonly rows?: number;
	readonly env?: Readonly<Record<string, string>>;
	/** A home that is used after the program ends; by default the program has its own. */
	readonly home?: Home;
};

/** Opens the program on a service, in an emulator wider than the program knows. */
export const openWatched = async (
	service: Pick<HostileService, 'env'>,
	{columns = 120, rows = 40, env = {}, home: given}: Options = {},
): Promise<WatchedScreen> => {
	const home = given ?? (await newHome());
	const terminal = await openProgram({home, columns, rows, env: {...service.env, ...env}});
	const emulator = new headless.Terminal({
		cols: columns + BEYOND,
		rows,
		allowProposedApi: true,
		scrollback: 0,
	});
	emulator.loadAddon(new UnicodeGraphemesAddon());
	const controls = createControlReader();
	let sent = '';
	terminal.onOutput(chunk => {
		controls.read(chunk);
		sent = (sent + chunk).slice(-200_000);
		emulator.write(chunk);
	});

	const read = (): Frame => {
		const buffer = emulator.buffer.active;
		const reused = buffer.getNullCell();
		return Array.from({length: rows}, (_, y) => {
			const line = buffer.getLine(buffer.baseY + y);
			return Array.from({length: columns + BEYOND}, (__, x) => {
				const cell = line?.getCell(x, reused);
				return cell?.getWidth() === 0 ? '' : cell?.getChars() || ' ';
			});
		});
	};
	/**
	 * True if the emulator that sends replies has processed as many frames as this one, so the next
	 * query is not about an older frame.
	 */
	const isLevel = (): boolean => terminal.events.frames >= (controls.counts.get('CSI ?2026l') ?? 0);
	const frame = async (): Promise<Frame> => {
		for (;;) {
			await terminal.untilTrue('a whole frame', isLevel);
			await new Promise<void>(resolve => emulator.write('', resolve));
			if (emulator.modes.synchronizedOutputMode || !isLevel()) continue;
			const cells = read();
			expectInOrder(cells, columns);
			return cells;
		}
	};

	return {
		terminal,
		columns,
		rows,
		frame,
		controls: controls.counts,
		lastWords: () => sent.slice(sent.lastIndexOf('\u001B[?1049l') + 8),
		async shows(text) {
			await terminal.until(text);
			return frame();
		},
		async sees(check) {
			// Limited in time, because a clock on the screen causes frames forever.
			const deadline = performance.now() + PATIENCE;
			for (;;) {
				const {frames} = terminal.events;
				const cells = await frame();
				try {
					check(cells);
					return cells;
				} catch (error) {
					const left = Math.max(1, deadline - performance.now());
					await terminal
						.untilTrue('another frame', () => terminal.events.frames > frames, left)
						.catch(() => {
							throw error;
						});
					if (performance.now() > deadline) throw error;
				}
			}
		},
		harm() {
			const {clipboard, titles, links, commands, resets, controls: strings, bells} = terminal.events;
			const asked = terminal.events.replies.slice(0, OWN_REPLIES.length);
			const replies = terminal.events.replies.slice(isDeepStrictEqual(asked, OWN_REPLIES) ? asked.length : 0);
			return [
				...[...controls.counts]
					.filter(([kind, count]) => count > (OWN_CONTROLS.get(kind) ?? 0))
					.map(([kind, count]) => `${kind} ${count} times`),
				...clipboard.map(() => 'clipboard'),
				...titles.map(() => 'title'),
				...links.map(() => 'link'),
				...commands,
				...replies.map(reply => `reply ${JSON.stringify(reply)}`),
				...resets,
				...strings,
				...Array.from({length: bells}, () => 'bell'),
			];
		},
		async [Symbol.asyncDispose]() {
			await terminal[Symbol.asyncDispose]();
			emulator.dispose();
			if (given === undefined) await home[Symbol.asyncDispose]();
		},
	};
};
