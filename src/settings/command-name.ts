import {accessSync, constants} from 'node:fs';
import {delimiter, dirname, join, relative} from 'node:path';
import {shellWord} from '../text/shell-word.ts';

const isExecutable = (path: string): boolean => {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
};

/**
 * Words with which the user starts this program, because a clone has no `svc-tui` on the PATH.
 * `script`: the program's file in `dist`.
 */
export const commandName = (
	env: NodeJS.ProcessEnv = process.env,
	script = process.argv[1] ?? '',
	cwd = process.cwd(),
): string => {
	const folders = (env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '');
	if (script === '' || folders.some(folder => isExecutable(join(folder, 'svc-tui')))) return 'svc-tui';
	if (env['npm_lifecycle_event'] === 'start') return 'npm start --';
	const launcher = join(dirname(script), 'svc-tui');
	const below = relative(cwd, launcher);
	return shellWord(below.startsWith('..') ? launcher : below);
};
