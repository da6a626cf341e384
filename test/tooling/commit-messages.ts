// Checks commit messages. With a file name, as from `.githooks/commit-msg`, it checks the message
// in that file. Otherwise it checks the messages of all commits after `BASE`. `git config
// core.hooksPath .githooks` installs the hook.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {commitProblems} from './language-checks.ts';

const BASE = 'ae31f517373a2cf9c4ff8f4bc35b9f3e6aee7cf9';

/**
 * The message in the file, without git's comments and without the diff of `git commit --verbose`.
 */
const typedMessage = (file: string): string =>
	readFileSync(file, 'utf8')
		.replace(/^# -{24} >8 -{24}$[^]*/m, '')
		.replaceAll(/^#.*\n?/gm, '')
		.trim();

const git = (...args: readonly string[]): string =>
	execFileSync('git', args, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28});

const messagesSince = (base: string): readonly (readonly [string, string])[] | null => {
	try {
		git('merge-base', '--is-ancestor', base, 'HEAD');
	} catch {
		return null;
	}
	return git('log', '-z', '--format=%h%n%B', `${base}..HEAD`)
		.split('\0')
		.filter(entry => entry !== '')
		.map(entry => {
			const end = entry.indexOf('\n');
			return [entry.slice(0, end), entry.slice(end + 1).trim()] as const;
		});
};

const [file] = process.argv.slice(2);
const messages = file === undefined ? messagesSince(BASE) : [['commit-msg', typedMessage(file)] as const];
// The history is missing in a shallow clone or in a copy without git.
if (messages === null)
	process.stderr.write(`commit messages: not checked, ${BASE.slice(0, 8)} is not in the history\n`);
for (const [name, message] of messages ?? [])
	for (const problem of commitProblems(message)) {
		process.stderr.write(`${name} ${JSON.stringify(message.split('\n')[0])}: ${problem}\n`);
		process.exitCode = 1;
	}
