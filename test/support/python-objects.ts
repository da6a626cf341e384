import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import type {Evaluated} from '../../src/api/client-types.ts';
import {askData, type DataReply, type DataRequest} from '../../src/api/kernel-data/kernel-data.ts';

const PYTHON = '/usr/bin/python3';

/** True if Python has pandas and numpy. */
export const hasPandas = spawnSync(PYTHON, ['-c', 'import pandas, numpy']).status === 0;

/**
 * Python loop that evaluates expressions and runs statements in `__main__`; each request is one
 * line of JSON.
 */
const LOOP = `
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    try:
        if "code" in asked:
            exec(asked["code"], globals())
            found = None
        else:
            found = eval(asked["expression"])._repr_mimebundle_()["application/vnd.svc-tui.data"]
        print(json.dumps({"text": found}), flush=True)
    except BaseException as error:
        print(json.dumps({"failed": repr(error)}), flush=True)
`;

/** Starts a Python process that holds objects and answers requests like a kernel. */
export const startPython = () => {
	const child = spawn(PYTHON, ['-c', LOOP], {stdio: ['pipe', 'pipe', 'inherit']});
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	const ask = async (message: unknown): Promise<string> => {
		child.stdin.write(`${JSON.stringify(message)}\n`);
		const {value} = await lines.next();
		const {text, failed} = JSON.parse(String(value)) as {readonly text?: string; readonly failed?: string};
		if (failed !== undefined) throw new Error(failed);
		return text ?? '';
	};
	const live = {
		async evaluate(expression: string): Promise<{readonly end: Evaluated; readonly life: string}> {
			return {end: {kind: 'value', text: await ask({expression})}, life: 'process'};
		},
	};
	return {
		run: async (code: string): Promise<void> => void (await ask({code})),
		request: async (request: DataRequest): Promise<DataReply> =>
			(await askData(live, null as never, request)).reply,
		async [Symbol.asyncDispose]() {
			child.stdin.end();
			if (child.exitCode === null) await once(child, 'exit');
		},
	};
};
