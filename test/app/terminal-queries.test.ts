import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createTerminalQueries, type TerminalReports} from '../../src/app/terminal-queries.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const asking = (
	name: string | undefined,
	asks: readonly (keyof TerminalReports)[] = ['ground', 'isWide'],
) => {
	const written: string[] = [];
	const heard: TerminalReports[] = [];
	const questions = createTerminalQueries(
		{name, asks},
		bytes => written.push(bytes),
		told => heard.push(told),
	);
	return {questions, written, heard};
};
test('queries end with one that every terminal answers, and the terminal is held until then', async () => {
	const {questions, written, heard} = asking('xterm-256color');
	expect(written).toEqual([
		'\u001B]11;?\u001B\\\u001B[H\u001B[8m○\u001B[m\u001B[6n\u001B[H\u001B[2K\u001B[c',
	]);
	questions.told('\u001B]11;rgb:ffff/ffff/ffff\u001B\\');
	questions.told('\u001B[1;3R');
	let isOver = false;
	const answered = questions.answered().then(() => (isOver = true));
	await vi.advanceTimersByTimeAsync(900);
	expect(isOver).toBe(false);
	questions.told('\u001B[?62;c');
	await answered;
	expect(heard).toEqual([{ground: 'light'}, {isWide: true}]);
	// Once the reply has arrived, the same bytes are a key.
	questions.told('\u001B[1;2R');
	expect(heard).toHaveLength(2);
});

test('a terminal that never replies is held for a second after the query, and no longer', async () => {
	const {questions} = asking('xterm-256color');
	let isOver = false;
	const answered = questions.answered().then(() => (isOver = true));
	await vi.advanceTimersByTimeAsync(999);
	expect(isOver).toBe(false);
	await vi.advanceTimersByTimeAsync(1);
	await answered;
	// A second wait resolves at once: the fake clock does not advance here.
	await questions.answered();
});

test.each(['linux', 'dumb', 'eterm-color', 'vt100', '', undefined])('TERM=%s is not asked', async name => {
	const {questions, written} = asking(name);
	expect(written).toEqual([]);
	await questions.answered();
});

const ALT_F3 = '\u001B[1;3R';

test('a key that looks like the width is a key where the width was not asked, or was told', () => {
	const unasked = asking('xterm-256color', ['ground']);
	unasked.questions.told(ALT_F3);
	const told = asking('xterm-256color');
	told.questions.told('\u001B[1;2R');
	told.questions.told(ALT_F3);
	const passed = asking('xterm-256color');
	passed.questions.told('\u001B[?62;c');
	passed.questions.ask('a picture?');
	passed.questions.told(ALT_F3);
	expect([unasked.heard, told.heard, passed.heard]).toEqual([[], [{isWide: false}], []]);
});
