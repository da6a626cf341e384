import {untilNoProcessUses} from '../support/processes.ts';
import {newHome} from '../support/program.ts';
import {startBenchService} from './bench-service.ts';
import {startToExit} from './first-frame.ts';
import type {Measurement} from './measurement.ts';

const RUNS = 10;

/**
 * Measures the local service from its start to its first response, and the first server, for which
 * the service loads its engine. `engines.ts` measures later servers.
 */
export const service = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	const answers: number[] = [];
	const first: number[] = [];
	const reference: number[] = [];
	for (let run = -1; run < RUNS; run++) {
		reference.push(await startToExit([process.execPath, '-e', '0'], home.env));
		await using started = await startBenchService(home);
		await started.call('GET', '/environments');
		const answered = performance.now() - started.startedAt;
		const ready = await started.createReady(`first-${run}`);
		// The first round creates the data folder and the compile cache.
		if (run < 0) continue;
		answers.push(answered);
		first.push(ready);
	}
	await untilNoProcessUses(home.folder);
	const node = {what: 'node -e 0', values: reference};
	return [
		{
			id: 'P9',
			what: 'service: start to its first answer',
			unit: 'ms',
			values: answers,
			reference: node,
			budget: {figure: 'median', atMost: 250},
		},
		{
			id: 'P9',
			what: 'created to ready (embedded), the first server',
			unit: 'ms',
			values: first,
			budget: {figure: 'median', atMost: 500},
		},
	];
};
