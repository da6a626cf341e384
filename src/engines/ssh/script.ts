import {randomBytes} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

const folder = fileURLToPath(new URL('./ssh-scripts/', import.meta.url));

/** Content of a script file that is sent to hosts. */
export const scriptFile = (name: string): string => readFileSync(`${folder}${name}`, 'utf8');

/**
 * Value as a quoted word for a POSIX shell.
 * @throws {TypeError} for a NUL, which no shell word can contain.
 */
export const quoted = (text: string): string => {
	if (text.includes('\0')) throw new TypeError('a shell word has no NUL');
	return `'${text.replaceAll("'", String.raw`'\''`)}'`;
};

export type ScriptValues = Readonly<Record<string, string | number>>;

/** Lines that a script printed with its function `say`, in order. */
export type ScriptLines = readonly (readonly [key: string, value: string])[];

/**
 * Script, and the marker around its output. Starts with an empty line, because some `.bashrc` files
 * read a line.
 */
export const composeScript = (
	names: readonly string[],
	values: ScriptValues,
): {readonly nonce: string; readonly text: string} => {
	const nonce = `svc-${randomBytes(8).toString('hex')}`;
	const given = Object.entries(values).map(([name, value]) => `${name}=${quoted(String(value))}`);
	// The braces make the shell read the whole script before it runs any part of it.
	const text = [
		'',
		'{',
		`nonce=${nonce}`,
		...given,
		...['prelude.sh', ...names].map(scriptFile),
		'}',
		'',
	].join('\n');
	return {nonce, text};
};

/**
 * Lines between the markers. Null if a marker is missing, because the script did not run to its
 * end.
 */
export const readScript = (out: string, nonce: string): ScriptLines | null => {
	const begin = out.indexOf(`\n${nonce}-begin\n`);
	const end = out.lastIndexOf(`\n${nonce}-end\n`);
	if (begin < 0 || end < begin) return null;
	return out
		.slice(begin + nonce.length + '\n-begin\n'.length, end)
		.split('\n')
		.filter(line => line !== '')
		.map(line => {
			const at = line.indexOf(' ');
			return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
		});
};

/** True if the script started, in which case it may have had effects. */
export const hasBegun = (out: string, nonce: string): boolean => out.includes(`\n${nonce}-begin\n`);
