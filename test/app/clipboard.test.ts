import {chmod, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {copyText} from '../../src/app/clipboard.ts';
import type {Copied} from '../../src/tui/core/store/deps.ts';

const TEXT = 'é日😀 "$HOME" `id`\n--second line\n';
const KEEPS =
	'cat > "$KEPT/$(basename "$0")"; printf "%s\\n" "$@" > "$KEPT/arguments"; env > "$KEPT/environment"';

type Asked = {
	/** Programs on PATH, by name, with their scripts. */
	readonly programs?: Readonly<Record<string, string>>;
	readonly env?: Readonly<Record<string, string>>;
	readonly platform?: NodeJS.Platform;
	readonly text?: string;
};
type Done = Copied & {
	readonly written: string;
	/** Content of a file that a program wrote. Null if there is none. */
	readonly kept: (name: string) => Promise<string | null>;
};

/** Copies text with programs that the test writes. PATH contains no other programs. */
const copying = async (
	{programs = {}, env = {}, platform = 'linux', text = TEXT}: Asked,
	look: (done: Done) => Promise<void> | void,
): Promise<void> => {
	const folder = await mkdtemp(join(tmpdir(), 'svc-tui-clipboard-'));
	try {
		for (const [name, does] of Object.entries(programs)) {
			await writeFile(join(folder, name), `#!/bin/sh\nPATH=/usr/bin:/bin\n${does}\n`);
			await chmod(join(folder, name), 0o755);
		}
		let written = '';
		const copied = await copyText(text, {
			env: {PATH: folder, KEPT: folder, SVC_API_KEY: 'key-0123456789', ...env},
			platform,
			patience: 'hang' in env ? 100 : 60_000,
			write(bytes) {
				written += bytes;
			},
		});
		await look({...copied, written, kept: name => readFile(join(folder, name), 'utf8').catch(() => null)});
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

const osc52 = (text: string): string => `\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`;
const known = {isInClipboard: true, isInTmux: false, isAsked: false, written: ''};
const asked = {isInClipboard: false, isInTmux: false, isAsked: true, written: osc52(TEXT)};

test.each([
	['wl-copy', {WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0'}, 'linux'],
	['xclip', {DISPLAY: ':0'}, 'linux'],
	['xsel', {DISPLAY: ':0'}, 'linux'],
	['pbcopy', {}, 'darwin'],
] as const)(
	'%s gets the text over standard input, without our key, and it is known to be in the clipboard',
	async (name, env, platform) => {
		await copying({programs: {[name]: KEEPS}, env, platform}, async done => {
			expect(done).toMatchObject(known);
			expect(await done.kept(name)).toBe(TEXT);
			expect(await done.kept('arguments')).not.toContain('second');
			expect(await done.kept('environment')).not.toMatch(/SVC_API_KEY|key-0123456789/);
		});
	},
);

test('a program that stays to hold the clipboard is not waited for', async () => {
	await copying(
		{programs: {xclip: `${KEEPS}; sleep 600 & echo $! > "$KEPT/holder"`}, env: {DISPLAY: ':0'}},
		async done => {
			expect(done).toMatchObject(known);
			process.kill(Number(await done.kept('holder')));
		},
	);
});

test.each([
	['there is no program', {}, {DISPLAY: ':0'}],
	['it fails', {xclip: 'exit 1'}, {DISPLAY: ':0'}],
	['it does not end', {xclip: 'exec sleep 600'}, {DISPLAY: ':0', hang: ''}],
	['it does not read', {xclip: 'exec 0<&-; exit 1'}, {DISPLAY: ':0'}],
	['there is no display', {xclip: KEEPS}, {}],
	[
		'the user sits elsewhere, at the other end of SSH',
		{xclip: KEEPS, pbcopy: KEEPS},
		{DISPLAY: ':0', SSH_CONNECTION: '192.0.2.1 5 192.0.2.2 22'},
	],
] as const)('the terminal is asked where %s, and no more is claimed', async (_, programs, env) => {
	await copying({programs, env}, done => expect(done).toMatchObject(asked));
});

test('the next program is tried where one fails', async () => {
	await copying(
		{programs: {'wl-copy': 'exit 1', xclip: KEEPS}, env: {DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0'}},
		async done => {
			expect(done).toMatchObject(known);
			expect(await done.kept('xclip')).toBe(TEXT);
		},
	);
});

test('an unread text of megabytes blocks nothing', async () => {
	const text = 'x'.repeat(3_000_000);
	await copying({programs: {xclip: 'exit 0'}, env: {DISPLAY: ':0'}, text}, done =>
		expect(done).toMatchObject(known),
	);
});

test('in tmux its buffer has the text, and tmux asks the terminal', async () => {
	await copying({programs: {tmux: KEEPS}, env: {TMUX: '/run/tmux,1,0'}}, async done => {
		expect(done).toMatchObject({isInClipboard: false, isInTmux: true, isAsked: true, written: ''});
		expect(await done.kept('tmux')).toBe(TEXT);
		expect(await done.kept('arguments')).toBe('load-buffer\n-w\n-\n');
	});
	await copying({programs: {tmux: KEEPS, xclip: KEEPS}, env: {TMUX: '/run/tmux,1,0', DISPLAY: ':0'}}, done =>
		expect(done).toMatchObject({...known, isInTmux: true}),
	);
	await copying({programs: {tmux: `[ "$2" = -w ] && exit 1\n${KEEPS}`}, env: {TMUX: '/run/tmux,1,0'}}, done =>
		expect(done).toMatchObject({...asked, isInTmux: true}),
	);
	await copying({env: {TMUX: '/run/tmux,1,0'}}, done => expect(done).toMatchObject(asked));
});

test('GNU screen hands the command on in pieces that it takes', async () => {
	await copying({env: {STY: '1.pts'}, text: TEXT.repeat(20)}, ({written}) => {
		const pieces = written.split('\u001B\\').slice(0, -1);
		expect(pieces.length).toBeGreaterThan(3);
		for (const piece of pieces) expect(piece).toMatch(/^\u001BP[^]{1,200}$/);
		expect(pieces.map(piece => piece.slice(2)).join('')).toBe(osc52(TEXT.repeat(20)));
	});
});
