// Services as a third party might implement them from the text of the API. A seed decides each
// point that the text leaves open.
import type {Answer, Asked, Routes} from '../faults/hostile-service.ts';
import {createRandom} from '../support/random.ts';

type Random = Pick<ReturnType<typeof createRandom>, 'pick' | 'below'>;

/**
 * Seeds that together decide each open point in every possible way, including seeds that once
 * failed.
 */
export const FIXED_SEEDS: readonly number[] = [476, 2772, 3195, 3386, 533];

/** Code that such a service answers with an error. For all other code it prints something. */
export const RAISES = '1/0';

/** Data of a generated service, from which a test knows what must be on screen. */
export type Foreign = {
	readonly seed: number;
	/** The decisions that this seed takes at open points. `ways`: all possible decisions. */
	readonly made: ReadonlySet<string>;
	readonly ways: ReadonlySet<string>;
	readonly routes: Routes;
	/** Created or started servers become ready. */
	finishStarts(): void;
	readonly servers: readonly {
		readonly name: string;
		readonly state: string;
		/** The port; null if it is missing or unreadable. */
		readonly port: number | null;
		/** The requested compute option. */
		readonly request: string | null;
	}[];
	/** Tokens, which must never be visible. */
	readonly tokens: readonly string[];
	readonly compute: readonly {
		readonly id: string;
		/** The price; null if it is missing or unreadable. */
		readonly price: number | null;
	}[];
	/** True if at least one option is reported as available. */
	readonly offersSome: boolean;
	readonly environments: readonly string[];
	/** The state of a ready server. */
	readonly ready: string;
	readonly offline: string;
	readonly listsFolders: boolean;
	readonly file: string;
	readonly printed: string;
	/** The part of the assistant's answer that arrives, and how the answer ends. */
	readonly answer: {readonly text: string; readonly end: 'whole' | 'error' | 'cut'; readonly problem: string};
};

const pieces = (bytes: Buffer, size: number): readonly Buffer[] =>
	Array.from({length: Math.ceil(bytes.length / size)}, (_, at) => bytes.subarray(at * size, (at + 1) * size));

const missing = Symbol('missing');

/**
 * Each route draws its own random numbers, so that a request to one route does not change the
 * responses of another.
 */
const withOwnRandom = (
	seed: number,
	routes: Record<keyof Routes, (asked: Asked, random: Random) => Answer>,
): Routes =>
	Object.fromEntries(
		Object.entries(routes).map(([name, route], at) => {
			const random = createRandom(seed + 1000 * at);
			return [name, (asked: Asked) => route(asked, random)];
		}),
	) as unknown as Routes;

export const foreignService = (seed: number): Foreign => {
	const random = createRandom(seed);
	const {pick, below} = random;
	const made = new Set<string>();
	const ways = new Set<string>();
	/** Picks one of several ways to decide an open point. */
	const decide = <T>(point: string, all: readonly T[]): T => {
		const at = below(all.length);
		for (const index of all.keys()) ways.add(`${point} ${index}`);
		made.add(`${point} ${at}`);
		return all[at]!;
	};
	const field = (name: string, all: readonly unknown[], point = name): object => {
		const value = decide(point, all);
		return value === missing ? {} : {[name]: value};
	};
	const shuffled = <T>(list: readonly T[], by: Random): readonly T[] =>
		list
			.map(item => ({item, at: by.below(1e6)}))
			.toSorted((a, b) => a.at - b.at)
			.map(({item}) => item);
	const extra = decide('extra field', [{}, {x_extra: null}, {x_extra: {deep: [1]}}]);
	/** The object with unknown fields added and its fields in another order. */
	const dressed = (value: object, by: Random = random): object =>
		Object.fromEntries(shuffled(Object.entries({...value, ...extra}), by));
	const [chunk, type, isSpaced] = [
		decide('pieces', [0, 1, 7, 1000]),
		decide('type', ['application/json', 'application/json; charset=utf-8', 'text/json', 'text/plain']),
		decide('spaces', [false, true]),
	];
	const sent = (value: object, status = 200): Answer => {
		const body = Buffer.from((isSpaced ? '\r\n ' : '') + JSON.stringify(value, null, isSpaced ? 3 : 0));
		return {
			status,
			type,
			body: chunk === 0 ? body : pieces(body, Math.max(chunk, Math.ceil(body.length / 50))),
		};
	};
	const success = (value: object, by: Random, status?: number): Answer =>
		sent(dressed({status: 'success', ...value}, by), status);

	let offersSome = false;
	const compute = ['first', 'second', 'third'].map((name, at) => {
		const id = `cloud${at}-${name}`;
		const price = decide('price', [2.49, '0.0003', 0, missing, null, 'on request']);
		const availabilityOf = (): object => {
			const told = field('availability', [
				[],
				missing,
				null,
				[
					{available: true, region: 'eu'},
					{available: false, region: 'EU'},
				],
			]);
			offersSome ||= JSON.stringify(told).includes('true');
			return told;
		};
		return {
			id,
			price: price === missing || price === null || price === 'on request' ? null : Number(price),
			item: dressed({
				name: `${name} (${at}x)`,
				cloud_host: `cloud${at}`,
				compute_id: id,
				...(price === missing ? {} : {hourly_price: price}),
				...field('cpus', [4, 1.5, '8', missing, null]),
				...field('memory', ['16G', 16, 'much', missing, null]),
				...field('num_gpus', [at, String(at)]),
				...field('vram_per_gpu', ['0G', '80G', missing, null]),
				...field('total_vram', ['0G', '640 GB', missing, null]),
				...availabilityOf(),
			}),
		};
	});
	const environments = ['ai', 'torch-X', 'Chem'].map(id => ({
		id,
		item: dressed({
			environment_id: id,
			...field('name', [id, missing, null], 'environment name'),
			...field('description', ['For work.', missing, null, 'Two\nlines']),
		}),
	}));

	const tokens: string[] = [];
	const states = [
		'ready',
		'offline',
		'ready',
		'offline',
		...Array.from({length: 2 + below(3)}, () =>
			decide('state', ['stopping', 'READY', 'Starting up', 'error: no quota', 'unknown', '状態', '']),
		),
	];
	const servers = states.map((state, at) => {
		const name = `${pick(['a', 'Train', 'über', 'my-very-long-server-name-that-goes-on', '日本'])}-${at}`;
		const token = decide('token', [`tok-${seed}-${at}-secret`, null, missing]);
		if (typeof token === 'string') tokens.push(token);
		const query =
			typeof token === 'string'
				? decide('token in the address', [`?token=${token}`, `?a=1&token=${token}`, ''])
				: '';
		const port = decide('port', [8888, '8888', 1, null, missing, 'later', [1]]);
		const request = decide('server_request', [
			'svc-medium',
			'CLOUD-H100x8',
			missing,
			null,
			compute[0]!.id,
			compute[1]!.id,
		]);
		const item = dressed({
			name,
			...(state === '' ? decide('no state', [{}, {status: null}, {status: ''}]) : {status: state}),
			...(token === missing ? {} : {token}),
			...(port === missing ? {} : {port}),
			...(request === missing ? {} : {server_request: request}),
			...field('environment', ['torch-X', missing, null, 7]),
			url: `https://lab.example/user/u%40x/${at}/${query}`,
			...field('port_forward_url', ['pending', missing, null, 'https://fwd.example']),
			...field('assistant_editor_url', [missing, null, 'https://editor.example/e']),
			...field('thumb', [missing, null, '/i.png']),
		});
		return {
			name,
			state,
			port: typeof port === 'number' ? port : port === '8888' ? 8888 : null,
			request: typeof request === 'string' ? request : null,
			item,
		};
	});
	/** Servers that were created or started later. */
	const later = new Map<string, object>();
	const starting = decide('state after a start', ['spawning', 'pending', 'Queued up']);

	const listsFolders = decide('lists folders', [false, false, true]);
	const noFolders = decide<Answer>('answer to a folder', [
		sent({detail: [{msg: 'no such file'}]}, 404),
		sent({errors: ['is a directory']}, 500),
		{status: 308, headers: {location: '/elsewhere'}, body: ''},
		{status: 400, type: 'text/plain', body: 'not a file'},
	]);
	const file = decide('file', ['plain\n', 'line\r\nline\r\n', 'ünï 日本\n', '']);
	const entryFields = {
		...field('format', ['text', missing, null]),
		...field('size', [file.length, String(file.length), missing, null]),
		...field('mimetype', ['text/plain', missing, null]),
		...field('created', ['2026-01-02T03:04:05.678901Z', missing, null]),
		...field('last_modified', ['2026-01-02T03:04:05.678901Z', missing, null]),
		...field('writable', [true, missing, null]),
	};
	const serverPath = decide('serverPath', ['path', missing, null]);
	const entry = (path: string, content: unknown, by: Random, more: object = {}): object =>
		dressed(
			{
				name: path.split('/').at(-1),
				path,
				type: 'file',
				content,
				...entryFields,
				...(serverPath === missing ? {} : {serverPath: serverPath === 'path' ? path : null}),
				...(content === null && {format: null}),
				...more,
			},
			by,
		);

	const printed = `printed by ${seed}`;
	const cellFields = {
		...field('execution_count', [3, '3', missing, null]),
		...field('metadata', [{}, missing, null]),
	};
	const splits = decide('text of an output', ['whole', 'lines', 'CR']);
	const others = decide('other outputs', [[], [{output_type: 'brand_new', value: 1}]]);
	const traceback = field('traceback', [['at line 1', 'Oops: it raised'], missing, null]);
	const output = (text: string, by: Random): object =>
		dressed(
			{
				name: 'stdout',
				output_type: 'stream',
				text: splits === 'lines' ? [text, '\n'] : splits === 'CR' ? `${text}\r\n` : `${text}\n`,
			},
			by,
		);
	const ran = (source: string, by: Random): object =>
		dressed(
			{
				cell_type: 'code',
				source,
				...cellFields,
				// The code with which the program lists a folder.
				outputs: source.includes('scandir')
					? [output('[["a.txt", false, 5]]', by)]
					: [
							output(printed, by),
							...others,
							...(source === RAISES
								? [{output_type: 'error', ename: 'Oops', evalue: 'it raised', ...traceback}]
								: []),
						],
			},
			by,
		);

	const end = decide('end of an answer', ['whole', 'error', 'cut'] as const);
	const framed = end === 'cut' || decide('frame of an answer', [true, false]);
	const eol = decide('line end', ['\n', '\r\n']);
	const words = ['An ', 'answer ', 'of many ', 'wörds', '.'];
	const usage = decide('usage', [
		{usage: {promptTokens: 1, completionTokens: 2}},
		{usage: null},
		{},
		{usage: {promptTokens: '1'}},
	]);
	const reason = decide('finish', ['stop', 'length', 'content-filter', 'unknown']);
	const lines = [
		...(framed && decide('message id', [true, false]) ? ['f:{"messageId":"m-1"}'] : []),
		...words.flatMap(word => [
			`0:${JSON.stringify(word)}`,
			...decide('other lines', [[], [], ['9:{"toolCallId":"t"}'], ['zz:1'], ['2:[1]'], ['']]),
		]),
		...(end === 'error' ? [`3:${JSON.stringify('quota used up')}`] : []),
		...(framed && end !== 'cut'
			? [
					`e:${JSON.stringify({finishReason: reason, isContinued: false, ...usage})}`,
					`d:${JSON.stringify({finishReason: reason, ...usage})}`,
				]
			: []),
	];
	if (end === 'cut') lines.push('e:{"finishReason":"stop"');
	const body = Buffer.from(
		lines.join(eol) + (end === 'cut' || decide('last line end', [false, true]) ? '' : eol),
	);
	const chat: Answer = {
		type: decide('type of an answer', ['text/plain', 'text/plain; charset=utf-8']),
		body: pieces(body, decide('pieces of an answer', [3, 50, 4000])),
		...(end === 'cut' && {then: 'reset' as const}),
	};

	const takenFields = {
		...field('environment', ['ai', missing, null], 'environment taken'),
		...field('port', [8888, '8888', missing, null], 'port taken'),
		...field('server_request', ['svc-medium', missing, null], 'server_request taken'),
		...field('hourly_rate', [2.49, '2.49', missing, null]),
		...field('url', ['https://lab.example/new/', missing, null]),
		...field('port_forward_url', ['pending', missing, null]),
		...field('token', [missing, null], 'token taken'),
		...field('message', ['started', missing, null]),
	};
	const accepted = decide('status of a create', [200, 201, 202]);
	const taken = (name: string, asked: string, by: Random): Answer => {
		const {server_request, environment} = JSON.parse(asked) as Readonly<Record<string, string>>;
		later.set(name, {server_request, environment, status: starting});
		return success({server_name: name, ...takenFields}, by, accepted);
	};
	const uploaded = decide('status of an upload', [200, 201]);

	return {
		seed,
		made,
		ways,
		tokens,
		offersSome,
		listsFolders,
		file,
		printed,
		servers: servers.map(({name, state, port, request}) => ({name, state, port, request})),
		compute: compute.map(({id, price}) => ({id, price})),
		environments: environments.map(({id}) => id),
		ready: servers[0]!.name,
		offline: servers[1]!.name,
		answer: {text: words.join(''), end, problem: 'quota used up'},
		finishStarts() {
			for (const [name, item] of later) later.set(name, {...item, status: 'ready'});
		},
		routes: withOwnRandom(seed, {
			servers: (_, by) => {
				const known = servers.map(({name, item}) => ({...item, ...later.get(name)}));
				const created = [...later]
					.filter(([name]) => !servers.some(server => server.name === name))
					.map(([name, item]) => ({name, ...item}));
				return success({servers: shuffled([...known, ...created], by)}, by);
			},
			compute: (_, by) => success({compute: compute.map(({item}) => item)}, by),
			environments: (_, by) => success({environments: environments.map(({item}) => item)}, by),
			create: ({body: asked}, by) =>
				taken((JSON.parse(asked) as {readonly server_name: string}).server_name, asked, by),
			start: ({server, body: asked}, by) => taken(server, asked, by),
			file: ({path}, by) =>
				path === 'a.txt'
					? success({content: entry(path, file, by)}, by)
					: path === '' && listsFolders
						? success(
								{content: entry('', [entry('a.txt', null, by)], by, {type: 'directory', format: 'json'})},
								by,
							)
						: noFolders,
			upload: ({path}, by) => success({content: entry(path, null, by)}, by, uploaded),
			run: ({body: asked}, by) =>
				success({content: ran((JSON.parse(asked) as {readonly code: string}).code, by)}, by),
			chat: () => chat,
		}),
	};
};

/**
 * Ways to reject a request, each with the words that the user must see and the expected exit code.
 */
export const refusalOf = (
	seed: number,
): {readonly answer: Answer; readonly words: string; readonly code: number} => {
	const {pick} = createRandom(seed);
	const words = `because of reason ${seed}`;
	const shape = pick([
		() => ({type: 'text/plain', body: words}),
		() => ({type: 'text/html', body: `<html><body><h1>No</h1><p>${words}</p></body></html>`}),
		...[
			{message: words},
			{error: words},
			{error: {message: words}},
			{error: {code: 17, reason: words}},
			{detail: words},
			{detail: [{loc: ['body'], msg: words}]},
			{errors: [words]},
			{errors: [{message: words}]},
			{msg: words},
			{status: 'error', reason: words},
		].map(value => () => ({body: JSON.stringify(value)})),
	]);
	const status = pick([400, 401, 402, 403, 404, 409, 422, 429, 500, 501, 503]);
	return {answer: {status, ...shape()}, words, code: {401: 4, 404: 3}[status as 401] ?? 1};
};

/**
 * Kinds of temporary outage, in an order that the seed decides. Each receives the response that the
 * service would otherwise send.
 */
export const outagesOf = (seed: number): readonly {readonly name: string; answer(due: Answer): Answer}[] => {
	const {below} = createRandom(seed);
	const all = [
		{
			name: '502 of a proxy',
			answer: (): Answer => ({status: 502, type: 'text/html', body: '<html><h1>Bad Gateway</h1></html>'}),
		},
		{name: '503', answer: (): Answer => ({status: 503, type: 'text/plain', body: 'being updated'})},
		{
			name: '503 with Retry-After',
			answer: (): Answer => ({
				status: 503,
				headers: {'retry-after': '1'},
				body: '{"message": "being updated"}',
			}),
		},
		{
			name: '429 with Retry-After',
			answer: (): Answer => ({status: 429, headers: {'retry-after': '1'}, body: '{}'}),
		},
		{
			name: 'cut',
			answer: ({type, body}: Answer): Answer => ({
				...(type !== undefined && {type}),
				body: Buffer.concat([body].flat().map(piece => Buffer.from(piece))).subarray(0, 40),
				then: 'reset',
			}),
		},
		{
			name: 'lost',
			answer: (): Answer => {
				throw new Error('the connection is closed');
			},
		},
	];
	return all
		.map(outage => ({outage, at: below(1e6)}))
		.toSorted((a, b) => a.at - b.at)
		.map(({outage}) => outage);
};
