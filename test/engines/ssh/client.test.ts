import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	checkArgs,
	exitArgs,
	forwardArgs,
	isFarSocket,
	masterArgs,
	scriptArgs,
	type Target,
} from '../../../src/engines/ssh/client.ts';
import {isHostAlias} from '../../../src/contract/names.ts';

const CONTROL = '/run/user/1000/svc-tui/0123456789abcdef';
const FAR = '/tmp/svc-abcdefgh/s';
const CALLS: readonly ((target: Target) => readonly string[])[] = [
	masterArgs,
	scriptArgs,
	checkArgs,
	exitArgs,
	target => forwardArgs(target, `${CONTROL}.s`, FAR),
];

test('a host is one word that ssh cannot read as an option, or no call is made', () => {
	const hosts = fc.oneof(
		fc.string({unit: 'binary', maxLength: 70}),
		fc.string({maxLength: 12}).map(text => `-${text}`),
		fc.stringMatching(/^[A-Za-z0-9._-]{0,64}$/),
		fc.constantFrom('-oProxyCommand=x', '--', '', '-', 'a b', 'a\nb', 'lab;x', 'u@h', '_x', 'lab'),
	);
	fc.assert(
		fc.property(hosts, host => {
			for (const argsOf of CALLS) {
				if (!isHostAlias(host)) {
					expect(() => argsOf({host, control: CONTROL})).toThrow(TypeError);
					continue;
				}
				expect(host).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/);
				const args = argsOf({host, control: CONTROL});
				// All other arguments are the same as for any other host.
				expect(args.map(word => (word === host ? 'lab' : word))).toEqual(
					argsOf({host: 'lab', control: CONTROL}),
				);
			}
		}),
	);
});

test('no option weakens the check of host keys, and none asks the user', () => {
	for (const argsOf of CALLS) {
		const args = argsOf({host: 'lab', control: CONTROL});
		expect(args.filter(word => /StrictHostKeyChecking|UserKnownHostsFile|CheckHostIP/.test(word))).toEqual(
			[],
		);
		expect(args).toContain('BatchMode=yes');
	}
	// OpenSSH reports success with this option but sets up no forwarding.
	expect(forwardArgs({host: 'lab', control: CONTROL}, `${CONTROL}.s`, FAR)).not.toContain(
		'ClearAllForwardings=yes',
	);
});

test('a host cannot name another path for a forward than a socket of ours', () => {
	const paths = [
		...['', '/', '/var/run/docker.sock', 'svc-abcdefgh/s', '/tmp/svc-abcdefgh/s/', '/tmp/svc-abcdefgh/other'],
		...['/tmp/svc-abc/s', '/tmp/svc-abcdefgh/s:/etc', '/tmp/a b/svc-abcdefgh/s', '/tmp/svc-abcdefgh/s\n'],
		...['localhost:22', '/tmp/svc-abcdefg:/s', '/tmp/$HOME/svc-abcdefgh/s'],
	];
	for (const path of paths) {
		expect([path, isFarSocket(path)]).toEqual([path, false]);
		expect(() => forwardArgs({host: 'lab', control: CONTROL}, `${CONTROL}.s`, path)).toThrow(TypeError);
	}
	for (const port of [0, -1, 1.5, 65_536, Number.NaN])
		expect(() => forwardArgs({host: 'lab', control: CONTROL}, `${CONTROL}.s`, port)).toThrow(TypeError);
	expect(forwardArgs({host: 'lab', control: CONTROL}, `${CONTROL}.s`, 6006)).toContain(
		`${CONTROL}.s:localhost:6006`,
	);
	expect([FAR, '/scratch/alice/tmp.1/svc-A1b2C3d4/s'].map(isFarSocket)).toEqual([true, true]);
});
