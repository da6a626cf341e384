// @module-tag long
// Many cells in the queue of one kernel, on both engines of the local service.
import {describe, expect, test} from 'vitest';
import type {LiveCell, LiveRunOptions} from '../../../src/api/client-types.ts';
import {findJupyter} from '../../../src/engines/jupyter/installation.ts';
import {linked, runNow, textOf} from '../../support/live-link.ts';
import {REPL} from '../../support/sessions.ts';

const missing = findJupyter(process.env) === null;
const COUNT = 200;

for (const engine of ['pyodide', 'jupyter'] as const)
	describe.skipIf(engine === 'jupyter' && missing)(`a kernel with a queue, ${engine}`, () => {
		test('runs it in order, aborts it behind an error, and gets each cell once', async () => {
			await using cut = await linked(engine);
			const began: number[] = [];
			/** Sends all cells in the same turn of the event loop. */
			const send = async (
				sources: readonly string[],
				how: LiveRunOptions = {stopOnError: true},
			): Promise<readonly LiveCell[]> =>
				Promise.all(
					sources.map(async (source, index) => {
						const cell = await cut.live.run(
							source,
							REPL,
							what => void (what === 'began' && began.push(index)),
							undefined,
							how,
						);
						if (cell === null) throw new Error('there is no kernel');
						return cell;
					}),
				);
			await (
				await runNow(cut.live, 'ran = []')
			).ended;
			const all = Array.from({length: COUNT}, (_, index) => index);
			const fine = await send(all.map(index => `ran.append(${index}); print(${index})`));
			const ends = await Promise.all(fine.map(async ({ended}) => ended));
			expect(new Set(ends.map(({kind}) => kind))).toEqual(new Set(['done']));
			expect(fine.map(cell => textOf(cell))).toEqual(all.map(index => `${index}\n`));
			expect(began).toEqual(all);

			for (const first of ['1 / 0', 'import time; time.sleep(0.5); 1 / 0']) {
				await (
					await runNow(cut.live, 'ran = []')
				).ended;
				const failing = await send(all.map(index => (index === 0 ? first : `ran.append(${index})`)));
				const [error, ...rest] = await Promise.all(failing.map(async ({ended}) => ended));
				expect(error).toEqual({kind: 'done'});
				const notRun = rest.filter(end => end.kind === 'not-run' && end.why === 'aborted');
				const count = await runNow(cut.live, 'print(len(ran))');
				await count.ended;
				// A cell that has not arrived when the first one fails may run.
				expect(Number(textOf(count)) + notRun.length).toBe(COUNT - 1);
				if (first !== '1 / 0') expect(textOf(count)).toBe('0\n');
			}
		});
	});
