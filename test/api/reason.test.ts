import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {reasonIn, reasonOf} from '../../src/api/reason.ts';
import {codePoint} from '../support/code-points.ts';

const json = (value: unknown): string => reasonOf(JSON.stringify(value));

describe('the reason of a refusal is found', () => {
	test.each<[string, unknown, string]>([
		['message', {status: 'error', message: 'Add a card.'}, 'Add a card.'],
		['msg', {msg: 'add a card'}, 'add a card'],
		['reason', {reason: 'add a card'}, 'add a card'],
		['detail as text', {detail: 'add a card'}, 'add a card'],
		[
			'detail as a list of what fails',
			{
				detail: [
					{loc: ['body', 'port'], msg: 'Input should be a valid integer', type: 'int_parsing', input: 'x'},
					{loc: ['body', 'server_name'], msg: 'Field required'},
				],
			},
			'port: Input should be a valid integer; server_name: Field required',
		],
		['detail as an object', {detail: {code: 'no_card', message: 'Add a card'}}, 'Add a card (no_card)'],
		['error as text', {error: 'add a card'}, 'add a card'],
		[
			'error with a code and a reason',
			{error: {code: 'no_card', reason: 'add a card'}},
			'add a card (no_card)',
		],
		[
			'error with a number and a message, as this service',
			{status: 'error', error: {code: 402, message: 'Add a card.'}},
			'Add a card.',
		],
		['OAuth', {error: 'invalid_request', error_description: 'add a card'}, 'invalid_request: add a card'],
		[
			'problem details',
			{type: 'about:blank', title: 'Payment required', status: 402, detail: 'Add a card.', instance: '/x'},
			'Payment required: Add a card.',
		],
		[
			'problem details with fields',
			{
				title: 'One or more validation errors occurred.',
				status: 400,
				errors: {Port: ['The port is too high.']},
			},
			'One or more validation errors occurred: Port: The port is too high.',
		],
		[
			'Spring',
			{
				timestamp: '2026-01-01T00:00:00Z',
				status: 402,
				error: 'Payment Required',
				message: 'add a card',
				path: '/api/servers',
			},
			'Payment Required: add a card',
		],
		[
			'Nest',
			{statusCode: 400, message: ['port must be a number', 'server_name is empty'], error: 'Bad Request'},
			'Bad Request: port must be a number; server_name is empty',
		],
		[
			'Jupyter',
			{message: 'Server did not start', reason: 'add a card', traceback: 'Traceback…'},
			'Server did not start: add a card',
		],
		[
			'Django REST',
			{port: ['A valid integer is required.'], non_field_errors: ['Add a card.']},
			'Add a card.',
		],
		[
			'a map of fields',
			{port: ['A valid integer is required.'], name: 'is taken'},
			'port: A valid integer is required; name: is taken',
		],
		['errors as texts', {errors: ['add a card', 'and a name']}, 'add a card; and a name'],
		[
			'errors as objects',
			{message: 'Validation failed', errors: [{field: 'port', message: 'is too high'}]},
			'Validation failed: port: is too high',
		],
		[
			'JSON:API',
			{errors: [{status: '402', source: {pointer: '/data/port'}, title: 'Invalid', detail: 'add a card'}]},
			'/data/port: Invalid: add a card',
		],
		[
			'GraphQL',
			{data: null, errors: [{message: 'add a card', path: ['createServer']}]},
			'createServer: add a card',
		],
		[
			'a gateway',
			{errorMessage: '{"error":{"message":"add a card"}}', errorType: 'Refused'},
			'Refused: add a card',
		],
		['a text', 'add a card', 'add a card'],
		['a list', ['add a card'], 'add a card'],
		['many', {errors: ['a', 'b', 'c', 'd', 'e']}, 'a; b; c (and 2 more)'],
		['only a code', {status: 'error', code: 'card_required'}, 'code: card_required'],
		['a shape that nobody has seen', {oops: {what: 'add a card'}}, 'oops: what: add a card'],
		['status alone', {status: 'Payment required: add a card'}, 'Payment required: add a card'],
		['Status with a capital letter', {Status: 'Name taken'}, 'Name taken'],
		['status as a code', {status: 'quota_exceeded'}, 'quota_exceeded'],
		['status as an object', {status: {code: 'no_card', message: 'add a card'}}, 'add a card (no_card)'],
		[
			'status and a message',
			{status: 'Payment required', message: 'Add a card'},
			'Payment required: Add a card',
		],
		[
			'a status code and a message',
			{status: 'PERMISSION_DENIED', message: 'Not you'},
			'Not you (PERMISSION_DENIED)',
		],
		['status in another language', {status: '支付失败'}, '支付失败'],
		['status within an error', {error: {status: 'Out of credit'}}, 'Out of credit'],
		['a bare status', {status: 'FAILED', message: null}, ''],
		['a number as status', {status: '402'}, ''],
		['nothing', {status: 'error', message: '', errors: [], detail: null, code: 7}, ''],
	])('in JSON: %s', (_, body, reason) => {
		expect(json(body)).toBe(reason);
		expect(reasonIn(body)).toBe(reason);
	});

	test.each([
		['plain text', 'add a card\n', 'add a card'],
		[
			'a page',
			'<!DOCTYPE html><html><head><title>402 Payment Required</title><style>p{}</style></head><body><h1>Payment Required</h1><p>Add&nbsp;a card.</p><script>x</script></body></html>',
			'402 Payment Required: Payment Required Add a card.',
		],
		[
			'a page of nginx',
			'<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx/1.24.0</center>\r\n</body>\r\n</html>',
			'502 Bad Gateway nginx/1.24.0',
		],
		[
			'XML',
			'<?xml version="1.0"?><Error><Code>NoCard</Code><Message>Add a card</Message></Error>',
			'NoCard Add a card',
		],
		[
			'a page with characters by their names',
			'<html><head><title>Can&#39;t &amp; won&rsquo;t</title></head><body><p>Caf&eacute; &quot;x&quot; &#x27;y&#x27;</body></html>',
			"Can't & won’t: Café \"x\" 'y'",
		],
		[
			'XML with entities',
			'<Error><Message>Can&apos;t &lt;start&gt; &amp; run</Message></Error>',
			"Can't <start> & run",
		],
		[
			'a traceback',
			'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: add a card\n',
			'ValueError: add a card',
		],
		['JSON that broke off', '{"message":"add a ca', '{"message":"add a ca'],
		['bytes', '\u0000\u0001\ufffd\ufffd\ufffdx', ''],
		['nothing', ' \n', ''],
	])('in %s', (_, body, reason) => {
		expect(reasonOf(body)).toBe(reason);
	});

	const wrap = (words: fc.Arbitrary<string>) =>
		fc.letrec<{reason: unknown}>(tie => ({
			reason: fc.oneof(
				{depthSize: 'small', maxDepth: 3},
				words,
				fc
					.tuple(
						fc.constantFrom(
							'message',
							'msg',
							'detail',
							'error',
							'errors',
							'reason',
							'description',
							'error_description',
							'details',
						),
						tie('reason'),
					)
					.map(([name, value]) => ({
						status: 'error',
						[name]: value,
						code: 1,
						path: '/api',
						timestamp: 'now',
					})),
				fc
					.tuple(tie('reason'), fc.constantFrom('port', 'server_name'))
					.map(([value, field]) => ({detail: [{loc: ['body', field], msg: value}]})),
				tie('reason').map(value => [value]),
				tie('reason').map(value => JSON.stringify(value)),
			),
		})).reason;

	test('at any position', () => {
		const words = fc.stringMatching(/^[A-Za-z][a-z]{2,20}( [a-z]{1,9}){1,4}$/);
		fc.assert(
			fc.property(
				words.chain(said => wrap(fc.constant(said)).map(body => ({said, body}))),
				({said, body}) => {
					expect(json(body)).toContain(said);
				},
			),
		);
	});

	// Quadratic parsing would take minutes for each of these texts.
	test.each(['<!x<![CDATA[', '<title', '<html><title', '<?', '{"message":"', '\t\n '])(
		'in two million characters of %j, soon',
		part => {
			const text = part.slice(0, 2) + part.repeat(2_000_000 / part.length);
			for (const reason of [
				reasonOf(text),
				reasonIn({status: 'x', message: text}),
				reasonIn([text, {detail: text}]),
			])
				expect(reason.length).toBeLessThanOrEqual(300);
		},
	);

	test('in any JSON and any text without a throw, on one line of at most 300 characters', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					fc.json({maxDepth: 6}),
					fc.string({unit: codePoint, maxLength: 2000}),
					wrap(fc.string()).map(body => JSON.stringify(body)),
				),
				body => {
					const reason = reasonOf(body);
					expect(reason.length).toBeLessThanOrEqual(300);
					expect(reason).not.toMatch(/[\r\n\t]/);
				},
			),
		);
		for (const deep of [
			'['.repeat(30_000),
			`${'['.repeat(30_000)}"x"${']'.repeat(30_000)}`,
			'{"error":'.repeat(7000),
		])
			expect(reasonOf(deep).length).toBeLessThanOrEqual(300);
	});
});
