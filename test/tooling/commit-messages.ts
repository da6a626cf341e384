// Checks commit messages: the message in the given file (from `.githooks/commit-msg`), or those of
// the commits since `BASE`; earlier ones are exempt. `git config core.hooksPath .githooks` installs
// the hook.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {commitProblems} from './language-checks.ts';

const BASE = 'ae31f517373a2cf9c4ff8f4bc35b9f3e6aee7cf9';

/** The message without git's comments and the diff of `git commit --verbose`. */
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
// A shallow clone, or a copy without git.
if (messages === null)
	process.stderr.write(`commit messages: not checked, ${BASE.slice(0, 8)} is not in the history\n`);
for (const [name, message] of messages ?? [])
	for (const problem of commitProblems(message)) {
		process.stderr.write(`${name} ${JSON.stringify(message.split('\n')[0])}: ${problem}\n`);
		process.exitCode = 1;
	}
