// Findings that are allowed for now, for each file and check. They may only become fewer.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {CHECKS, type Check} from './language-checks.ts';

type Counts = Readonly<Partial<Record<Check, number>>>;
export type Baseline = Readonly<Record<string, Counts>>;

const FILE = join(import.meta.dirname, 'language-baseline.json');

export const readBaseline = (): Baseline => JSON.parse(readFileSync(FILE, 'utf8')) as Baseline;

/** Writes each file on a line of its own, so that branches merge. */
export const writeBaseline = (baseline: Baseline): void => {
	const lines = Object.keys(baseline)
		.toSorted()
		.map(file => `\t${JSON.stringify(file)}: ${JSON.stringify(baseline[file])}`);
	writeFileSync(FILE, lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`);
};

export const totals = (baseline: Baseline): Record<Check, number> =>
	Object.fromEntries(
		CHECKS.map(check => [
			check,
			Object.values(baseline).reduce((sum, counts) => sum + (counts[check] ?? 0), 0),
		]),
	) as Record<Check, number>;

/** A difference from the baseline. `isWarning`: fewer findings than allowed. */
export type Problem = {readonly text: string; readonly isWarning: boolean};

export const problemsWith = (now: Baseline, baseline = readBaseline()): readonly Problem[] =>
	[...new Set([...Object.keys(baseline), ...Object.keys(now)])].toSorted().flatMap(file =>
		CHECKS.flatMap(check => {
			const count = now[file]?.[check] ?? 0;
			const allowed = baseline[file]?.[check] ?? 0;
			if (count === allowed) return [];
			const isWarning = count < allowed;
			const help = isWarning ? 'npm run language -- --shrink' : `npm run language -- ${file}`;
			return [{text: `${file}: ${check}: ${count}, the baseline has ${allowed} (${help})`, isWarning}];
		}),
	);

/**
 * The baseline of today's findings. Findings may move with their code to another file.
 * @throws {Error} if a check would have more findings than before.
 */
export const shrunk = (old: Baseline, now: Baseline): Baseline => {
	const before = totals(old);
	const after = totals(now);
	const grown = CHECKS.filter(check => after[check] > before[check]);
	if (grown.length > 0)
		throw new Error(
			`The baseline may only shrink: ${grown.map(check => `${check} ${before[check]} -> ${after[check]}`).join(', ')}.`,
		);
	return now;
};
