import {code, fence, paragraphs} from '../markdown.ts';
import {entriesNamed} from '../server-files.ts';
import {testsCode} from './python.ts';
import {carryOut, Hindrance, needs, type Job, type Script} from './script.ts';
import {wordsOf} from './words-of-goal.ts';

const IS_TEST = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;

export const wantsTests = ({prose}: Pick<Job, 'prose'>): boolean => {
	const words = wordsOf(prose);
	if (/\b(?:pytest|unittest)\b/i.test(words)) return true;
	if (/\b(?:run|execute)\b/i.test(words) && /\b(?:test_\w+|\w+_test)\.py\b/.test(prose)) return true;
	return /\btests?\b/i.test(words) && /\b(?:run|execute|do|does|start|check|pass|fail\w*|try)\b/i.test(words);
};

/** The files of tests that a goal names, in folders too; all of them where it names none. */
const testsIn = ({prose, tree: {entries}}: Pick<Job, 'prose' | 'tree'>): readonly string[] => {
	const all = entries.map(({path}) => path).filter(path => IS_TEST.test(path));
	const named = entriesNamed(entries, prose).map(({path}) => path);
	const wanted = all.filter(path => named.some(each => path === each || path.startsWith(`${each}/`)));
	return wanted.length > 0 ? wanted : all;
};

const FAILED = /^(?:FAIL|FAILED|ERROR):? .*/;
const MOST_FAILED = 20;

/** Runs the tests and says how they ended. */
export async function* runTests(job: Job): Script {
	const paths = testsIn(job).toSorted();
	if (paths.length === 0)
		throw new Hindrance('There are no tests here: no file is named `test_….py` or `…_test.py`.');
	needs(job, 'run');
	const printed = yield* carryOut({kind: 'run', text: testsCode(paths)});
	const lines = printed.trimEnd().split('\n');
	const failed = lines.filter(line => FAILED.test(line));
	const end = (lines.at(-1) ?? '').replaceAll(/^=+ | =+$/g, '');
	const files = paths.length <= 3 ? paths.map(code).join(', ') : `${paths.length} files`;
	return paragraphs(
		`The tests of ${files}: ${end === '' ? 'their end is not known' : end}.`,
		failed.length > 0 && fence(failed.slice(0, MOST_FAILED).join('\n'), 'text'),
		failed.length > MOST_FAILED && `… and ${failed.length - MOST_FAILED} more.`,
	);
}
