import {expect, test, vi} from 'vitest';
import {localService, settings, type LocalService} from '../support/local-service.ts';

// The engine that the program itself opens: no snapshot is needed, only more time.
const pythonService = async (): Promise<LocalService> => {
	const local = await localService({openEngine: undefined});
	await local.call('POST', '/api/servers/welcome/start', settings);
	await vi.waitFor(async () => expect(await local.state('welcome')).toBe('ready'), {timeout: 50_000, interval: 50});
	return local;
};

const run = async (local: LocalService, code: string, signal?: AbortSignal): Promise<Record<string, unknown>> => {
	const {body} = await local.call('POST', '/api/servers/welcome/run-code', {code, kernel_name: 'python3'}, signal ? {signal} : {});
	return body['content'] as Record<string, unknown>;
};

test('Python runs over HTTP on the welcome files, keeps its names, and is interrupted when its client goes', async () => {
	await using local = await pythonService();
	expect(await run(local, 'x=21\nprint(x*2)')).toMatchObject({execution_count: 1, outputs: [{output_type: 'stream', name: 'stdout', text: '42\n'}]});
	const script = await run(local, 'import runpy\nprices = runpy.run_path("src/prices.py")\nprices["report"](prices["load"]())');
	expect(JSON.stringify(script['outputs'])).toMatch(/GPU +offers +lowest/);
	expect(await run(local, 'x + 1')).toMatchObject({execution_count: 3, outputs: [{output_type: 'execute_result', data: {'text/plain': '22'}}]});
	expect(await run(local, '1/0')).toMatchObject({outputs: [{output_type: 'error', ename: 'ZeroDivisionError'}]});
	const client = new AbortController();
	const endless = run(local, 'open("running.txt", "w").close()\nwhile True: pass', client.signal);
	await vi.waitFor(async () => expect((await local.call('GET', '/api/servers/welcome/files/running.txt')).status).toBe(200), {timeout: 10_000});
	client.abort();
	await expect(endless).rejects.toThrow();
	expect(await run(local, 'x')).toMatchObject({outputs: [{data: {'text/plain': '21'}}]});
});
