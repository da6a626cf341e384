import {spawn} from '@lydell/node-pty';
import headless from '@xterm/headless';

type Screen = (rows: readonly string[]) => boolean;

export type PtyRun = {
	/** Milliseconds from the start of the process to the output that completed the screen. */
	readonly ms: number;
	/** Waits until a later screen is complete. */
	until(complete: Screen): Promise<void>;
	/** Ends the program as a user does, with `q`; sends SIGKILL after 5 s. */
	end(): Promise<void>;
};

const QUIT_GRACE_MS = 5000;
const GIVE_UP_MS = 30_000;

/**
 * Starts a program in a terminal of 120x40, without the shell of the test harness, and waits for a
 * screen.
 */
export const startToScreen = async (
	command: readonly string[],
	env: Readonly<Record<string, string>>,
	complete: Screen,
): Promise<PtyRun> => {
	const [columns, rows] = [120, 40];
	const emulator = new headless.Terminal({cols: columns, rows, allowProposedApi: true});
	const screen = (): readonly string[] =>
		Array.from(
			{length: rows},
			(_, row) =>
				emulator.buffer.active
					.getLine(emulator.buffer.active.baseY + row)
					?.translateToString(true, 0, columns) ?? '',
		);
	let wanted: Screen = complete;
	let met: (at: number) => void = () => {};
	const look = (at: number): void => {
		if (!emulator.modes.synchronizedOutputMode && wanted(screen())) met(at);
	};

	const started = performance.now();
	const pty = spawn(command[0]!, command.slice(1), {
		cols: columns,
		rows,
		env: {...env},
		...(env['HOME'] && {cwd: env['HOME']}),
	});
	pty.onData(chunk => {
		// The time at which the bytes arrived. The emulator processes them later.
		const at = performance.now();
		emulator.write(chunk, () => {
			look(at);
		});
	});
	let ended = false;
	const exit = new Promise<void>(resolve => {
		pty.onExit(() => {
			ended = true;
			resolve();
		});
	});
	const wait = async (): Promise<number> =>
		new Promise((resolve, reject) => {
			const fail = (why: string): void => {
				reject(new Error(`${why}:\n${screen().join('\n').trim()}`));
			};
			const giveUp = setTimeout(() => {
				fail(`no such screen within ${GIVE_UP_MS / 1000} s`);
			}, GIVE_UP_MS);
			met = at => {
				clearTimeout(giveUp);
				resolve(at);
			};
			void exit.then(() => {
				clearTimeout(giveUp);
				fail('the program ended before its screen was complete');
			});
			look(performance.now());
		});
	return {
		ms: (await wait()) - started,
		async until(next) {
			wanted = next;
			await wait();
		},
		async end() {
			if (!ended) pty.write('q');
			const kill = setTimeout(() => {
				pty.kill('SIGKILL');
			}, QUIT_GRACE_MS);
			await exit;
			clearTimeout(kill);
			emulator.dispose();
		},
	};
};

/** Milliseconds from the start of a process in a terminal to its end. */
export const startToExit = async (
	command: readonly string[],
	env: Readonly<Record<string, string>>,
): Promise<number> => {
	const started = performance.now();
	const pty = spawn(command[0]!, command.slice(1), {env: {...env}});
	return new Promise(resolve => {
		pty.onExit(() => {
			resolve(performance.now() - started);
		});
	});
};

/** True if header, screen and footer are drawn. */
export const isFirstFrame = (rows: readonly string[]): boolean =>
	rows[0]!.includes('svc-tui') && rows[0]!.includes('Servers') && rows.at(-1)!.trim() !== '';
