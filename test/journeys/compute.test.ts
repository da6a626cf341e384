import {expect, test} from 'vitest';
import {gpuModelsOf, regionsOf} from '../../src/query/values.ts';
import {serverItem, success, type HostileService} from '../faults/hostile-service.ts';
import {manyOffers, MARKET, offers, startMarketService, type Offer} from '../support/market-service.ts';
import {keysOf, pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import type {Terminal} from '../support/terminal.ts';

const openCompute = async (terminal: Terminal, count = MARKET.length): Promise<void> => {
	await terminal.until(/No servers yet/);
	pressAction(terminal, 'global', 'compute');
	await terminal.until(new RegExp(`Compute ${count} [^]*Price /h`));
};

/**
 * Moves down `downs` times in the open list and selects that row, then closes the list with Esc, as
 * its footer says.
 */
const choose = async (terminal: Terminal, marked: RegExp, downs: number): Promise<void> => {
	for (let step = 0; step < downs; step++) pressAction(terminal, 'chooser', 'down');
	pressAction(terminal, 'chooser', 'complete');
	await terminal.until(/Tab select .* esc close/);
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone('╭');
	await terminal.until(marked);
};

/** GPU, count, price and host of each line of the table. */
const rowsOf = (screen: string): readonly string[] =>
	[
		...screen.matchAll(
			/^.{3}(\S+(?: \S+)?) +(?:(\d+)×\S+|(—)) .* (\d+\.\d\d) +\S.*? +\d+\/\d+ +([^\s│┃]+)/gm,
		),
	].map(([, gpu, count, none, price, host]) => [gpu, count ?? none, price, host].join(' '));
const rowOf = ({name, num_gpus: count, hourly_price: price, cloud_host: host}: Offer): string =>
	[name.replace(/ \(\d+x\)$/, ''), count === 0 ? '—' : count, price.toFixed(2), host].join(' ');

const type = (terminal: Terminal, query: string): void => {
	pressAction(terminal, 'compute', 'filter');
	terminal.type(query);
};

const headless = async (home: Home, service: HostileService, query: string): Promise<readonly Offer[]> =>
	JSON.parse(
		(await runHere(['compute', '--json', '--sort', 'price', '--query', query], {home, env: service.env}))
			.stdout,
	) as readonly Offer[];

const regions = regionsOf(MARKET.map(offer => ({...offer, availability: [...offer.availability]}))).map(
	({region}) => region,
);
const models = gpuModelsOf(MARKET.map(offer => ({...offer, availability: [...offer.availability]}))).map(
	({model}) => model,
);

test(
	'H100s with 80 GB under 3 an hour in a region: by chips, by query and by command the same rows',
	{tags: 'long'},
	async () => {
		await using service = await startMarketService();
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await openCompute(terminal);
		pressAction(terminal, 'compute', 'gpu');
		// The row "No GPU" comes before the models.
		await terminal.until(`GPU models ${models.length}`);
		await choose(terminal, /gpu:H100 −\d+/, models.indexOf('H100') + 1);
		pressAction(terminal, 'compute', 'minVram');
		await terminal.until('Minimum VRAM per GPU');
		const vrams = [...new Set(MARKET.map(offer => Number.parseFloat(offer.vram_per_gpu)))]
			.filter(size => size > 0)
			.sort((a, b) => a - b);
		await choose(terminal, /vram>=80/, vrams.indexOf(80));
		pressAction(terminal, 'compute', 'maxPrice');
		const prices = await terminal.until('up to 3.00/h');
		const steps = [...prices.matchAll(/up to (\d+\.\d\d)\/h/g)].map(([, step]) => step);
		await choose(terminal, /price<=3 −\d+/, steps.indexOf('3.00'));
		pressAction(terminal, 'compute', 'regions');
		await terminal.until(`Regions ${regions.length}`);
		await choose(terminal, /region:us-central-3/, regions.indexOf('us-central-3'));
		const query = 'gpu:H100 vram>=80 price<=3 region:us-central-3';
		// The chips are the query, which can be typed elsewhere.
		const chips = query.replaceAll(' ', '(?: −\\d+)? {3}');
		const byChips = rowsOf(await terminal.until(new RegExp(`Compute 1 of ${MARKET.length} [^]* ${chips}`)));
		expect(byChips).toEqual(['H100 1 2.48 massedcompute']);

		pressAction(terminal, 'compute', 'showAll');
		await terminal.until(new RegExp(`Compute ${MARKET.length} `));
		type(terminal, 'region:us-central-3 price<3 gpu:h100 vram>=80');
		const byQuery = rowsOf(
			await terminal.until(/Compute 1 of [^]*\/ region:us-central-3 price<3 gpu:h100 vram>=80/),
		);
		expect(byQuery).toEqual(byChips);
		expect((await headless(home, service, query)).map(rowOf)).toEqual(byChips);
	},
);

test(
	'letters find a region; Enter chooses it, Tab several, and all of them can be restored',
	{tags: 'long'},
	async () => {
		await using service = await startMarketService();
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await openCompute(terminal);
		pressAction(terminal, 'compute', 'regions');
		await terminal.until(`Regions ${regions.length}`);
		terminal.type('us-central');
		const found = regions.filter(region => region.includes('us-central'));
		expect(found.length).toBeGreaterThan(1);
		expect(found.length).toBeLessThan(regions.length);
		await terminal.gone('■ All regions');
		const [first = '', second = ''] = found;
		await terminal.until(new RegExp(`□ ${first} [^]*□ ${second} `));
		pressAction(terminal, 'chooser', 'complete');
		await terminal.until(new RegExp(`■ ${first} `));
		pressAction(terminal, 'chooser', 'down');
		pressAction(terminal, 'chooser', 'complete');
		await terminal.until(new RegExp(`■ ${second} `));
		pressAction(terminal, 'chooser', 'accept');
		await terminal.gone('╭');
		await terminal.until(new RegExp(`region:${first} region:${second} `));
		pressAction(terminal, 'compute', 'regions');
		pressAction(terminal, 'chooser', 'up');
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until(new RegExp(`Compute ${MARKET.length} `));
	},
);

test.each([
	['any', 'Any'],
	['norway-1', 'NORWAY-1'],
])(
	'the region filter distinguishes %s from %s, and marks them as two',
	{tags: 'long'},
	async (lower, upper) => {
		const within = (...names: readonly string[]): number =>
			MARKET.filter(offer => offer.availability.some(each => names.includes(each.region))).length;
		expect(Math.min(within(lower), within(upper))).toBeGreaterThan(0);
		await using service = await startMarketService();
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await openCompute(terminal);
		const pick = async (marked: RegExp, name: string): Promise<void> => {
			pressAction(terminal, 'compute', 'regions');
			await terminal.until(`Regions ${regions.length}`);
			for (let step = 0; step < regions.indexOf(name); step++) pressAction(terminal, 'chooser', 'down');
			pressAction(terminal, 'chooser', 'complete');
			await terminal.until(marked);
			pressAction(terminal, 'chooser', 'close');
			await terminal.gone('╭');
		};
		await pick(new RegExp(`■ ${lower} · case-sensitive +${within(lower)} `), lower);
		await terminal.until(new RegExp(`Compute ${within(lower)} of ${MARKET.length} [^]*region:${lower} −`));
		// Two chosen regions form a union.
		await pick(new RegExp(`■ ${upper} · case-sensitive +${within(upper)} `), upper);
		await terminal.until(
			new RegExp(`Compute ${within(lower, upper)} of ${MARKET.length} [^]*region:${lower} region:${upper} −`),
		);
		pressAction(terminal, 'compute', 'removeLast');
		await terminal.until(
			new RegExp(`Compute ${within(lower)} of ${MARKET.length} [^]*Removed: region ${upper}`),
		);
		await pick(new RegExp(`□ ${lower} · case-sensitive`), lower);
		await terminal.until(`Compute ${MARKET.length} `);
		type(terminal, `region:${upper}`);
		await terminal.until(new RegExp(`Compute ${within(upper)} of ${MARKET.length} `));
	},
);

test('GPU model and available only show the same as the command with that query, and suggest what to loosen when no option is left', async () => {
	await using service = await startMarketService();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env, rows: 60});
	await openCompute(terminal);
	pressAction(terminal, 'compute', 'available');
	pressAction(terminal, 'compute', 'gpu');
	await terminal.until('GPU models');
	await choose(terminal, /gpu:"A100 80G" [^]*avail/, models.indexOf('A100 80G') + 1);
	const wanted = (await headless(home, service, 'gpu:"a100 80g" avail')).map(rowOf);
	expect(wanted.length).toBeGreaterThan(3);
	expect(rowsOf(await terminal.until(`Compute ${wanted.length} of `))).toEqual(wanted);
	type(terminal, ' price<0.5');
	await terminal.until(/Compute 0 of [^]*No options match\s[^]*18 without price < 0\.5\/h/);
});

test(
	'an invalid query shows its error below and loses nothing: rows and chips stay, and so does the text',
	{tags: 'long'},
	async () => {
		await using service = await startMarketService();
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await openCompute(terminal);
		type(terminal, 'gpu:h100 prise<3');
		const count = MARKET.filter(offer => offer.name.startsWith('H100 (')).length;
		await terminal.until(
			new RegExp(
				`Compute ${count} of [^]*/ gpu:h100 prise<3[^]*Unknown field prise; did you mean price<=\\?`,
			),
		);
		pressAction(terminal, 'filter', 'accept');
		await terminal.until(/to the list[^]*$/);
		pressAction(terminal, 'filter', 'leave');
		await terminal.until(/\/ gpu:h100 prise<3[^]*Unknown field prise[^]*rent/);
		// A filter above the list rewrites the query. Undo in the query field restores the previous
		// text.
		pressAction(terminal, 'compute', 'available');
		await terminal.until(/ gpu:h100 −\d+ {3}avail /);
		pressAction(terminal, 'compute', 'filter');
		pressAction(terminal, 'filter', 'undo');
		await terminal.until(/\/ gpu:h100 prise<3[^]*Unknown field prise/);
	},
);

test('while a field is being typed, its first letters are not searched as text', {tags: 'long'}, async () => {
	await using service = await startMarketService();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await openCompute(terminal);
	const count = MARKET.filter(offer => offer.name.startsWith('H100 (')).length;
	type(terminal, 'gpu:h100 avai');
	await terminal.until(new RegExp(`Compute ${count} of [^]*/ gpu:h100 avai`));
	terminal.type('l');
	const some = MARKET.filter(
		offer => offer.name.startsWith('H100 (') && offer.availability.some(each => each.available),
	);
	await terminal.until(`Compute ${some.length} of `);
	pressAction(terminal, 'filter', 'backspace');
	pressAction(terminal, 'filter', 'accept');
	await terminal.until(/Compute 0 of [^]* avai −/);
});

test(
	'filter, order and cursor stay on another screen, and the cursor stays on its offer when the order, the filter or the catalogue changes',
	{tags: 'long'},
	async () => {
		await using service = await startMarketService();
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await openCompute(terminal);
		type(terminal, 'gpu:h100 n>=8');
		await terminal.until(/Compute \d+ of [^]*n>=8/);
		pressAction(terminal, 'filter', 'accept');
		pressAction(terminal, 'compute', 'down');
		pressAction(terminal, 'compute', 'down');
		const cursor = /▸ H100 +8×80 .* 32\.88 .*oblivus/;
		await terminal.until(cursor);
		pressAction(terminal, 'compute', 'turnSort');
		expect(rowsOf(await terminal.until(/↓Price/))[0]).toBe('H100 8 47.76 paperspace');
		await terminal.until(cursor);
		pressAction(terminal, 'global', 'environments');
		await terminal.until(/Environments 1/);
		pressAction(terminal, 'global', 'compute');
		await terminal.until(/Compute \d+ of [^]*n>=8[^]*↓Price/);
		await terminal.until(cursor);
		service.answer({compute: offers(MARKET.toReversed().filter(offer => offer.cloud_host !== 'nebius'))});
		pressAction(terminal, 'global', 'refresh');
		await terminal.gone('nebius');
		await terminal.until(cursor);
		pressAction(terminal, 'compute', 'showAll');
		await terminal.until(`Compute ${MARKET.filter(offer => offer.cloud_host !== 'nebius').length} `);
		await terminal.until(cursor);
	},
);

test(
	'the command line opens the catalogue with a query, and says what it cannot read',
	{tags: 'long'},
	async () => {
		await using service = await startMarketService();
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await terminal.until(/No servers yet/);
		terminal.type(':');
		await terminal.until('Tab complete');
		terminal.type('compute gpu>=8 price<4');
		pressAction(terminal, 'chooser', 'accept');
		const count = MARKET.filter(offer => offer.num_gpus >= 8 && offer.hourly_price < 4).length;
		expect(count).toBeGreaterThan(0);
		await terminal.until(new RegExp(`Compute ${count} of [^]*n>=8.* price<4`));
		terminal.type(':');
		await terminal.until('Tab complete');
		terminal.type('compute gpus>=8 prise<4');
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until(/Unknown field gpus; did you mean gpu:\?/);
	},
);

test('every column sorts both ways', {tags: 'long'}, async () => {
	await using service = await startMarketService();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await openCompute(terminal);
	for (const head of ['↑Up in', '↑Host', '↑GPU', '↑VRAM', '↑CPU', '↑Mem', '↑Price']) {
		pressAction(terminal, 'compute', 'sortNext');
		await terminal.until(head);
	}
	pressAction(terminal, 'compute', 'turnSort');
	await terminal.until(/↓Price [^]*▸|▸[^]*/);
	expect(rowsOf(await terminal.until('↓Price')).length).toBeGreaterThan(3);
});

test('groups show their prices, and Enter shows their offers', {tags: 'long'}, async () => {
	await using service = await startMarketService();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await openCompute(terminal);
	type(terminal, 'n>=8');
	pressAction(terminal, 'filter', 'accept');
	pressAction(terminal, 'compute', 'group');
	const h100 = MARKET.filter(offer => offer.name === 'H100 (8x)');
	await terminal.until(
		new RegExp(
			`GPU models[^]*▹ H100 +${h100.length} +${h100.filter(offer => offer.availability.some(each => each.available)).length} +23\\.92 +47\\.76`,
		),
	);
	pressAction(terminal, 'compute', 'last');
	pressAction(terminal, 'compute', 'open');
	await terminal.until(/▿ V100 32G +1 /);
	pressAction(terminal, 'compute', 'create');
	await terminal.until('This is a group');
	pressAction(terminal, 'compute', 'open');
	await terminal.gone('▿');
	pressAction(terminal, 'compute', 'group');
	// Two regions whose names differ only in case are two groups, each with a note.
	await terminal.until(/by region[^]*▹ Any · case-sensitive +/);
	pressAction(terminal, 'compute', 'group');
	await terminal.until(/by host[^]*▹ runpod +\d+ /);
});

test('marked offers are compared side by side with their regions', {tags: 'long'}, async () => {
	await using service = await startMarketService();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await openCompute(terminal);
	pressAction(terminal, 'compute', 'compare');
	await terminal.until('none is marked');
	type(terminal, 'gpu:h100 host:runpod n>=4');
	pressAction(terminal, 'filter', 'accept');
	await terminal.until(/n>=4/);
	pressAction(terminal, 'compute', 'mark');
	pressAction(terminal, 'compute', 'mark');
	await terminal.until('2 marked');
	pressAction(terminal, 'compute', 'compare');
	await terminal.until(
		/▸ runpod +runpod[^]*Price \/h +18\.06 +18\.87[^]*Price \/day +433 +453[^]*Up in[^]*any +✓ +✓/,
	);
	expect(terminal.screen()).not.toMatch(/18\.06 ✓/);
	pressAction(terminal, 'compareOptions', 'regions');
	await terminal.until(/Any · case-sensitive +✗ +✗[^]*any · case-sensitive +✓ +✓/);
	pressAction(terminal, 'compareOptions', 'right');
	await terminal.until(/runpod +▸ runpod/);
	pressAction(terminal, 'compareOptions', 'rent');
	// The card with the option of the second column; nothing is spent before `y`.
	await terminal.until(/Rent a server[^]*4 × H100 +runpod +18\.87\/h/);
	expect(service.asked.filter(call => !call.startsWith('GET'))).toEqual([]);
});

const repriced = (offer: Offer, index: number): Offer =>
	index === 1 ? {...offer, hourly_price: offer.hourly_price - 0.05} : offer;

test('changes of a refresh are counted, marked and listed', {tags: 'long'}, async () => {
	const some = MARKET.filter(offer => offer.cloud_host === 'lambdalabs');
	await using service = await startMarketService(some);
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await openCompute(terminal, some.length);
	pressAction(terminal, 'compute', 'changes');
	await terminal.until('nothing to compare with yet');
	service.answer({compute: offers([MARKET[0]!, ...some.slice(0, -1).map(repriced)])});
	pressAction(terminal, 'global', 'refresh');
	await terminal.until(/1 new, 1 removed, 1 cheaper/);
	await terminal.until(/\+▸? +Medium CPU/);
	pressAction(terminal, 'compute', 'changes');
	const cheaper = some[1]!;
	await terminal.until(
		new RegExp(
			`${cheaper.compute_id} +↓ ${cheaper.hourly_price.toFixed(2)} to ${(cheaper.hourly_price - 0.05).toFixed(2)}/h[^]*${some.at(-1)?.compute_id} +- removed`,
		),
	);
});

test('a watch reports when its GPU is available in the region', async () => {
	const closed = MARKET.filter(offer => offer.name.startsWith('H100 (')).map(offer => ({
		...offer,
		availability: offer.availability.map(each => ({...each, available: false})),
	}));
	await using service = await startMarketService(closed);
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await openCompute(terminal, closed.length);
	type(terminal, 'region:FIN-02');
	pressAction(terminal, 'filter', 'accept');
	await terminal.until(/region:FIN-02/);
	pressAction(terminal, 'compute', 'watch');
	await terminal.until('Watching for H100 in FIN-02: checked twice a minute');
	service.answer({
		compute: offers(
			closed.map(offer => ({
				...offer,
				availability: offer.availability.map(each => ({...each, available: each.region === 'FIN-02'})),
			})),
		),
	});
	pressAction(terminal, 'global', 'refresh');
	await terminal.until(/H100 in FIN-02 is available now: H100 \(1x\), 4\.82\/h, datacrunch/);
	expect(terminal.screen()).not.toContain('watching H100');
});

test('creating a server from an unavailable offer gives a warning', {tags: 'long'}, async () => {
	await using service = await startMarketService(
		MARKET.map(offer => ({
			...offer,
			availability: offer.availability.map(each => ({...each, available: offer.cloud_host === 'svc'})),
		})),
	);
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await openCompute(terminal);
	pressAction(terminal, 'compute', 'last');
	pressAction(terminal, 'compute', 'create');
	await terminal.until('is not available now: * watches for it');
	pressAction(terminal, 'compute', 'available');
	await terminal.until(' avail ');
	pressAction(terminal, 'compute', 'create');
	await terminal.until(/Rent a server[^]*Compute +svc-medium/);
});

test('from a row to a server with a name of its own: c, n, the name, Enter, y', {tags: 'long'}, async () => {
	await using service = await startMarketService();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await openCompute(terminal);
	type(terminal, 'gpu:h100 price<3 avail');
	pressAction(terminal, 'filter', 'accept');
	await terminal.until(/▸ H100 +1×80 .* 2\.48 /);
	// A single write: the name belongs to the field that the second key enters.
	terminal.type(`${keysOf('compute', 'create')[0]}${keysOf('review', 'name')[0]}trainer`);
	await terminal.until(/trainer[^]*massedcompute-H100x1/);
	pressAction(terminal, 'form', 'accept');
	await terminal.until(/Rent at 2\.48\/h/);
	service.answer({
		servers: () => success({servers: [serverItem('trainer', {server_request: 'massedcompute-H100x1'})]}),
	});
	pressAction(terminal, 'confirm', 'yes');
	await terminal.until('trainer is ready');
	expect(service.asked.filter(line => line === 'POST /api/servers')).toHaveLength(1);
});

test(
	'an offer that has gone since the list came is reported in the form, with the nearest in its place',
	{tags: 'long'},
	async () => {
		await using service = await startMarketService();
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await openCompute(terminal);
		type(terminal, 'gpu:h100 price<3 avail');
		pressAction(terminal, 'filter', 'accept');
		await terminal.until(/▸ H100 +1×80 .* 2\.48 /);
		service.answer({compute: offers(MARKET.filter(offer => offer.compute_id !== 'massedcompute-H100x1'))});
		pressAction(terminal, 'compute', 'create');
		await terminal.until(
			/compute +oblivus-H100x1[^]*massedcompute-H100x1 is no longer available; this is the closest, 4\.11\/h/,
		);
		pressAction(terminal, 'form', 'cancel');
		await terminal.gone('╭');
		// The list shows the remaining matches.
		await terminal.until(/Compute 0 of /);
		pressAction(terminal, 'compute', 'showAll');
		type(terminal, 'oblivus-H100x1');
		pressAction(terminal, 'filter', 'accept');
		await terminal.until(/▸ H100 +1×80 .*oblivus/);
		// The catalogue has no similar offer: the old one stays, with its problem.
		service.answer({compute: offers(MARKET.filter(offer => offer.num_gpus === 0))});
		pressAction(terminal, 'compute', 'create');
		await terminal.until(/compute +oblivus-H100x1[^]*is no longer available, nor is anything like it/);
	},
);

test(
	'a price that changed since the list came is reported before anything is confirmed',
	{tags: 'long'},
	async () => {
		await using service = await startMarketService();
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await openCompute(terminal);
		service.answer({
			compute: offers(MARKET.map(offer => (offer.num_gpus === 0 ? {...offer, hourly_price: 0.2} : offer))),
		});
		pressAction(terminal, 'compute', 'create');
		await terminal.until(/Compute +svc-medium[^]*It costs 0\.20\/h now; the list said 0\.10/);
	},
);

test(
	'keys typed ahead of a picker that is opened for the second time are for that one',
	{tags: 'long'},
	async () => {
		await using service = await startMarketService();
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await openCompute(terminal);
		const opened = keysOf('compute', 'gpu').join('');
		const DOWN = '\u001B[B';
		// All keys arrive in a single read. They select the third row and close the picker. In the
		// next picker the cursor is on that row, and the row below is selected. Esc is written in a
		// form that cannot merge with the keys after it.
		terminal.type(`${opened}${DOWN}${DOWN}\t\u001B[27u${opened}${DOWN}\t\u001B[27u`);
		await terminal.until(new RegExp(`gpu:"?${models[2]}"? `));
	},
);

test(
	'10,000 offers of 20 regions: the filter finds one of them, the end is reached, and the cursor keeps to its row',
	{tags: 'long'},
	async () => {
		const many = manyOffers(10_000);
		await using service = await startMarketService(many);
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await openCompute(terminal, many.length);
		pressAction(terminal, 'compute', 'last');
		const dearest = many.toSorted((a, b) => a.hourly_price - b.hourly_price).at(-1)!;
		await terminal.until(new RegExp(`▸ .* ${dearest.hourly_price.toFixed(2)} `));
		type(terminal, '-9876');
		await terminal.until(/Compute 1 of 10000 /);
		expect(rowsOf(terminal.screen())).toEqual([rowOf(many[9876]!)]);
		pressAction(terminal, 'filter', 'accept');
		pressAction(terminal, 'compute', 'showAll');
		await terminal.until(/Compute 10000 /);
		// The cursor is on its row again: a filter that hid the row has not moved it.
		await terminal.until(new RegExp(`▸ .* ${dearest.hourly_price.toFixed(2)} `));
	},
);

test('an H100 under 3 an hour in Europe: from the list of servers to a running one in 12 keys', async () => {
	const cheap: Offer = {
		...MARKET.find(offer => offer.compute_id === 'massedcompute-H100x1')!,
		compute_id: 'nebius-H100_fin',
		cloud_host: 'nebius',
		hourly_price: 2.79,
		availability: [{available: true, region: 'eu-north1-c'}],
	};
	await using service = await startMarketService([...MARKET, cheap]);
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until(/No servers yet/);
	let keys = 0;
	const press = async (pressed: string, shown: string | RegExp): Promise<string> => {
		keys += pressed.split(' ').length;
		terminal.press(...pressed.split(' '));
		return terminal.until(shown);
	};
	await press('2', /Compute \d+ [^]*Price \/h/);
	await press('f g', `GPU models ${models.length}`);
	await press('h', /› h +│[^]*│ +□ H100 /);
	await press('enter', /gpu:H100 [^]*▸ H100 +1×80 .* 2\.48 /);
	await press('f r', /Regions \d/);
	await press('e', /› e /);
	await press('u', /› eu [^]*□ Europe: all \d+ regions/);
	await press('enter', /region:europe[^]*▸ H100 +1×80 .* 2\.79 .* 1\/1 /);
	await press(
		'c',
		/Rent a server[^]*2\.79\/h +67\/day[^]*Name +h100 [^]*You filtered Europe;[^]*y Rent at 2\.79\/h/,
	);
	service.answer({
		servers: () => success({servers: [serverItem('h100', {server_request: 'nebius-H100_fin'})]}),
	});
	await press('y', 'h100 is ready');
	expect(keys).toBe(12);
	expect(service.asked.filter(line => line === 'POST /api/servers')).toHaveLength(1);
});

test(
	"the catalogue's suggested name is replaced by the first letter; Tab moves to the other fields",
	{tags: 'long'},
	async () => {
		await using service = await startMarketService();
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await openCompute(terminal);
		pressAction(terminal, 'compute', 'create');
		await terminal.until(/n Name +medium-cpu /);
		// A form that is closed without changes leaves no draft.
		pressAction(terminal, 'form', 'cancel');
		await terminal.gone('╭');
		expect(terminal.screen()).not.toContain('Nothing was sent');
		pressAction(terminal, 'compute', 'create');
		await terminal.until(/n Name +medium-cpu /);
		pressAction(terminal, 'review', 'name');
		await terminal.until(/▸ name +medium-cpu /);
		terminal.type('box');
		await terminal.until(/▸ name +box /);
		pressAction(terminal, 'form', 'next');
		await terminal.until(/▸ environment/);
		pressAction(terminal, 'form', 'accept');
		await terminal.until('Rent at 0.10/h');
	},
);

test('a value that is not there is answered with the nearest, and takes no row away while it is typed', async () => {
	await using service = await startMarketService();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await openCompute(terminal);
	type(terminal, 'gpu:h10');
	await terminal.until(
		new RegExp(`Compute ${MARKET.length} [^]*No GPU h10 in the catalogue; did you mean H100\\?`),
	);
	terminal.type('0 region:germany');
	await terminal.until(/ gpu:h100 region:germany/);
	await terminal.gone('in the catalogue');
	terminal.type(' region:eu-1');
	await terminal.until(/region:germany[^]*No region eu-1 in the catalogue; did you mean EU-/);
});
