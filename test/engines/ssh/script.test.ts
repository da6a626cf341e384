import {spawnSync} from 'node:child_process';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {composeScript, hasBegun, quoted, readScript} from '../../../src/engines/ssh/script.ts';
import {sbatchWords} from '../../../src/engines/ssh/slurm-request.ts';

const sh = (script: string): string =>
	spawnSync('/bin/sh', {input: script, env: {PATH: '/usr/bin:/bin'}, encoding: 'utf8'}).stdout;

/** Texts that a shell would interpret if they were not quoted. */
const texts = fc.oneof(
	fc.string({unit: 'binary', maxLength: 200}).map(text => text.replaceAll('\0', '').toWellFormed()),
	fc
		.array(
			fc.constantFrom(
				"'",
				'"',
				'`',
				'$(',
				')',
				'\\',
				'\n',
				' ',
				'*',
				'~',
				'!',
				'-n',
				'%s',
				'$HOME',
				'#',
				'é',
			),
			{maxLength: 30},
		)
		.map(parts => parts.join('')),
);

test('a quoted text comes out of a shell as it was', () => {
	// Each shell receives many texts, because starting one takes milliseconds.
	fc.assert(
		fc.property(fc.array(texts, {minLength: 1, maxLength: 40}), all => {
			const printed = sh(all.map(text => `printf '%s\\036\\n' ${quoted(text)}\n`).join(''));
			expect(printed).toBe(all.map(text => `${text}\u001E\n`).join(''));
		}),
		{numRuns: 60},
	);
	expect(() => quoted('a\0b')).toThrow(TypeError);
});

test('options of sbatch reach it as single words, whatever is in them', () => {
	const job = {partition: 'gpu', gpu: null, cpus: 1, memory: 1, limit: null};
	fc.assert(
		fc.property(fc.array(texts, {maxLength: 5}), options => {
			const words = quoted(sbatchWords(job, {options}));
			const printed = sh(`words=${words}\neval "set -- $words"\nprintf '%s\\036\\n' "$@"\n`);
			expect(printed).toBe(
				['--partition=gpu', '--cpus-per-task=1', '--mem=1G', '--no-requeue', ...options]
					.map(word => `${word}\u001E\n`)
					.join(''),
			);
		}),
		{numRuns: 60},
	);
});

test('a script sets its values, and a part of one does nothing', () => {
	const {nonce, text} = composeScript(['nothing.sh'], {one: "it's $HOME `x`", two: 2});
	const shown = text.replace(/(?=finish\s*\}\s*$)/, 'say one "$one"\nsay two "$two"\n');
	expect(shown).not.toBe(text);
	expect(readScript(sh(shown), nonce)).toEqual([
		['one', "it's $HOME `x`"],
		['two', '2'],
	]);
	// The shell reads the whole block before it runs any of it.
	const lines = text.split('\n');
	for (let count = 0; count < lines.length - 1; count++)
		expect(sh(lines.slice(0, count).join('\n')), `${count} lines`).toBe('');
});

test('noise around the answer is left out, and an answer without an end is none', () => {
	const nonce = 'svc-0011223344556677';
	const answer = `\n${nonce}-begin\nkey value of it\n\nalone\n\n${nonce}-end\n`;
	const lines = [
		['key', 'value of it'],
		['alone', ''],
	];
	expect(readScript(`Welcome!\n\u001B[2J${answer}logout\n`, nonce)).toEqual(lines);
	for (let cut = 0; cut < answer.length; cut++) {
		expect(readScript(answer.slice(0, cut), nonce), `${cut} bytes`).toBeNull();
		expect(hasBegun(answer.slice(0, cut), nonce)).toBe(cut >= `\n${nonce}-begin\n`.length);
	}
	// Output with the markers of another run is ignored.
	expect(readScript(answer, 'svc-8899aabbccddeeff')).toBeNull();
});
