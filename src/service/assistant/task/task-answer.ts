// Answers of the built-in assistant in a task. They follow fixed rules and state that it is not a
// language model.
import type {Message} from '../../../contract/assistant.ts';
import {withoutEnd} from '../../../text/ends.ts';
import {fenced} from '../../../text/markdown/fence.ts';
import type {About} from '../about.ts';
import {FileFault} from '../../../engines/files.ts';
import {code, paragraphs, fence} from '../markdown.ts';
import {entriesNamed, walk, type Tree} from '../server-files.ts';
import {
	explainError,
	inspectFiles,
	runIt,
	search,
	wantsError,
	wantsInspectFiles,
	wantsRun,
	wantsSearch,
} from './inspect.ts';
import {CannotDo, type Job, type Script, type StepRequest, carryOut, needs} from './script.ts';
import {wantsTable, workOnTable} from './tables.ts';
import {parseTaskPrompt, type TaskPrompt} from './parse-prompt.ts';
import {isBeyond, wantsFile, wordsOf} from './parse-goal.ts';
import {testsCode} from './python.ts';

const IS_TEST = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;

const wantsTests = ({prose}: Pick<Job, 'prose'>): boolean => {
	const words = wordsOf(prose);
	if (/\b(?:pytest|unittest)\b/i.test(words)) return true;
	if (/\b(?:run|execute)\b/i.test(words) && /\b(?:test_\w+|\w+_test)\.py\b/.test(prose)) return true;
	return /\btests?\b/i.test(words) && /\b(?:run|execute|do|does|start|check|pass|fail\w*|try)\b/i.test(words);
};

/** Test files that a goal names, directly or by their folder. All test files if it names none. */
const testsIn = ({prose, tree: {entries}}: Pick<Job, 'prose' | 'tree'>): readonly string[] => {
	const all = entries.map(({path}) => path).filter(path => IS_TEST.test(path));
	const named = entriesNamed(entries, prose).map(({path}) => path);
	const wanted = all.filter(path => named.some(each => path === each || path.startsWith(`${each}/`)));
	return wanted.length > 0 ? wanted : all;
};

const FAILED = /^(?:FAIL|FAILED|ERROR):? .*/;
const MOST_FAILED = 20;

export async function* runTests(job: Job): Script {
	const paths = testsIn(job).toSorted();
	if (paths.length === 0)
		throw new CannotDo('There are no tests here: no file is named `test_….py` or `…_test.py`.');
	needs(job, 'run');
	const printed = yield* carryOut({kind: 'run', text: testsCode(paths)});
	const lines = printed.trimEnd().split('\n');
	const failed = lines.filter(line => FAILED.test(line));
	const end = (lines.at(-1) ?? '').replaceAll(/^=+ | =+$/g, '');
	const files = paths.length <= 3 ? paths.map(code).join(', ') : `${paths.length} files`;
	return paragraphs(
		`The tests of ${files}: ${end === '' ? 'result unknown' : end}.`,
		failed.length > 0 && fence(failed.slice(0, MOST_FAILED).join('\n'), 'text'),
		failed.length > MOST_FAILED && `… and ${failed.length - MOST_FAILED} more.`,
	);
}

const WHO = 'I am the built-in assistant, not a language model; I follow fixed rules.';

/** Plans in order of priority, most specific first. */
const PLANS: readonly (readonly [wants: (job: Job) => boolean, plan: (job: Job) => Script])[] = [
	[wantsTests, runTests],
	[wantsTable, workOnTable],
	[wantsError, explainError],
	[wantsRun, runIt],
	[wantsSearch, search],
	[wantsInspectFiles, inspectFiles],
];

const cannot = ({entries}: Tree): string => {
	const named = (ending: RegExp, otherwise: string): string =>
		entries.find(({path, type}) => type === 'file' && ending.test(path))?.path ?? otherwise;
	const table = named(/\.[ct]sv$/i, 'data.csv');
	return paragraphs(
		`${WHO} I have no rule for that, so I did nothing. I can:`,
		[
			`- list and read: ${code('what is in data/?')}, ${code(`read ${named(/\.(py|md)$/, 'README.md')}`)}`,
			`- run: ${code('run the tests')}, ${code(`run ${named(/\.py$/, 'train.py')}`)}`,
			`- find a text: ${code('find "import csv"')}`,
			`- explain: ${code('why did the last cell fail?')}`,
			`- work on a table: ${code(`describe ${table}`)}, ${code(`find the lowest COLUMN per COLUMN in ${table} and write a report`)}`,
		].join('\n'),
		`For all else set a language model: ${code('svc-tui help assistant')}.`,
	);
};

const FILLER = /^\W*(?:(?:tell|show|print|give|say)\b.*|(?:write|make|create|save)\b.*|please)?\W*$/i;

const planOf = (job: Job): ((job: Job) => Script) | null => PLANS.find(([wants]) => wants(job))?.[1] ?? null;

/** Plans for a goal: one for the whole goal, or one for each part. Null if any part has no plan. */
const plansFor = (job: Job): readonly Script[] | null => {
	const parts = job.prose
		.split(/(?:,\s*|\s+)(?:and\s+then|then|and)\s+|[;\n]+/i)
		.filter(part => part.trim() !== '');
	const jobs = parts.map(prose => ({...job, prose: withoutEnd(prose.trim(), '.?!')}));
	const own = jobs.map(planOf);
	// True for a part that only names more files or the output to write. Such a part is not a goal
	// of its own.
	const belongs = (part: Job): boolean =>
		FILLER.test(part.prose) ||
		(entriesNamed(part.tree.entries, part.prose).length > 0 &&
			wordsOf(part.prose).trim().split(/\s+/).length < 3);
	if (isBeyond(job.prose)) return null;
	const isWritten = wantsFile(job.prose);
	if (!isWritten && jobs.length > 1 && own.every(plan => plan !== null))
		return jobs.map((part, at) => own[at]!(part));
	if (jobs.some((part, at) => own[at] === null && !belongs(part))) return null;
	const plan = planOf(job);
	// Only the results of a table can be written to a file.
	return plan === null || (isWritten && plan !== workOnTable) ? null : [plan(job)];
};

async function* inTurn(scripts: readonly Script[]): Script {
	const found: string[] = [];
	for (const script of scripts) found.push(yield* script);
	return paragraphs(...found);
}

const block = (mark: string, kind: string, argument: string, text: string): string =>
	`${fenced(text, `${kind} ${mark}${argument === '' ? '' : ` ${argument}`}`)}\n`;

const stepsText = (mark: string, requests: readonly StepRequest[]): string =>
	requests.map(({kind, argument = '', text = ''}) => block(mark, kind, argument, text)).join('\n');

/**
 * Next message of a plan. Replays the plan with all replies so far, so that no state has to be
 * stored.
 */
const nextMessage = async (script: Script, {mark, replies}: TaskPrompt): Promise<string> => {
	try {
		let next = await script.next();
		for (const reply of replies) if (!next.done) next = await script.next(reply);
		return next.done ? block(mark, 'done', '', `${next.value}\n\n${WHO}`) : stepsText(mark, next.value);
	} catch (error) {
		if (!(error instanceof CannotDo) && !(error instanceof FileFault)) throw error;
		return block(mark, 'give-up', '', `${error.message}\n\n${WHO}`);
	}
};

/**
 * Next answer in a task. Null if the conversation is not a task.
 * @throws Any error of a look-up.
 */
export const taskAnswer = async (messages: readonly Message[], about: About): Promise<string | null> => {
	const prompt = parseTaskPrompt(messages);
	if (prompt === null) return null;
	const tree = await walk(about.files);
	const plans = plansFor({prose: prompt.goal, about, tree, mayNot: prompt.mayNot});
	const answer =
		plans === null
			? block(prompt.mark, 'give-up', '', cannot(tree))
			: await nextMessage(inTurn(plans), prompt);
	return `${WHO}\n\n${answer}`;
};
