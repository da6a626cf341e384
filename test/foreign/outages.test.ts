// @module-tag long
import {fileURLToPath} from 'node:url';
import {expect, test, vi} from 'vitest';
import {label} from '../../src/text/safe.ts';
import {startHostileService, type Answer} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {FIXED_SEEDS, foreignService, outagesOf} from './foreign-service.ts';
import {runHere} from './run-in-process.ts';
import {waitFor} from '../support/wait-for.ts';

vi.setConfig({testTimeout: 240_000});

const CLOCK = fileURLToPath(new URL('../support/move-clock.ts', import.meta.url));

/**
 * Seeds of services that report availability. With the others, which have no regions, a watch would
 * only end at its time limit.
 */
const OFFERING = FIXED_SEEDS.filter(seed => foreignService(seed).offersSome);
const ROWS = 50;

test.each(OFFERING)(
	'server wait and compute watch survive every outage of service %i and end with its response',
	async seed => {
		const foreign = foreignService(seed);
		const outages = outagesOf(seed);
		await using service = await startHostileService();
		const away = (route: 'servers' | 'compute'): void => {
			const left = [...outages];
			service.answer({
				...foreign.routes,
				[route]: (asked: Parameters<typeof foreign.routes.servers>[0]) => {
					const due = foreign.routes[route](asked) as Answer;
					return left.shift()?.answer(due) ?? due;
				},
			});
		};
		const run = async (...args: readonly string[]) => runHere(args, {baseUrl: service.baseUrl, apiKey: 'k'});
		away('compute');
		expect(
			await run('compute', 'watch', '--every', '0.05', '--timeout', '120'),
			`seed ${seed}`,
		).toMatchObject({code: 0, stderr: expect.stringMatching(/Still trying[^]*responds again/)});
		expect(service.asked.filter(line => line === 'GET /api/compute').length, `seed ${seed}`).toBeGreaterThan(
			outages.length,
		);
		if (seed !== OFFERING[0]) return;
		away('servers');
		expect(await run('server', 'wait', foreign.ready, '--timeout', '120')).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('is ready'),
			stderr: expect.stringMatching(/Still trying[^]*responds again/),
		});
	},
);

test.each(FIXED_SEEDS.slice(0, 2))(
	'each outage of service %i keeps its old rows with their age, and its return renews them',
	async seed => {
		const foreign = foreignService(seed);
		let service = await startHostileService(foreign.routes);
		let isUp = true;
		const port = Number(new URL(service.baseUrl).port);
		await using home = await newHome();
		await using terminal = await openProgram({
			home,
			columns: 200,
			rows: ROWS,
			env: {...service.env, NODE_OPTIONS: `--import=${CLOCK}`, MOVE: String(3_600_000)},
		});
		const names = foreign.servers.map(({name}) => label(name));
		const refresh = (): void => pressAction(terminal, 'global', 'refresh');
		const expectKept = (screen: string): void => {
			for (const name of names) expect(screen).toContain(`${name} `);
		};
		/** Checks all rows except the selected one, which the details describe. */
		const areDimmed = (isDim: boolean): Promise<string> =>
			terminal.untilTrue(`rows ${isDim ? '' : 'not '}dimmed`, () =>
				names.every(name => {
					const index = Array.from({length: ROWS}, (_, at) => at).find(at =>
						terminal.line(at).startsWith(`   ${name} `),
					);
					return index === undefined
						? terminal.screen().includes(`▸ ${name} `)
						: terminal.isDim(name, index) === isDim;
				}),
			);
		const isBack = async (): Promise<void> => {
			await terminal.until(/just now/);
			await terminal.gone(' old ─');
			await areDimmed(false);
		};
		try {
			await terminal.until(/just now/);
			for (const {name, answer} of outagesOf(seed)) {
				service.answer({servers: asked => answer(foreign.routes.servers(asked) as Answer)});
				refresh();
				expectKept(
					await terminal.until(/ old ─[^]*Next try in/).catch((error: unknown) => {
						throw new Error(name, {cause: error});
					}),
				);
				await areDimmed(true);
				expect(terminal.line(0)).not.toMatch(/127\.0\.0\.1:\d+ ●/);
				service.answer(foreign.routes);
				refresh();
				await isBack();
			}
			// The response is slow, so the old rows remain until it arrives.
			const held = Promise.withResolvers<Answer>();
			service.answer({servers: () => held.promise});
			const asked = service.asked.length;
			refresh();
			await waitFor(() => expect(service.asked.length).toBeGreaterThan(asked));
			for (const name of names) expect(terminal.screen()).toContain(`${name} `);
			held.resolve(await foreign.routes.servers({server: '', path: '', model: '', body: ''}));
			await isBack();

			isUp = false;
			await service[Symbol.asyncDispose]();
			refresh();
			expectKept(await terminal.until(/ old ─[^]*connection refused[^]*Next try in/));
			await areDimmed(true);
			terminal.kill('SIGUSR2');
			await terminal.until(/1 h old/);
			await areDimmed(true);
			service = await startHostileService(foreign.routes, {port});
			isUp = true;
			// The list is reloaded without a key press.
			await terminal.until(/just now/, 90_000);
			await areDimmed(false);
		} finally {
			if (isUp) await service[Symbol.asyncDispose]();
		}
	},
);
