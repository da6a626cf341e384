import {expect, test} from 'vitest';
import {diskReason} from '../../src/machine/disk-fault.ts';

const CODES = [
	'EACCES',
	'EPERM',
	'EROFS',
	'ENOSPC',
	'EDQUOT',
	'ENOTDIR',
	'EISDIR',
	'EEXIST',
	'ENOENT',
	'ELOOP',
	'ENAMETOOLONG',
	'EIO',
	'EMFILE',
	'ENFILE',
];

test.each(CODES)('%s is explained with cause and remedy, without its code', code => {
	const fault = Object.assign(new Error(`${code}: it failed, open '/home/x/y'`), {
		code,
		syscall: 'open',
		path: '/home/x/y',
	});
	const said = diskReason(fault, {elsewhere: 'name another folder with --data'}) ?? '';
	const [cause = '', cure = ''] = said.split('; ');
	expect(cause).toMatch(/\w+ \w+ \w+/);
	expect(cure).toMatch(
		/name another folder with --data|free some space|close some programs|move (?:it|that file) away/,
	);
	expect(said).not.toMatch(/\bE[A-Z]{3,}\b/);
});

test('an unknown fault is reported by its code with a remedy, and an error unrelated to the disk is not explained', () => {
	const odd = Object.assign(new Error('x'), {code: 'EXDEV', syscall: 'rename', path: '/a', dest: '/b'});
	expect(diskReason(odd, {elsewhere: 'name another'})).toBe('system error EXDEV for /b; name another');
	expect(diskReason(new TypeError('x is not a function'), {elsewhere: 'name another'})).toBeNull();
});
