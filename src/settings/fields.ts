// Fields that the files of the settings have in common; each says what it wants to be.
import {readFileSync} from 'node:fs';
import * as z from 'zod';
import {diskReason} from '../machine/disk-fault.ts';
import {codeOf, messageOf} from '../text/errors.ts';

/** Text of one line. `what` says what it is to be, with an example. */
export const textField = (what: string, longest = 500) =>
	z
		.string(`must be text: ${what}`)
		.trim()
		.min(1, `is empty: give ${what}`)
		.max(longest, `is longer than ${longest} characters`)
		.regex(/^\P{C}*$/u, 'holds a control character; retype it');

/** Why an address cannot be a base URL, or undefined; the address itself is not repeated, since it may hold a password. */
export const addressFault = (
	address: string,
	{example, instead}: {readonly example: string; /** Where a key belongs. */ readonly instead: string},
): string | undefined => {
	const url = URL.parse(address);
	if (!url || !/^https?:$/.test(url.protocol))
		return `is not an address; write one such as ${JSON.stringify(example)}`;
	if (url.username || url.password) return `holds a user name or password; take it out: ${instead}`;
	if (url.search || url.hash) return 'goes on after a "?" or "#"; end it before that';
	return undefined;
};

/** The address of something that answers over HTTP. `more`: why one that is well-formed cannot be used all the same. */
export const addressField = (
	what: string,
	{
		example,
		instead,
		more,
	}: {readonly example: string; readonly instead: string; readonly more?: (url: URL) => string | undefined},
) =>
	textField(`${what}, as in ${JSON.stringify(example)}`).superRefine((address, {addIssue}) => {
		const fault = addressFault(address, {example, instead}) ?? more?.(new URL(address));
		if (fault !== undefined) addIssue(fault);
	});

/** Names of fields in which people put keys. */
const SECRET = /key|token|secret|password|auth|bearer|headers?/i;

/** A field's name as it may be repeated: what looks like a key that was put where a name belongs may not. */
export const isPlainName = (field: string): boolean => /^[A-Za-z_]{1,24}\d?$/.test(field);

/** What is wrong with a field that is not there. `known`: what there is; `noKey`: where a key belongs. */
export const unknownField = (
	{path, keys: [field = '']}: z.core.$ZodIssueUnrecognizedKeys,
	known: string,
	noKey: string,
): string => {
	const named = isPlainName(field)
		? [...path, field].join('.')
		: `a field of ${path.join('.') || 'the whole'}`;
	return `${named}${SECRET.test(field) ? `: ${noKey}` : ` is not known; ${known}`}`;
};

/** The content of a file, undefined where there is none. `fail` gets why it cannot be read. */
export const contentOfFile = (
	file: string,
	elsewhere: string,
	fail: (why: string) => Error,
): string | undefined => {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return undefined;
		throw fail(diskReason(error, {elsewhere, file}) ?? messageOf(error));
	}
};
