import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';

/** Options that only the screens have. */
const OWN = new Set(['--here', '--ascii', '--fresh', '--screen-reader']);
const OWN_WITH_VALUE = new Set(['--theme']);

/** Arguments except the screens' own options: they select the service. */
const serviceArguments = (args: readonly string[]): readonly string[] =>
	args.filter(
		(arg, at) => !OWN.has(arg) && !OWN_WITH_VALUE.has(arg) && !OWN_WITH_VALUE.has(args[at - 1] ?? ''),
	);

/**
 * Resolves the server of the current folder before the terminal is taken, like `server create
 * --folder .`. Returns the arguments with its name. Null after a failure, which has been reported.
 */
export const resolveHereOption = async (args: readonly string[]): Promise<readonly string[] | null> => {
	const boot = join(import.meta.dirname, 'boot.js');
	const words = ['server', 'create', '--folder', '.', '--only', ...serviceArguments(args)];
	const child = spawn(process.execPath, [...process.execArgv, boot, ...words], {
		stdio: ['inherit', 'pipe', 'inherit'],
	});
	// Ctrl-C is meant for the question.
	const stay = (): void => {};
	process.on('SIGINT', stay);
	const [out, [code, signal]] = await Promise.all([
		text(child.stdout),
		once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
	]);
	process.off('SIGINT', stay);
	if (code !== 0) process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
	return code === 0 ? [...args.filter(arg => arg !== '--here'), '--here', out.trim()] : null;
};
