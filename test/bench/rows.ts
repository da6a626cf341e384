import {spawnSync} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {manyOffers, startMarketService, type Offer} from '../support/market-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import {openTerminal, type Terminal} from '../support/terminal.ts';
import {keyToFrame} from './key-to-frame.ts';
import type {Measurement} from './measurement.ts';

const FEW = 300;
const MANY = 10_000;
const KEYS = 120;
/** Word that is typed letter by letter and deleted again. Each letter leaves fewer rows. */
const WORD = 'runpod-a100';
const ROUNDS = 8;

const openCatalogue = async (home: Home, offers: readonly Offer[]) => {
	const service = await startMarketService(offers);
	const terminal = await openProgram({home, env: service.env});
	await terminal.until(/No servers yet/);
	pressAction(terminal, 'global', 'compute');
	await terminal.until(new RegExp(`Compute ${offers.length} `));
	return {
		terminal,
		async [Symbol.asyncDispose]() {
			await terminal[Symbol.asyncDispose]();
			await service[Symbol.asyncDispose]();
		},
	};
};

/** Moves the cursor in the middle of the list, where rows scroll below it. */
const cursorKeys = async (home: Home, offers: readonly Offer[]): Promise<readonly number[]> => {
	await using opened = await openCatalogue(home, offers);
	const {terminal} = opened;
	for (let page = 0; page < 4; page++)
		await keyToFrame(terminal, () => pressAction(terminal, 'compute', 'pageDown'));
	const values: number[] = [];
	for (let key = 0; key < KEYS; key++)
		values.push(await keyToFrame(terminal, () => pressAction(terminal, 'compute', 'down')));
	return values;
};

const typeWord = async (terminal: Terminal, erase: () => void): Promise<readonly number[]> => {
	const values: number[] = [];
	for (let round = -1; round < ROUNDS; round++) {
		for (const letter of WORD) {
			const ms = await keyToFrame(terminal, () => terminal.type(letter));
			if (round >= 0) values.push(ms);
		}
		await keyToFrame(terminal, erase);
	}
	return values;
};

const letters = async (home: Home, offers: readonly Offer[]): Promise<readonly number[]> => {
	await using opened = await openCatalogue(home, offers);
	const {terminal} = opened;
	pressAction(terminal, 'compute', 'filter');
	await terminal.until('close the filter');
	return await typeWord(terminal, () => pressAction(terminal, 'filter', 'killToStart'));
};

/**
 * The same rows in fzf. It does not mark the end of a frame, so the first output after the key
 * counts. Undefined if fzf is not installed.
 */
const inFzf = async (home: Home, offers: readonly Offer[]): Promise<readonly number[] | undefined> => {
	if (spawnSync('fzf', ['--version']).status !== 0) return undefined;
	const file = join(home.folder, 'rows');
	await writeFile(
		file,
		offers
			.map(offer => [offer.name, offer.compute_id, offer.cloud_host, offer.hourly_price].join('  '))
			.join('\n'),
	);
	await using terminal = await openTerminal({
		command: ['sh', '-c', `fzf --exact < '${file}'`],
		env: home.env,
		cwd: home.folder,
	});
	await terminal.until(`${offers.length}/${offers.length}`);
	const values: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		for (const letter of WORD) {
			const before = terminal.screen();
			let last = 0;
			const stop = terminal.onOutput((_, at) => {
				last = at;
			});
			const from = performance.now();
			terminal.type(letter);
			await terminal.untilTrue('fzf to answer', () => terminal.screen() !== before);
			await new Promise(resolve => setTimeout(resolve, 60));
			stop();
			values.push(last - from);
		}
		terminal.press('ctrl+u');
		await terminal.until(`${offers.length}/${offers.length}`);
	}
	return values;
};

/**
 * Moves the cursor and types a query in a catalogue of 300, then of 10,000 offers with 20 regions
 * each.
 */
export const rows = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	const few = manyOffers(FEW);
	const many = manyOffers(MANY);
	const frame = {what: 'a frame at 60 Hz', values: [1000 / 60]};
	const fewKeys = await cursorKeys(home, few);
	const manyKeys = await cursorKeys(home, many);
	const fzf = await inFzf(home, many);
	const fewLetters = await letters(home, few);
	const manyLetters = await letters(home, many);
	return [
		{
			id: 'P2',
			what: `key to frame in a catalogue of ${FEW} rows`,
			unit: 'ms',
			values: fewKeys,
			reference: frame,
			budget: {figure: 'p95', atMost: 16},
		},
		{
			id: 'P2',
			what: `key to frame in a catalogue of ${MANY} rows`,
			unit: 'ms',
			values: manyKeys,
			reference: frame,
			budget: {figure: 'p95', atMost: 16},
		},
		{
			id: 'P2',
			what: `the same, against ${FEW} rows`,
			unit: 'ms',
			values: manyKeys,
			reference: {what: `${FEW} rows`, values: fewKeys},
			budget: {figure: 'ratio', atMost: 1.3},
		},
		{
			id: 'P3',
			what: `one more letter of the query in ${FEW} rows`,
			unit: 'ms',
			values: fewLetters,
			budget: {figure: 'p95', atMost: 30},
		},
		{
			id: 'P3',
			what: `one more letter of the query in ${MANY} rows`,
			unit: 'ms',
			values: manyLetters,
			...(fzf && {reference: {what: 'fzf on the same rows', values: fzf}}),
			budget: {figure: 'p95', atMost: 30},
		},
		...(fzf
			? [
					{
						id: 'P3',
						what: 'the same, against fzf',
						unit: 'ms',
						values: manyLetters,
						reference: {what: 'fzf on the same rows', values: fzf},
						budget: {figure: 'ratio', atMost: 3},
					} as const,
				]
			: []),
	];
};
