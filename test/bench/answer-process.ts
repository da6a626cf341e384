// A service in its own process, whose assistant streams the given number of Markdown fragments, one
// each millisecond. Prints its address, and the time at which each thousandth fragment and each
// marker was sent, in ms since the epoch.
import http from 'node:http';
import type {AddressInfo} from 'node:net';
import {fileEntry, folderEntry, serverItem, success} from '../faults/hostile-service.ts';

const MARK_EACH = 20;

const SECTION = (number: number): string => `## Step ${number}: load the *prices* and look at them

The file \`data/prices-${number}.csv\` has one row per offer. Read it with **pandas**, which finds the types itself; see [the guide](https://pandas.pydata.org/docs/user_guide/io.html) for what can be told beforehand. A column of dates wants \`parse_dates\`, and a price that is missing becomes \`NaN\`, which every sum leaves out — 価格 and 🙂 are fine.

1. Take the newest file of the folder.
2. Drop rows without a price:
   - those of *closed* regions,
   - and those that are **not** offered any more.
3. Group what is left by \`region\`.

\`\`\`python
from pathlib import Path
import pandas as pd

def cheapest(folder: str, limit: float = ${number}.5) -> pd.DataFrame:
    """The cheapest offer of each region, below a limit."""
    newest = max(Path(folder).glob("*.csv"), key=lambda path: path.stat().st_mtime)
    table = pd.read_csv(newest, parse_dates=["seen"]).dropna(subset=["price"])
    return table[table.price < limit].sort_values("price").groupby("region").head(1)

print(cheapest("data").to_string(index=False))
\`\`\`

| region | GPU | price | seen |
|:--|:-:|--:|---|
| eu-north-1 | A100 80 GB | ${number}.10 | today |
| us-east-2 | H100 | ${number}.95 | *yesterday* |
| ap-south-1 | L4 | 0.${number} | a week ago |

> Prices change by the hour: what is shown was true when the file was written.

`;

/** The given number of fragments, of the size that models send. */
const fragments = (count: number): readonly string[] => {
	const all: string[] = [];
	for (let section = 1; all.length < count; section++) {
		for (const [part] of SECTION(section).matchAll(/\s*\S{1,6}\s?/g)) {
			if (all.length === count) break;
			// A marker is a word of letters and digits, so that it contains no Markdown.
			all.push(all.length % MARK_EACH === 0 && /[a-z]\s$/.test(part) ? `${part}mark${all.length}x ` : part);
		}
	}
	return all;
};

const now = (): number => performance.timeOrigin + performance.now();
const tell = (word: string, more: number): void => void process.stdout.write(`${word} ${more} ${now()}\n`);

const answer = (response: http.ServerResponse, count: number): void => {
	const all = fragments(count);
	response.writeHead(200, {'content-type': 'text/plain'});
	response.write('f:{"messageId":"bench"}\n');
	const from = performance.now();
	let sent = 0;
	const send = (): void => {
		const due = Math.min(all.length, Math.ceil(performance.now() - from));
		for (; sent < due; sent++) {
			const fragment = all[sent] ?? '';
			if (sent % 1000 === 0) tell('sent', sent);
			if (fragment.includes(`mark${sent}x`)) tell('mark', sent);
			response.write(`0:${JSON.stringify(fragment)}\n`);
		}
		if (sent < all.length) return void setTimeout(send, 1);
		tell('sent', sent);
		response.end(
			'e:{"finishReason":"stop","usage":{"promptTokens":10,"completionTokens":10}}\nd:{"finishReason":"stop","usage":{"promptTokens":10,"completionTokens":10}}\n',
		);
	};
	send();
};

const ANSWERS: readonly (readonly [RegExp, () => {readonly body: string | Buffer | readonly Buffer[]}])[] = [
	[/^GET \/api\/servers$/, () => success({servers: [serverItem('bench')]})],
	[/^GET \/api\/compute$/, () => success({compute: []})],
	[/^GET \/api\/environments$/, () => success({environments: []})],
	[
		/^GET \/api\/servers\/bench\/files\/$/,
		() =>
			success({
				content: folderEntry(
					'',
					Array.from({length: 30}, (_, index) => fileEntry(`file-${index}.py`)),
				),
			}),
	],
];

const server = http.createServer((request, response) => {
	const line = `${request.method} ${request.url}`;
	request.resume().once('end', () => {
		const count = /^POST \/api\/assistant\/bench\/\w+$/.test(line) ? Number(process.argv[2]) : 0;
		if (count > 0) return answer(response, count);
		const found = ANSWERS.find(([pattern]) => pattern.test(line));
		response
			.writeHead(found ? 200 : 404, {'content-type': 'application/json'})
			.end(found ? found[1]().body : '{}');
	});
});
server.on('connection', socket => socket.setNoDelay(true));
server.listen(0, '127.0.0.1', () => tell('port', (server.address() as AddressInfo).port));
