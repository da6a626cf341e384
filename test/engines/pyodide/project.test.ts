// @module-tag long
// A folder of the user as a server's folder. Programs on the machine see its links and git data,
// the code does not.
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createPyodideEngine} from '../../../src/engines/pyodide/pyodide-engine.ts';
import {sessionOptions} from '../../support/session-options.ts';
import {tempFolder} from '../../support/temp-folder.ts';
import {printed} from './python.ts';

/** Tries each line and prints the outcome. */
const TRY = `
def attempt(what):
    try:
        print(repr(eval(what)))
    except BaseException as error:
        print(type(error).__name__)
`;

test('code sees the files of a project, and neither .git nor what links lead to', async () => {
	using temp = tempFolder();
	const root = join(realpathSync(temp.path), 'project, [a] b');
	mkdirSync(join(root, 'src'), {recursive: true});
	execFileSync('git', ['init', '-q', root]);
	execFileSync('git', ['init', '-q', join(root, 'src/inner')]);
	writeFileSync(join(temp.path, 'secret.txt'), 'outside\n');
	writeFileSync(join(root, 'a.txt'), 'inside\n');
	symlinkSync(temp.path, join(root, 'out'));
	symlinkSync('../secret.txt', join(root, 'out.txt'));
	symlinkSync('.git', join(root, 'git'));
	symlinkSync('a.txt', join(root, 'same.txt'));
	const config = readFileSync(join(root, '.git/config'), 'utf8');
	const engine = createPyodideEngine();
	const session = await engine.open({...sessionOptions(root), isProject: true});
	try {
		const attempt = async (code: string): Promise<string> =>
			printed(
				(await session.run(`${TRY}\nattempt(${JSON.stringify(code)})`, {kernel: 'python3'})).outputs,
			).trim();
		expect(await attempt("open('a.txt').read()")).toBe(String.raw`'inside\n'`);
		expect(await attempt("open('same.txt').read()")).toBe(String.raw`'inside\n'`);
		expect(await attempt("open('src/new.txt', 'w').write('made')")).toBe('4');
		expect(readFileSync(join(root, 'src/new.txt'), 'utf8')).toBe('made');
		expect(await attempt("sorted(__import__('os').listdir('.'))")).toBe(
			"['a.txt', 'git', 'out', 'out.txt', 'same.txt', 'src']",
		);
		expect(await attempt("__import__('os').listdir('src/inner')")).toBe('[]');
		const os = "__import__('os')";
		for (const code of [
			"open('.git/config').read()",
			"open('.GIT/config').read()",
			"open('git~1', 'w').write('x')",
			"open('.g\\u200Cit', 'w').write('x')",
			"open('.hg', 'w').write('x')",
			"open('git/config').read()",
			"open('.git/hooks/post-checkout', 'w').write('x')",
			"open('src/.git', 'w').write('x')",
			"open('src/inner/.git/config', 'a').write('x')",
			`${os}.mkdir('src/.git')`,
			`${os}.rename('src', '.git')`,
			`${os}.rename('.git', 'bare')`,
			"open('out.txt').read()",
			"open('out/secret.txt').read()",
			"open('out/new.txt', 'w').write('x')",
			`${os}.symlink('/etc', 'etc')`,
		])
			expect(await attempt(code), code).toMatch(
				/^(?:PermissionError|FileNotFoundError|OSError|NotADirectoryError)$/,
			);
		// Accesses the folder without Python's view of it.
		for (const place of ['out', 'git', 'out/x', '.git'])
			expect(
				await attempt(
					`(__import__('pyodide_js').FS.mkdirTree('/tmp/x'), __import__('pyodide_js').mountNodeFS('/tmp/x', ${JSON.stringify(join(root, place))}), ${os}.listdir('/tmp/x'))`,
				),
				place,
			).toMatch(/Error$|Exception$/);
		expect(
			await attempt(
				`(setattr(__import__('pyodide_js').FS.lookupPath('/home/user').node.mount.opts, 'root', ${JSON.stringify(join(root, 'out'))}), open('secret.txt').read())`,
			),
		).toMatch(/Error$|Exception$/);
	} finally {
		await session.close();
		await engine.close();
	}
	expect(readFileSync(join(root, '.git/config'), 'utf8')).toBe(config);
	expect(existsSync(join(root, '.git/hooks/post-checkout'))).toBe(false);
	expect(existsSync(join(temp.path, 'new.txt'))).toBe(false);
});
