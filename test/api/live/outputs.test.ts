import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createCellOutputs} from '../../../src/api/live/cell-outputs.ts';
import {createMessageCount} from '../../../src/api/live/message-count.ts';
import {
	completionIn,
	displayUpdate,
	inspectionIn,
	parseMessage,
	textOfFrame,
	type KernelMessage,
} from '../../../src/kernel/messages.ts';
import {executedCell} from '../../../src/contract/cells.ts';

const message = (type: string, content: object, id = 'm', parent = 'p'): KernelMessage => {
	const read = parseMessage(
		JSON.stringify({
			header: {msg_id: id, msg_type: type, session: 's'},
			parent_header: {msg_id: parent, msg_type: 'execute_request', session: 's'},
			metadata: {},
			content,
			channel: 'iopub',
		}),
	);
	if (read === null) throw new Error('no message');
	return read;
};
const printed = (text: string, name = 'stdout'): KernelMessage => message('stream', {name, text});
const display = (text: string, id?: string): KernelMessage =>
	message('display_data', {data: {'text/plain': text}, metadata: {}, transient: {display_id: id}});
const outputsOf = (...messages: readonly KernelMessage[]): readonly object[] => {
	const cell = createCellOutputs('code');
	for (const each of messages) cell.receive(each, 10);
	return cell.look().outputs;
};

test('consecutive text of a stream is one output, and other output in between divides it', () => {
	expect(outputsOf(printed('a'), printed('b'), printed('e', 'stderr'), printed('c'))).toEqual([
		{output_type: 'stream', name: 'stdout', text: 'ab'},
		{output_type: 'stream', name: 'stderr', text: 'e'},
		{output_type: 'stream', name: 'stdout', text: 'c'},
	]);
});

test('a failure that only the reply reports is an error, as of a magic that fails or a cell that was dropped', () => {
	const ended = (...messages: readonly KernelMessage[]) => {
		const cell = createCellOutputs('code');
		for (const each of messages) cell.receive(each, 10);
		cell.end();
		return cell.look().outputs;
	};
	const reply = (content: object): KernelMessage => message('execute_reply', content);
	const failed = {status: 'error', ename: 'UsageError', evalue: 'no %x', traceback: []};
	const error = {
		output_type: 'error',
		ename: 'UsageError',
		evalue: 'no %x',
		traceback: ['UsageError: no %x'],
	};
	expect(ended(printed('UsageError: no %x\n', 'stderr'), reply(failed))).toEqual([
		{output_type: 'stream', name: 'stderr', text: 'UsageError: no %x\n'},
		error,
	]);
	// Messages of different channels may arrive in any order. A reply may contain only the status.
	expect(ended(reply({status: 'error'}), printed('a'))).toMatchObject([
		{text: 'a'},
		{ename: 'Error', evalue: '', traceback: ['Error']},
	]);
	for (const status of ['aborted', 'abort'])
		expect(ended(reply({status}))).toMatchObject([
			{output_type: 'error', ename: 'Aborted', evalue: expect.stringContaining('did not run')},
		]);
	// If the kernel also published the error itself, the error appears only once.
	const published = message('error', {ename: 'UsageError', evalue: 'no %x', traceback: ['all']});
	expect(ended(reply(failed), published)).toMatchObject([{traceback: ['all']}]);
	for (const status of ['ok', undefined, null, 7]) expect(ended(reply({status}))).toEqual([]);
});

test('clear_output takes away at once, or with what comes next', () => {
	const clear = (wait: boolean): KernelMessage => message('clear_output', {wait});
	expect(outputsOf(printed('old'), clear(false))).toEqual([]);
	expect(outputsOf(printed('old'), clear(true))).toMatchObject([{text: 'old'}]);
	expect(outputsOf(printed('old'), clear(true), printed('new'))).toMatchObject([{text: 'new'}]);
	expect(outputsOf(printed('old'), clear(true), display('new'))).toMatchObject([
		{data: {'text/plain': 'new'}},
	]);
});

test('an update changes every display of its id, in any cell, and no other', () => {
	const one = createCellOutputs('one');
	const other = createCellOutputs('other');
	one.receive(display('a', 'x'), 10);
	one.receive(display('b', 'y'), 10);
	one.receive(display('c', 'x'), 10);
	other.receive(display('d', 'x'), 10);
	const update = displayUpdate(
		message('update_display_data', {data: {'text/plain': 'new'}, metadata: {}, transient: {display_id: 'x'}}),
	);
	if (update === null) throw new Error('no update');
	expect([one.update(update, 10), other.update(update, 10)]).toEqual([true, true]);
	const texts = (cell: typeof one): unknown[] =>
		cell.look().outputs.map(output => (output['data'] as {'text/plain': string})['text/plain']);
	expect(texts(one)).toEqual(['new', 'b', 'new']);
	expect(texts(other)).toEqual(['new']);
	expect(createCellOutputs('none').update(update, 10)).toBe(false);
});

test('endless displays are bounded, with one notice', () => {
	const cell = createCellOutputs('flood');
	for (let index = 0; index < 6000; index++) cell.receive(display('x'.repeat(10)), 100);
	const {outputs} = cell.look();
	expect(outputs).toHaveLength(5001);
	expect(outputs.at(-1)).toMatchObject({output_type: 'stream', name: 'stderr'});
	const large = createCellOutputs('large');
	for (let index = 0; index < 100; index++) large.receive(display('x'), 1 << 20);
	expect(large.look().outputs).toHaveLength(33);
	large.receive(message('clear_output', {wait: false}), 10);
	large.receive(display('y'), 10);
	expect(large.look().outputs).toHaveLength(1);
});

test('any data from a server is a message or ignored, and gives outputs that the API knows', () => {
	const hostile = fc.record({
		header: fc.oneof(fc.record({msg_id: fc.string(), msg_type: fc.string()}), fc.jsonValue()),
		msg_type: fc.oneof(
			fc.constantFrom(
				'stream',
				'display_data',
				'execute_result',
				'error',
				'execute_reply',
				'status',
				'clear_output',
				'update_display_data',
			),
			fc.jsonValue(),
		),
		parent_header: fc.jsonValue(),
		content: fc.oneof(
			fc.jsonValue(),
			fc.record({
				text: fc.jsonValue(),
				data: fc.jsonValue(),
				name: fc.jsonValue(),
				transient: fc.jsonValue(),
				payload: fc.jsonValue(),
				wait: fc.jsonValue(),
			}),
		),
	});
	fc.assert(
		fc.property(
			fc.array(
				fc.oneof(
					hostile.map(value => JSON.stringify(value)),
					fc.string(),
				),
				{maxLength: 20},
			),
			texts => {
				const cell = createCellOutputs('code');
				const count = createMessageCount(() => false);
				for (const text of texts) {
					const read = parseMessage(text);
					if (read === null) continue;
					count.see(read);
					cell.receive(read, text.length);
					completionIn(read, 'code');
					inspectionIn(read);
					const update = displayUpdate(read);
					if (update) cell.update(update, text.length);
				}
				expect(executedCell.safeParse(cell.look()).success).toBe(true);
			},
		),
	);
	for (const text of [
		'',
		'null',
		'[]',
		'7',
		'{',
		'{}',
		'['.repeat(200_000),
		`{"content":${'{"a":'.repeat(50_000)}`,
	])
		expect(parseMessage(text)).toBeNull();
	expect(parseMessage(Buffer.from('{}'))).toBeNull();
});

test("completions use the kernel's character positions, not code units", () => {
	const code = 'x = "🙂"; os.pa';
	const found = completionIn(
		message('complete_reply', {matches: ['path'], cursor_start: 12, cursor_end: 14, status: 'ok'}),
		code,
	);
	expect(found).toEqual({from: 13, to: 15, words: [{text: 'path', kind: '', signature: ''}]});
	expect(code.slice(13, 15)).toBe('pa');
	expect(completionIn(message('complete_reply', {matches: 'x'}), code)).toBeNull();
	expect(
		completionIn(message('complete_reply', {matches: ['x'], cursor_start: 3, cursor_end: 2}), code),
	).toBeNull();
});

test('completions have the kinds and signatures that the kernel knows, each once', () => {
	const types = [
		{text: 'loads', type: 'function', signature: '(s)'},
		{text: 'load', type: '<unknown>'},
		{text: 7, type: 'x'},
		'odd',
	];
	const found = (metadata: unknown): unknown =>
		completionIn(
			message('complete_reply', {
				matches: ['load', 'loads', 'load'],
				cursor_start: 0,
				cursor_end: 2,
				metadata,
			}),
			'lo',
		)?.words;
	expect(found({_jupyter_types_experimental: types})).toEqual([
		{text: 'load', kind: '', signature: ''},
		{text: 'loads', kind: 'function', signature: '(s)'},
	]);
	for (const metadata of [undefined, null, 'odd', {_jupyter_types_experimental: 'odd'}])
		expect(found(metadata)).toEqual([
			{text: 'load', kind: '', signature: ''},
			{text: 'loads', kind: '', signature: ''},
		]);
});

test("the kernel's description of a name is text, nothing, or no reply, and bounded", () => {
	const found = (content: object): string | null => inspectionIn(message('inspect_reply', content));
	expect(found({found: true, data: {'text/plain': 'Signature: f()'}})).toBe('Signature: f()');
	expect(found({found: false, data: {}})).toBe('');
	expect(found({found: true, data: {'text/html': '<b>f</b>'}})).toBe('');
	expect(found({status: 'error'})).toBeNull();
	expect(found({found: true, data: {'text/plain': 'x'.repeat(1 << 20)}})).toHaveLength(1 << 18);
});

test('a binary frame has its message as its first part, and an invalid frame has none', () => {
	const json = Buffer.from('{"msg_type":"comm_msg"}');
	const frame = (...numbers: readonly number[]): Buffer => {
		const head = Buffer.alloc(4 * numbers.length);
		for (const [index, number] of numbers.entries()) head.writeUInt32BE(number, 4 * index);
		return Buffer.concat([head, json, Buffer.from([0, 255, 1])]);
	};
	expect(textOfFrame(frame(2, 12, 12 + json.length))).toBe(json.toString());
	expect(textOfFrame(frame(1, 8))).toContain(json.toString());
	for (const bad of [frame(0), frame(2, 12, 9999), frame(2, 0, 12), frame(9), Buffer.alloc(3)])
		expect(textOfFrame(bad)).toBeNull();
	fc.assert(fc.property(fc.uint8Array(), bytes => void textOfFrame(Buffer.from(bytes))));
});

test('messages that did not come are counted, and the answers to others are none of them', () => {
	const ours = new Set(['p']);
	const count = createMessageCount(id => ours.has(id));
	const see = (number: number, type = 'stream', content = {}, parent = 'p'): void =>
		count.see(message(type, content, `session_42_${number}`, parent));
	expect(count.missing()).toBeNull();
	for (const number of [10, 11, 12]) see(number);
	expect(count.missing()).toBe(0);
	// A message of another channel may arrive earlier.
	see(14);
	see(13);
	expect(count.missing()).toBe(0);
	// Messages of another client's request: busy, a reply to that client, idle.
	see(15, 'status', {execution_state: 'busy'}, 'other');
	see(17, 'status', {execution_state: 'idle'}, 'other');
	expect(count.missing()).toBe(0);
	// The other client's cell calls `input()`, which only that client receives. Its outputs do not
	// belong to this cell.
	see(18, 'status', {execution_state: 'busy'}, 'asks');
	see(22, 'status', {execution_state: 'idle'}, 'asks');
	expect(count.missing()).toBe(0);
	see(23);
	expect(count.missing()).toBe(0);
	// A request of the server itself. Outputs before its `idle` belong to that request.
	see(26, 'status', {execution_state: 'idle'}, 'server');
	expect(count.missing()).toBe(0);
	see(29);
	expect(count.missing()).toBe(2);
	count.begin();
	expect(count.missing()).toBe(0);
	see(999_999_999);
	expect(count.missing()).toBeGreaterThan(1_000_000);
});
