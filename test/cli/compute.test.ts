import {afterAll, beforeAll, expect, test} from 'vitest';
import market from '../../src/service/catalogue/offers.json' with {type: 'json'};
import {newHome, type Home} from '../support/program.ts';
import {canned, list, serve, type Canned, type Served} from './support.ts';

const plain = {
	name: 'Medium CPU',
	cloud_host: 'svc',
	cpus: 2,
	memory: '8G',
	num_gpus: 0,
	vram_per_gpu: '0G',
	total_vram: '0G',
	hourly_price: 0.1,
	availability: [{available: true, region: 'default'}],
};
const catalogue = [plain, ...market.compute];

let home: Home;
let served: Served;
let real: Canned;
beforeAll(async () => {
	home = await newHome();
	served = await serve(home);
	real = await canned({'GET /api/compute': list('compute', ...catalogue)});
});
afterAll(async () => {
	await real[Symbol.asyncDispose]();
	await served[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

type Option = (typeof market.compute)[number];

const compute = async (...args: readonly string[]): Promise<readonly Option[]> => {
	const {code, stdout, stderr} = await served.run(['compute', '--json', ...args], {env: real.env});
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	return JSON.parse(stdout) as readonly Option[];
};

test('H100s with 80 GB at most 3 an hour in a region, by options and by query, are the same rows', async () => {
	const wanted = market.compute.filter(
		option =>
			option.name.startsWith('H100 (') &&
			option.vram_per_gpu === '80G' &&
			option.hourly_price <= 2.48 &&
			option.availability.some(each => each.region === 'us-central-3' && each.available),
	);
	expect(wanted).not.toEqual([]);
	expect(
		await compute(
			'--gpu',
			'h100',
			'--min-vram',
			'80',
			'--max-price',
			'2.48',
			'--region',
			'us-central-3',
			'--available',
		),
	).toEqual(wanted);
	expect(await compute('--query', 'gpu:h100 vram>=80 price<=2.48 region:us-central-3 avail')).toEqual(wanted);
	expect(await compute('--query', 'gpu:h100 vram>=80 price<2.48 region:us-central-3 avail')).toEqual([]);
	// Options and the query are combined.
	expect(
		await compute('--gpu', 'h100', '--available', '--query', 'vram>=80G price<=2.48 region:us-central-3'),
	).toEqual(wanted);
});

test('counts, hosts, machines without a GPU and words narrow the list', async () => {
	expect(await compute('--min-gpus', '8', '--host', 'AWS')).toEqual(
		market.compute.filter(option => option.num_gpus >= 8 && option.cloud_host === 'aws'),
	);
	expect(await compute('--cpu-only')).toEqual([plain]);
	expect(await compute('--query', 'sxm4 runpod')).toEqual(
		market.compute.filter(option => /sxm4/i.test(`${option.compute_id}`) && option.cloud_host === 'runpod'),
	);
});

test('sorted, the list has the order of the column, and a minus turns it round', async () => {
	const prices = (await compute('--sort', 'price')).map(option => option.hourly_price);
	expect(prices).toEqual(catalogue.map(option => option.hourly_price).toSorted((a, b) => a - b));
	expect((await compute('--sort', '-mem')).map(option => Number.parseFloat(option.memory))).toEqual(
		catalogue.map(option => Number.parseFloat(option.memory)).toSorted((a, b) => b - a),
	);
});

test('an unknown host, and sizes that cannot be read, are reported', async () => {
	const [first] = market.compute;
	await using service = await canned({
		'GET /api/compute': list('compute', first, {...first, vram_per_gpu: 'plenty'}),
	});
	expect((await served.run(['compute', '--host', 'awss'], {env: service.env})).stderr).toContain(
		`No option is on the host awss; the catalogue has ${first?.cloud_host}.`,
	);
	expect((await served.run(['compute', '--min-vram', '1'], {env: service.env})).stderr).toContain(
		'One option was left out because the size of the GPU memory is unknown.',
	);
});

const offers = (available: boolean) =>
	list(
		'compute',
		...market.compute
			.filter(option => option.name.startsWith('H100 ('))
			.map(option => ({
				...option,
				availability: option.availability.map(each => ({
					...each,
					available: available && each.region === 'FIN-02',
				})),
			})),
	);

test('a watch ends with 0 and the offer once it is available, and at once when the service refuses', async () => {
	let looks = 0;
	await using service = await canned({
		'GET /api/compute': () => {
			looks++;
			return looks === 1 ? undefined : offers(looks > 3);
		},
	});
	// The canned service answers the first request with 404, an error after which `watch` does not
	// retry.
	expect(await served.run(['compute', 'watch', '--gpu', 'H100', '--json'], {env: service.env})).toMatchObject(
		{code: 3, stdout: ''},
	);
	expect(looks).toBe(1);
	const found = await served.run(
		['compute', 'watch', '--query', 'gpu:h100 region:FIN-02', '--every', '0.05', '--json'],
		{env: service.env},
	);
	expect({code: found.code, looks}).toEqual({code: 0, looks: 4});
	expect(found.stderr).toContain(
		'Nothing available yet for gpu:h100 region:FIN-02 avail; checking every 0.05 s.',
	);
	expect((JSON.parse(found.stdout) as readonly Option[]).map(option => option.compute_id)).toEqual([
		'datacrunch-H100_sxm5x1',
	]);
});

test('a watch that sees nothing in its time ends with 5', {tags: 'long'}, async () => {
	await using service = await canned({'GET /api/compute': () => offers(false)});
	const {code, stdout, stderr} = await served.run(
		['compute', 'watch', '--gpu', 'H100', '--every', '0.05', '--timeout', '2'],
		{env: service.env},
	);
	expect({code, stdout}).toEqual({code: 5, stdout: ''});
	expect(stderr).toContain('No match for gpu:H100 avail became available within 2 s.');
	expect(service.asked.length).toBeGreaterThan(1);
});
