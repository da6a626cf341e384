import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';

/** Options of the screens only, which commands do not accept. */
const OWN = new Set(['--here', '--ascii', '--fresh', '--screen-reader']);
const OWN_WITH_VALUE = new Set(['--theme']);

/** Arguments without the options of the screens. They select the service. */
const serviceArguments = (args: readonly string[]): readonly string[] =>
	args.filter(
		(arg, at) => !OWN.has(arg) && !OWN_WITH_VALUE.has(arg) && !OWN_WITH_VALUE.has(args[at - 1] ?? ''),
	);

/**
 * Resolves the server of the current folder, like `server create --folder .`. Runs before the
 * screens use the terminal. Returns the arguments with the name of the server. Null after a
 * failure, which has been reported.
 */
export const resolveHereOption = async (args: readonly string[]): Promise<readonly string[] | null> => {
	const boot = join(import.meta.dirname, 'boot.js');
	const words = ['server', 'create', '--folder', '.', '--only', ...serviceArguments(args)];
	const child = spawn(process.execPath, [...process.execArgv, boot, ...words], {
		stdio: ['inherit', 'pipe', 'inherit'],
	});
	// Ignores Ctrl-C here, because it is meant for the child's question.
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
