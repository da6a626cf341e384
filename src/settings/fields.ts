// Field types shared by the settings files. Their messages state what they expect.
import {readFileSync} from 'node:fs';
import * as z from 'zod';
import {diskReason} from '../machine/disk-fault.ts';
import {codeOf, messageOf} from '../text/errors.ts';

/** Text of one line. `what`: the expected value, with an example. */
export const textField = (what: string, longest = 500) =>
	z
		.string(`must be text: ${what}`)
		.trim()
		.min(1, `is empty: give ${what}`)
		.max(longest, `is longer than ${longest} characters`)
		.regex(/^\P{C}*$/u, 'contains a control character; retype it');

/** Address of the file's JSON Schema, which editors read. */
export const schemaField = z.string('must be the address of a JSON Schema').optional();

/**
 * Reason why a base URL is invalid, or undefined. Never quotes the URL, which may contain a
 * password.
 */
export const addressFault = (
	address: string,
	{
		example,
		instead,
	}: {
		readonly example: string;
		/** Advice on where a key belongs. */
		readonly instead: string;
	},
): string | undefined => {
	const url = URL.parse(address);
	if (!url || !/^https?:$/.test(url.protocol))
		return `is not an address; write one such as ${JSON.stringify(example)}`;
	if (url.username || url.password) return `contains a user name or password; remove it: ${instead}`;
	if (url.search || url.hash) return 'must not contain "?" or "#"';
	return undefined;
};

/** HTTP address. `more`: an additional check of a well-formed address. */
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

/** Field names under which users put keys. */
const SECRET = /key|token|secret|password|auth|bearer|headers?/i;

/** True if a field name may be quoted. Anything else might be a key in the wrong position. */
export const isPlainName = (field: string): boolean => /^[A-Za-z_]{1,24}\d?$/.test(field);

/**
 * Message for an unknown field. `known`: the valid fields. `noKey`: advice on where a key belongs.
 */
export const unknownField = (
	{path, keys: [field = '']}: z.core.$ZodIssueUnrecognizedKeys,
	known: string,
	noKey: string,
): string => {
	const named = isPlainName(field)
		? [...path, field].join('.')
		: `a field of ${path.join('.') || 'the whole'}`;
	return `${named}${SECRET.test(field) ? `: ${noKey}` : ` is unknown; ${known}`}`;
};

/** Content of a file. Undefined if it does not exist. `fail`: creates the error from a reason. */
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
