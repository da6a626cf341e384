import {expect, test} from 'vitest';
import {certificatesOf} from '../../src/machine/pem.ts';

const pem = (kind: string, body: string): string =>
	`-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----\n`;
const one = pem('CERTIFICATE', 'AAAA');
const other = pem('CERTIFICATE', 'BBBB');

test('the certificates of a PEM file are read, and nothing else in it', () => {
	const key = pem('PRIVATE KEY', 'c2VjcmV0');
	expect(certificatesOf(`# a word\n${key}${one}${key}${other}`)).toBe(one + other);
	expect([certificatesOf(key), certificatesOf('hello'), certificatesOf('')]).toEqual(['', '', '']);
});
