// Headers that go along with the questions to a model. They are written in the settings, so that none may hold a key.
import * as z from 'zod';

const NAME = /^[\w!#$%&'*+.^`|~-]{1,64}$/;
/** What the request itself is made of. */
const OWN = /^(?:host|connection|content-.*|accept|te|trailer|transfer-encoding|upgrade|expect|keep-alive)$/i;
const SECRET_NAME = /key|token|secret|passw|auth|cookie|credential|signature/i;
/** As keys of providers begin, and how they stand in a header. */
const SECRET_VALUE = /^(?:bearer|basic|token)\s|\b(?:sk|pk|hf|gsk|xai|nvapi|ghp|glpat|AIza)[-_]?[\w-]{12,}/i;
const MOST = 20;

/** Name of the header that carries the key. */
export const headerName = z
	.string('must be the name of a header, as in "api-key"')
	.regex(NAME, 'is not the name of a header; the key itself does not belong here')
	.refine(name => !OWN.test(name), 'is a header that the request itself needs; use another');

const faultOf = (name: string, value: unknown, noKey: string): string | undefined => {
	if (SECRET_NAME.test(name)) return `names a secret: ${noKey}, and its header with "keyHeader"`;
	if (!NAME.test(name)) return 'has a name that no header can have';
	if (OWN.test(name)) return `holds ${name.toLowerCase()}, which the request itself needs; take it out`;
	if (typeof value !== 'string' || !/^[\u0020-\u007E]{1,1000}$/.test(value))
		return 'must be texts of 1 to 1000 printable ASCII characters';
	return SECRET_VALUE.test(value) ? `holds a key: ${noKey}, and its header with "keyHeader"` : undefined;
};

/** @param noKey where a key belongs */
export const headersField = (noKey: string) =>
	z
		.record(z.string(), z.unknown(), 'must be an object of names and texts, as in {"x-title": "Notebooks"}')
		.transform((headers, {addIssue}) => {
			const entries = Object.entries(headers);
			const fault =
				entries.length > MOST
					? `holds more than ${MOST} headers`
					: entries.map(([name, value]) => faultOf(name, value, noKey)).find(each => each !== undefined);
			if (fault !== undefined) addIssue(fault);
			return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
		});
