import {expect, test} from 'vitest';
import '../../../../src/tui/feature-list.ts';
import {bindingsOf} from '../../../../src/tui/core/keys/live-keys.ts';
import {readKeys} from '../../../../src/tui/core/keys/rebind.ts';

const fault = (entry: string, keys: unknown) => readKeys({[entry]: keys}).problems;

test("an action gets several keys of the user's own, and two actions may change theirs", () => {
	const {rebound, problems} = readKeys({'servers.start': ['c', 'ctrl+s'], 'servers.create': 's'});
	expect(problems).toEqual([]);
	const keys = Object.fromEntries(bindingsOf({rebound}, 'servers').map(row => [row.action, row.keys]));
	expect(keys).toMatchObject({start: ['c', 'ctrl+s'], create: ['s'], open: ['enter']});
});

test.each([
	['servers.start', 'c', /^"c" is also the key of servers\.create \(rent\)/],
	['servers.start', '1', /^"1" is also the key of global\.servers \(Servers\)/],
	['servers.start', 'ctrl+x', /^"ctrl\+x" is also a part of "(?:ctrl\+x|space) \S", the key of /],
	['repl.run', 'r', /^"r" would be typed as text there/],
	['anywhere.nextPane', 'space', /would be typed as text/],
	['servers.start', 'f5', /does not reach the program/],
	['servers.start', 'ctrl+i', /is the same as tab/],
	['servers.start', 'shift+g', /is written as the character itself: "G"/],
	['servers.start', 'entr', /is not a key: write one character/],
	['servers.start', 'a b c', /has more than two keys/],
	['servers.start', 7, /must be a key or a list of keys/],
	['servers.launch', 's', /^servers has no action "launch"; it has .*start/],
	['server.start', 's', /^there is no group of keys "server"; the groups are .*servers/],
	['__proto__.start', 's', /^there is no group of keys/],
	['always.interrupt', [], /^needs a key/],
])('%s as %j is reported with the fix, and the key table stays', (entry, keys, message) => {
	expect(fault(entry, keys)).toEqual([{entry, message: expect.stringMatching(message)}]);
	expect(readKeys({[entry]: keys}).rebound).toEqual({});
});

test('a key that is right stays when another entry is wrong', () => {
	const {rebound, problems} = readKeys({
		'servers.start': 'x',
		'compute.available': 'D',
		'compute.showAll': 'Z',
	});
	expect(rebound).toEqual({'servers.start': ['x'], 'compute.showAll': ['Z']});
	expect(problems).toEqual([
		{entry: 'compute.available', message: expect.stringContaining('compute.changes')},
	]);
});

test('keys that the table itself shares between groups are not a conflict', () => {
	expect(
		readKeys({'viewer.tree': ['esc', 'b'], 'turns.model': ['m', 'ctrl+x m'], 'global.help': ['?', 'H']})
			.problems,
	).toEqual([]);
});
