import type {IParser} from '@xterm/headless';

/**
 * A shell that runs the program, as on a user's machine. It outlives the program, so that the
 * terminal settings can be read afterwards. When the leader of a session ends, Linux resets its
 * terminal, so a program that leads its own session could never leave raw mode on.
 * The shell writes its reports into the terminal's output, as commands that terminals ignore.
 */
const START = 7770;
const PROGRAM = 7771;
const END = 7772;

const script = [
	// Messages of the shell about a killed child do not appear on the screen.
	'exec 3>&2 2>/dev/null',
	// The signals are caught, not ignored, because the program would inherit ignored signals.
	'trap : HUP INT QUIT',
	String.raw`printf "\033]${START};%s\007" "$(stty -g)"`,
	String.raw`sh -c 'printf "\033]${PROGRAM};%s\007" "$$"; exec "$@"' sh "$@" 2>&3 3>&-`,
	'code=$?',
	String.raw`printf "\033]${END};%s\007" "$(stty -g)"`,
	'exit "$code"',
].join('\n');

/** Command line that runs a command below the shell. */
export const underShell = (command: readonly string[]): readonly [string, readonly string[]] => [
	'sh',
	['-c', script, 'sh', ...command],
];

export type Reports = {
	/** Process id of the program, not of the shell. */
	readonly pid: Promise<number>;
	/** Settings of the terminal line (`stty -g`) before and after the program. */
	before(): string | undefined;
	after(): string | undefined;
};

/** Extracts the shell's reports from the terminal's output. */
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
