import {writtenPath} from '../../../contract/task-sentences.ts';
import {csvRows} from '../../../text/columns/csv.ts';
import {code, paragraphs} from '../markdown.ts';
import {entriesNamed, entriesOfKind} from '../server-files.ts';
import {columnsCode, measureCode, type Measure} from './python.ts';
import {
	ask,
	attempt,
	carryOut,
	CannotDo,
	needs,
	failureText,
	type Job,
	type Script,
	type StepRequest,
} from './script.ts';
import {columnFor, columnsNamed, groupIn, measureIn, targetIn, wantsFile} from './parse-goal.ts';

const SHOWN_ROWS = 24;
const IS_TABLE = /\.[ct]sv$/i;

export const tableIn = ({prose, tree: {entries}}: Pick<Job, 'prose' | 'tree'>): string | null => {
	const named = entriesNamed(entries, prose).filter(({path}) => IS_TABLE.test(path));
	const [only, another] = entriesOfKind(entries, prose).filter(({path}) => IS_TABLE.test(path));
	return named[0]?.path ?? (another === undefined ? (only?.path ?? null) : null);
};

const isSummary = (prose: string): boolean =>
	/\b(summar|describe|statistics|stats|overview|columns?|rows?|report|analy|what|look|tell|show|explore)/i.test(
		prose,
	);

/** True if the goal names a table and something to compute from it. */
export const wantsTable = (job: Pick<Job, 'prose' | 'tree'>): boolean =>
	tableIn(job) !== null && (measureIn(job.prose) !== null || wantsFile(job.prose) || isSummary(job.prose));

/** Numeric columns, determined from the first rows. */
const numericIn = (names: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
	names.filter((_, at) => {
		const cells = rows.map(row => row[at] ?? '').filter(cell => cell.trim() !== '');
		return cells.length > 0 && cells.every(cell => Number.isFinite(Number(cell)));
	});

/**
 * Column that a goal refers to: the column it names, a price column, or the only numeric column.
 * Null if unclear.
 */
const valueOf = (numeric: readonly string[], prose: string): string | null => {
	const [named] = columnsNamed(numeric, prose);
	const price = /\b(cheap|expensive|dear|price|cost)/i.test(prose)
		? numeric.find(name => /price|cost|rate/i.test(name))
		: undefined;
	return named ?? price ?? (numeric.length === 1 ? (numeric[0] ?? null) : null);
};

/** Column for a word. Asks the user to choose if the word does not identify one. */
async function* choose(
	names: readonly string[],
	word: string | null,
	notOffered: readonly string[],
	question: string,
): AsyncGenerator<readonly StepRequest[], string, string> {
	const found = word === null ? null : columnFor(names, word);
	if (found !== null) return found;
	const answer = yield* ask(
		`${question} ${names
			.filter(name => !notOffered.includes(name))
			.map(code)
			.join(', ')}?`,
	);
	const chosen = columnFor(names, answer) ?? columnsNamed(names, answer)[0];
	if (chosen === undefined) throw new CannotDo(`There is no column ${code(answer)}.`);
	return chosen;
}

const MEASURE_WORDS: Readonly<Record<Measure, string>> = {
	min: 'The lowest',
	max: 'The highest',
	mean: 'The mean',
	sum: 'The sum of',
	count: 'The number of rows',
};

const freePath = ({entries}: Job['tree']): string => {
	const taken = new Set(entries.map(({path}) => path));
	const paths = ['report.md', ...Array.from({length: 99}, (_, at) => `report-${at + 2}.md`)];
	return paths.find(path => !taken.has(path)) ?? 'report-101.md';
};

/** Reads a table, computes the result, and writes a report if the goal asks for one. */
export async function* workOnTable(job: Job): Script {
	const {prose, tree} = job;
	const path = tableIn(job) ?? '';
	const [measure, writes] = [measureIn(prose), wantsFile(prose)];
	needs(job, 'run', ...(writes ? (['write'] as const) : []));
	let title = `Contents of ${code(path)}`;
	let source = columnsCode(path);
	if (measure !== null) {
		const head = yield* carryOut({kind: 'read', argument: `${path}#L1-6`});
		const [names = [], ...rows] = csvRows(head).filter(row => row.some(cell => cell !== ''));
		const numeric = numericIn(names, rows);
		const word = groupIn(prose);
		const group =
			word === null
				? null
				: yield* choose(
						names,
						word,
						numeric.length < names.length ? numeric : [],
						`There is no column ${code(word)} in ${code(path)}. What shall I group by:`,
					);
		const value =
			measure === 'count'
				? (names[0] ?? '')
				: (valueOf(
						numeric.filter(name => name !== group),
						prose,
					) ?? (yield* choose(names, null, [], 'Which column of numbers shall I use:')));
		title = `${MEASURE_WORDS[measure]}${measure === 'count' ? '' : ` ${code(value)}`}${group === null ? '' : ` per ${code(group)}`}`;
		source = measureCode(path, {measure, group, value});
	}
	const printed = yield* carryOut({kind: 'run', text: source});
	const [counted = '', ...table] = printed.trimEnd().split('\n');
	if (table.length < 3) throw new CannotDo(`There is nothing to count in ${code(path)}, ${counted}.`);
	const found = `From ${code(path)}, ${counted}:\n\n${table.join('\n')}`;
	if (!writes) return measure === null ? found : paragraphs(`**${title}**`, found);
	const target = targetIn(prose) ?? freePath(tree);
	const [written] = yield* attempt({kind: 'write', argument: target, text: `# ${title}\n\n${found}\n`});
	if (!written?.isGood) throw new CannotDo(failureText(written));
	// May differ from `target` if a file of that name exists, such as an earlier report.
	const place = code(writtenPath(written.head));
	return paragraphs(
		`The report is in ${place}.`,
		table.length <= SHOWN_ROWS ? found : `It has ${table.length - 2} rows.`,
	);
}
