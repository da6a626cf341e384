// Data that a service might send: ordinary values, long names, wide characters, odd and missing
// values.
import type {ChatAnswer, Listing} from '../../src/api/client-types.ts';
import type {Failure} from '../../src/api/failure.ts';
import type {CellOutput, ExecutedCell} from '../../src/contract/cells.ts';
import type {ComputeOption} from '../../src/contract/compute.ts';
import type {Environment} from '../../src/contract/environments.ts';
import type {FileEntry} from '../../src/contract/files.ts';
import type {ServerItem} from '../../src/contract/servers.ts';
import type {UnsavedEdit} from '../../src/storage/unsaved-edits.ts';
import type {ProfileAccess} from '../../src/tui/core/store/deps.ts';
import type {ErrorPacket} from '../../src/tui/cells/error-packet.ts';
import {offer, server} from '../support/factories.ts';

export const listing = <T>(items: readonly T[], unreadable = 0): Listing<T> => ({
	items,
	unreadable,
	raw: items,
});

const failure = (changes: Partial<Failure> & Pick<Failure, 'kind' | 'path' | 'message'>): Failure => ({
	method: 'GET',
	curl: `curl https://nb.example${changes.path}`,
	...changes,
});
export const unreachable = (path: string): Failure =>
	failure({
		kind: 'unreachable',
		path,
		message: 'nb.example cannot be reached: connection refused (ECONNREFUSED)',
	});
export const broken = (path: string, method = 'GET'): Failure =>
	failure({
		kind: 'server',
		method,
		path,
		status: 503,
		message: 'nb.example failed (503): the database is away for maintenance',
		reason: 'the database is away for maintenance',
		body: '{"status":"error","detail":"the database is away for maintenance"}',
	});
export const missing = (path: string): Failure =>
	failure({
		kind: 'not-found',
		path,
		status: 404,
		message: 'nb.example does not know that name (404)',
		body: '{"status":"error","detail":"not found"}',
	});

export const LONG = 'fine-tune-multilingual-summarization-2026-11-night-run';

const address = (name: string): string => `https://lab.nb.example/user/ada@nb.example/${name}/`;
export const servers: readonly ServerItem[] = [
	server({
		name: 'trainer',
		server_request: 'lambdalabs-A100_80Gx8',
		url: address('trainer'),
		assistant_editor_url: 'https://editor.nb.example/trainer',
		port_forward_url: 'https://trainer.fwd.nb.example',
		token: '0123abcd',
	}),
	server({name: 'welcome', status: 'offline', url: address('welcome')}),
	server({
		name: LONG,
		status: 'warming up',
		environment: 'pytorch-2-9-cuda-13-with-everything',
		server_request: 'host-with-a-long-name-H200_141Gx8',
		port: 8890,
		port_forward_url: 'pending',
		url: address(LONG),
	}),
	server({name: '日本語のノートブック', environment: 'データ分析', url: address('ja'), port: 8891}),
	server({name: 'crashed', status: 'offline', status_reason: 'it ran out of memory', url: null, port: 8892}),
	server({name: '🚀 rocket', status: 'draining-connections', server_request: '', url: null}),
];

const regions = (available: string, taken = ''): ComputeOption['availability'] => [
	...available
		.split(' ')
		.filter(Boolean)
		.map(region => ({available: true, region})),
	...taken
		.split(' ')
		.filter(Boolean)
		.map(region => ({available: false, region})),
];
const gpu = (
	model: string,
	count: number,
	{vram, price, host = 'lambdalabs'}: {readonly vram: number; readonly price: number; readonly host?: string},
): Partial<ComputeOption> => ({
	name: `${model} (${count}x)`,
	cloud_host: host,
	compute_id: `${host}-${model.replaceAll(' ', '_')}x${count}`,
	num_gpus: count,
	cpus: count * 26,
	memory: `${count * 200}G`,
	vram_per_gpu: `${vram}G`,
	total_vram: `${vram * count}G`,
	hourly_price: price,
});
const CPU = {num_gpus: 0, cloud_host: 'svc', compute_id: null, vram_per_gpu: '0G', total_vram: '0G'} as const;

export const compute: readonly ComputeOption[] = [
	offer({
		...CPU,
		name: 'Medium CPU',
		cpus: 2,
		memory: '8G',
		hourly_price: 0.1,
		availability: regions('default'),
	}),
	offer({
		...CPU,
		name: 'Large CPU',
		cpus: 16,
		memory: '64G',
		hourly_price: 0.8,
		availability: regions('default'),
	}),
	offer({
		...gpu('A10 24G', 1, {vram: 24, price: 0.75}),
		availability: regions('us-west-1 us-east-1', 'eu-1'),
	}),
	offer({...gpu('A100 80G', 1, {vram: 80, price: 1.5}), availability: regions('us-west-1', 'any Any')}),
	offer({...gpu('A100 80G', 8, {vram: 80, price: 12}), availability: regions('us-west-1')}),
	offer({...gpu('H100', 1, {vram: 80, price: 2.49}), availability: regions('', 'us-west-1 eu-1')}),
	offer({...gpu('H100', 8, {vram: 80, price: 23.92}), availability: regions('eu-1 eu-2', 'us-west-1')}),
	offer({
		...gpu('H200 141G', 8, {vram: 141, price: 1031.44, host: 'host-with-a-long-name'}),
		availability: regions('ap-southeast-2 eu-north-1-stockholm us-central-1-iowa'),
		note: 'Rented by the month; the first hour is charged at once.',
	}),
	offer({...gpu('昇騰 910B', 4, {vram: 64, price: 3.2, host: '上海云'}), availability: regions('上海 北京')}),
	offer({
		...gpu('MI300X', 8, {vram: 192, price: Number.NaN, host: 'amd'}),
		memory: 'lots',
		availability: regions('eu-1'),
	}),
];

export const environments: readonly Environment[] = [
	{
		environment_id: 'ai',
		name: 'AI',
		description:
			'Python 3.14 with the usual libraries for machine learning: PyTorch, scikit-learn, pandas and **matplotlib**.\n\n- CUDA 13\n- 40 more packages',
	},
	{environment_id: 'データ分析', name: 'データ分析', description: '表計算と可視化のための環境です。'},
	{
		environment_id: 'pytorch-2-9-cuda-13-with-everything',
		name: 'PyTorch 2.9 for CUDA 13, with everything that a large training run may want',
		description: 'Large: the first start takes minutes.',
	},
	{environment_id: 'bare', name: 'Bare', description: ''},
];

const MODIFIED = '2026-11-20T16:04:00.000000Z';
const entry = (path: string, changes: Partial<FileEntry> = {}): FileEntry => ({
	name: path.split('/').at(-1) ?? '',
	path,
	type: 'file',
	format: 'text',
	mimetype: 'text/plain',
	content: null,
	size: 1234,
	last_modified: MODIFIED,
	...changes,
});
export const folder = (path: string, content: readonly FileEntry[] = []): FileEntry =>
	entry(path, {type: 'directory', format: 'json', mimetype: null, size: null, content: [...content]});
export const text = (path: string, content: string): FileEntry =>
	entry(path, {content, size: Buffer.byteLength(content)});

export const TRAIN = `import pandas as pd
from pathlib import Path

DATA = Path("data")


def load(name: str) -> pd.DataFrame:
\t"""Reads one of the tables. 表を読む."""
\tframe = pd.read_csv(DATA / name, parse_dates=["day"], dtype={"station": "string", "reading": "float64", "comment": "string"})
\treturn frame.dropna()


if __name__ == "__main__":
\tprint(load("weather.csv").describe())
`;
const CSV =
	'day,station,reading,comment\n2026-11-20,Zürich,3.5,\n2026-11-21,"São Paulo, Brazil",24.75,sunny\n2026-11-22,東京,11.0,雨\n';

const files: readonly FileEntry[] = [
	text('train.py', TRAIN),
	text('data/weather.csv', CSV),
	text(
		'notes.md',
		'# Notes\n\nThe **first** run took `3.5 h`.\n\n| run | loss |\n|---|---:|\n| 1 | 0.25 |\n',
	),
];
const folders: readonly FileEntry[] = [
	folder('', [
		folder('data'),
		folder('models'),
		text('train.py', TRAIN),
		entry('notes.md', {size: 88}),
		entry('a-file-with-a-name-that-is-much-longer-than-any-pane-has-room-for-at-eighty-columns.ipynb', {
			size: 48_200_000,
		}),
		entry('図表.png', {mimetype: 'image/png', format: 'base64', size: 20_480}),
		entry('.hidden'),
	]),
	folder('data', [text('data/weather.csv', CSV), entry('data/big.parquet', {size: 3_400_000_000})]),
	folder('models'),
];
/** The entry at a path of a server. */
export const fileAt = (path: string): FileEntry | undefined =>
	[...files, ...folders].find(each => each.path === path);

const ran = (source: string, count: number, outputs: readonly CellOutput[]): ExecutedCell => ({
	cell_type: 'code',
	execution_count: count,
	metadata: {},
	source,
	outputs: [...outputs],
});
const stdout = (words: string): CellOutput => ({output_type: 'stream', name: 'stdout', text: words});

/** Cells with their results and durations, in ms. */
export const cells: readonly {readonly cell: ExecutedCell; readonly took: number}[] = [
	{
		took: 12,
		cell: ran('import pandas as pd\nframe = pd.read_csv("data/weather.csv")\nframe', 1, [
			{
				output_type: 'execute_result',
				execution_count: 1,
				metadata: {},
				data: {
					'text/plain':
						'          day            station  reading comment\n0  2026-11-20             Zürich     3.50     NaN\n1  2026-11-21  São Paulo, Brazil    24.75   sunny\n2  2026-11-22               東京    11.00       雨',
				},
			},
		]),
	},
	{
		took: 64_000,
		cell: ran('for epoch in range(40):\n    print("epoch", epoch, "loss", round(1 / (epoch + 1), 3))', 2, [
			stdout(
				Array.from({length: 40}, (_, epoch) => `epoch ${epoch} loss ${(1 / (epoch + 1)).toFixed(3)}\n`).join(
					'',
				),
			),
		]),
	},
	{
		took: 3400,
		cell: ran('load("wether.csv")', 3, [
			stdout('reading …\n'),
			{
				output_type: 'error',
				ename: 'FileNotFoundError',
				evalue: "[Errno 2] No such file or directory: 'data/wether.csv'",
				traceback: [
					'Traceback (most recent call last):',
					'  File "<cell 3>", line 1, in <module>',
					'  File "/home/ada/train.py", line 9, in load',
					"FileNotFoundError: [Errno 2] No such file or directory: 'data/wether.csv'",
				],
			},
		]),
	},
];

export const ANSWER = `You can read it with **pandas**:

\`\`\`python
import pandas as pd

frame = pd.read_csv("data/weather.csv", parse_dates=["day"])
frame.groupby("station")["reading"].mean()
\`\`\`

| station | mean |
|---|---:|
| Zürich | 3.50 |
| 東京 | 11.00 |

1. The column \`comment\` is empty on the first day.
2. A name that cannot be broken stays whole: https://nb.example/docs/a/very/long/address/that/no/pane/has/room/for.
`;

export const QUESTION =
	'How do I read data/weather.csv, and what is the mean of each station? 日本語でもいいです。';
export const answer = (content: string, changes: Partial<ChatAnswer> = {}): ChatAnswer => ({
	messageId: 'msg-1',
	content,
	finishReason: 'stop',
	usage: {promptTokens: 1412, completionTokens: 96},
	complete: true,
	problem: null,
	...changes,
});

/** The same file with a change in the middle and at the end. */
export const TRAIN_LATER = TRAIN.replace(
	'frame.dropna()',
	'frame.dropna(subset=["reading"])  # 欠測を除く',
).replace('describe()', 'describe(include="all")');

export const packet: ErrorPacket = {
	cell: 3,
	error: "FileNotFoundError: [Errno 2] No such file or directory: 'data/wether.csv'",
	source: 'load("wether.csv")',
	traceback:
		'Traceback (most recent call last):\n  File "<cell 3>", line 1, in <module>\n  File "/home/ada/train.py", line 9, in load\n',
	frames: [{path: 'train.py', line: 9, first: 5, text: TRAIN.split('\n').slice(4, 13).join('\n')}],
	needed: [{cell: 1, source: 'from train import load', names: ['load']}],
};

const keptEdit = (
	changes: Partial<UnsavedEdit> & Pick<UnsavedEdit, 'about' | 'before'>,
	written: string,
): UnsavedEdit => ({
	path: '/home/ada/.local/state/svc-tui/edits/edit-1/train.py',
	at: Date.UTC(2026, 10, 21, 18, 5),
	isLeft: false,
	isMentioned: false,
	beside: [],
	read: () => written,
	discard() {},
	leave() {},
	moved() {},
	take() {},
	mention() {},
	...changes,
});
export const keptEdits: readonly UnsavedEdit[] = [
	keptEdit(
		{
			about: {what: 'file', server: 'trainer', path: 'train.py'},
			before: TRAIN,
			beside: ['/home/ada/.local/state/svc-tui/edits/edit-1/.train.py.swp'],
		},
		TRAIN_LATER,
	),
	keptEdit(
		{about: {what: 'question', server: LONG}, before: null, at: Date.UTC(2026, 10, 3)},
		'なぜですか?\n',
	),
];

export const profiles: ProfileAccess = {
	list: async () => [
		{name: 'local', title: 'local', host: 'this machine', hasKey: true, readOnly: false},
		{name: 'nb.example', title: 'nb.example', host: 'nb.example', hasKey: true, readOnly: false},
		{
			name: 'audit',
			title: 'audit-of-the-whole-research-department',
			host: 'notebooks.research.example.org:8443',
			hasKey: true,
			readOnly: true,
		},
		{name: 'new', title: '新しい', host: 'neu.example', hasKey: false, readOnly: false},
	],
	open() {},
	signIn: async () => {},
	ways: async () => ({page: null, hasBrowser: false}),
	keyByBrowser: async () => null,
	known: async () => null,
	keyFileOf: name => `/home/ada/.config/svc-tui/keys/${name}`,
};
