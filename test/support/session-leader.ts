import type {IParser} from '@xterm/headless';

/**
 * A shell above the program, as on a user's machine: it outlives the program, so that the line's
 * settings can be read after the end. (When the leader of a session ends, Linux resets its
 * terminal: a program that leads its own session can never leave raw mode on.) It reports inside
 * the terminal's own stream, in commands that terminals ignore.
 */
const START = 7770;
const PROGRAM = 7771;
const END = 7772;

const script = [
	// The shell's own words about a killed child stay off the screen.
	'exec 3>&2 2>/dev/null',
	// Caught, not ignored: an ignored signal would be ignored by the program too.
	'trap : HUP INT QUIT',
	String.raw`printf "\033]${START};%s\007" "$(stty -g)"`,
	String.raw`sh -c 'printf "\033]${PROGRAM};%s\007" "$$"; exec "$@"' sh "$@" 2>&3 3>&-`,
	'code=$?',
	String.raw`printf "\033]${END};%s\007" "$(stty -g)"`,
	'exit "$code"',
].join('\n');

/** The command line that runs a command below the shell. */
export const underShell = (command: readonly string[]): readonly [string, readonly string[]] => [
	'sh',
	['-c', script, 'sh', ...command],
];

export type Reports = {
	/** Process id of the program itself. */
	readonly pid: Promise<number>;
	/** Settings of the line (`stty -g`) before and after the program. */
	before(): string | undefined;
	after(): string | undefined;
};

/** Reads the shell's reports out of the terminal's stream. */
export const readReports = (parser: IParser): Reports => {
	let before: string | undefined;
	let after: string | undefined;
	parser.registerOscHandler(START, data => ((before = data), true));
	parser.registerOscHandler(END, data => ((after = data), true));
	const pid = new Promise<number>(resolve => {
		parser.registerOscHandler(PROGRAM, data => (resolve(Number(data)), true));
	});
	return {pid, before: () => before, after: () => after};
};
