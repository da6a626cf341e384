import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {listAliases} from '../../../src/engines/ssh/hosts.ts';
import {tempFolder} from '../../support/temp-folder.ts';

/** A home with these files below `.ssh`. */
const homeWith = (files: Readonly<Record<string, string>>) => {
	const temp = tempFolder();
	for (const [name, text] of Object.entries(files)) {
		const path = join(temp.path, '.ssh', name);
		mkdirSync(dirname(path), {recursive: true});
		writeFileSync(path, text);
	}
	return temp;
};

test('aliases are the names of Host lines, in order and once, also of included files', () => {
	using home = homeWith({
		config: [
			'Include conf.d/*.conf "more/with blank" ~/.ssh/tilde',
			'# Host commented',
			'Host lab gpu-1 lab',
			'\tHostName 10.0.0.1',
			'host=equals',
			'  HOST   "quoted"   dotted.example.org',
			'HostName not-an-alias',
			'Match host matched',
			'Host after # comment',
		].join('\n'),
		'conf.d/20.conf': 'Host second\r\n\tPort 22\r\n',
		'conf.d/10.conf': 'Host first\n',
		'conf.d/10.txt': 'Host other-ending\n',
		'conf.d/.hidden.conf': 'Host hidden\n',
		'more/with blank': 'Host blank\n',
		tilde: 'Host tilde\n',
	});
	expect(listAliases(home.path)).toEqual([
		...['first', 'second', 'blank', 'tilde'],
		...['lab', 'gpu-1', 'equals', 'quoted', 'dotted.example.org', 'after'],
	]);
});

test('patterns, negations and names that ssh could read as something else are no aliases', () => {
	const hostile = [
		...['*', '!lab', 'gpu-?', '*.example.org'],
		...['-oProxyCommand=touch', '"-l root"', "'quoted'", '$(reboot)', '`reboot`', 'a;b', 'user@host'],
		...['a/b', '../x', 'ssh://h', '[::1]', 'é', 'a\u001B[2J', 'x'.repeat(64), '.dot'],
	];
	using home = homeWith({config: `${hostile.map(name => `Host ${name}`).join('\n')}\nHost fine\n`});
	expect(listAliases(home.path)).toEqual(['fine']);
});

test('files that include each other, are missing or are no files end the search and break nothing', () => {
	using home = homeWith({
		config: 'Include config loop none/*.conf folder pipes/[\nHost last\n',
		loop: 'Include config\nHost in-loop\n',
		'folder/x': '',
		large: `Host large\n${'#'.repeat(1 << 20)}`,
	});
	symlinkSync('/dev/zero', join(home.path, '.ssh/endless'));
	writeFileSync(join(home.path, '.ssh/config'), 'Include loop endless large folder\nHost last\n');
	expect(listAliases(home.path)).toEqual(['in-loop', 'last']);
	using empty = tempFolder();
	expect(listAliases(empty.path)).toEqual([]);
});
