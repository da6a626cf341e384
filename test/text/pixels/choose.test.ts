import fc from 'fast-check';
import {expect, test} from 'vitest';
import {withReply, type PictureReplies} from '../../../src/text/pixels/terminal-replies.ts';
import {choosePictureMode, type PictureSupport} from '../../../src/text/pixels/choose.ts';
import {createInputFilter} from '../../../src/tui/core/keys/stdin-filter.ts';
import {TERMINALS, type Replies} from '../../support/pictures.ts';
import {codePoint} from '../../support/code-points.ts';

const facts: Omit<PictureSupport, 'answers'> = {
	setting: 'auto',
	env: {},
	depth: 24,
	cells: {width: 80, height: 24},
	tmux: null,
};
const heard = (replies: Replies): PictureReplies =>
	Object.values(replies).reduce<PictureReplies>(withReply, {});
const how = (more: Partial<PictureSupport>): string =>
	choosePictureMode({...facts, answers: {}, ...more}).how;

test('inside tmux pictures are part of the text if the outer terminal supports that, and nowhere else', () => {
	const cell = {width: 9, height: 18};
	const answers = {isKitty: true};
	const tmux = {passthrough: 'on', name: 'kitty(0.40.1)', features: '256,RGB,title', cell};
	expect(choosePictureMode({...facts, answers, tmux})).toMatchObject({how: 'kitty', cell, isInText: true});
	for (const worse of [
		{tmux: {...tmux, passthrough: 'off'}},
		{tmux: {...tmux, passthrough: null}},
		{tmux: {...tmux, name: 'kitty(0.27.9)'}},
		{tmux: {...tmux, name: 'WezTerm 20240203'}},
		{tmux: {...tmux, cell: {width: Number.NaN, height: 0}}},
		// A placeholder encodes the number of its picture as a colour.
		{tmux: {...tmux, features: '256,title'}},
		{tmux, depth: 8},
		{tmux, answers: {}},
		{tmux, answers: {isKitty: false}},
		// The program tmux itself reports sixel support, but the terminal around it may have none.
		{tmux, answers: {isSixel: true, cell}},
	])
		expect(how({answers, ...worse})).toBe('blocks');
});

test('a name in the environment counts only if the terminal reports no other', () => {
	const env = {TERM_PROGRAM: 'iTerm.app'};
	const cell = {width: 9, height: 18};
	expect(how({env, answers: {cell, isSixel: false}})).toBe('iterm2');
	expect(how({env, answers: {...heard(TERMINALS.plain)}})).toBe('blocks');
	expect(how({answers: {name: 'WezTerm 20240203-110809', isKitty: true, cell}})).toBe('iterm2');
});

test('the size of the window gives the size of a cell', () => {
	const answers = {isSixel: true, window: {width: 800, height: 480}};
	expect(choosePictureMode({...facts, answers})).toMatchObject({how: 'sixel', cell: {width: 10, height: 20}});
	expect(how({answers: {...answers, window: {width: 0, height: 0}}})).toBe('blocks');
});

test('replies in pieces, between keys, are received whole and never typed', () => {
	const all = Object.values(TERMINALS.kitty).join('x');
	fc.assert(
		fc.property(fc.array(fc.nat(all.length), {maxLength: 6}), cuts => {
			let typed = '';
			let answers: PictureReplies = {};
			const filter = createInputFilter(
				text => (typed += text),
				report => (answers = withReply(answers, report)),
			);
			const places = [0, ...cuts.toSorted((one, other) => one - other), all.length];
			for (const [index, from] of places.entries())
				filter.push(all.slice(from, places[index + 1] ?? all.length));
			expect(typed).toBe('xxx');
			expect(answers).toEqual(heard(TERMINALS.kitty));
		}),
	);
});

test('no bytes of a terminal distort the replies', () => {
	fc.assert(
		fc.property(fc.string({unit: codePoint}), text => {
			const look = choosePictureMode({...facts, answers: withReply({}, `\u001BP>|${text}\u001B\\`)});
			expect(look.how).toBe('blocks');
		}),
	);
});
