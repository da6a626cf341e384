// Task plans that only read.
import {RAISED} from '../../../contract/task-sentences.ts';
import {describeError, pathOnServer} from '../error-answer.ts';
import {describeEntry} from '../file-answer.ts';
import {code, count, fence, paragraphs} from '../markdown.ts';
import {linesNamed, namesError, namesFiles} from '../question.ts';
import {entriesNamed} from '../server-files.ts';
import {errorInText, framesOf} from '../traceback.ts';
import {findCode, LAST_ERROR_CODE, runFileCode} from './python.ts';
import {
	attempt,
	carryOut,
	needs,
	failureText,
	CannotDo,
	type Job,
	type Script,
	type StepRequest,
} from './script.ts';
import {searchTermIn, wordsOf} from './parse-goal.ts';

const MOST_ENTRIES = 60;
const MOST_FILES = 3;
const AROUND = 3;

const PATH = /(?:^|\s)[`"']?(\/?(?:[\p{L}\p{N}_.-]+\/)+[\p{L}\p{N}_.-]*|[\p{L}\p{N}_-]+\.[a-z]\w{0,6})/iu;
const LOOKS =
	/\b(what|read|show|open|print|cat|display|view|list|ls|dir|look|explain|describe|summar|head|see|inspect|explore)/i;

/** Paths that a goal names: those of existing entries, or else text that has the form of a path. */
const pathsIn = ({
	prose,
	tree: {entries},
}: Job): readonly {readonly path: string; readonly isFolder: boolean}[] => {
	const named = entriesNamed(entries, prose);
	const [, written] = PATH.exec(prose) ?? [];
	const path = written?.replaceAll(/^\/|[/.]$/g, '');
	// If the path itself does not exist, only a parent folder of it may have been found.
	const isHere = path === undefined || named.some(each => each.path === path || each.name === path);
	if (isHere || !named.every(each => path.startsWith(`${each.path}/`)))
		return named.map(each => ({path: each.path, isFolder: each.type === 'directory'}));
	return [{path, isFolder: written?.endsWith('/') ?? false}];
};

export const wantsInspectFiles = (job: Job): boolean =>
	(LOOKS.test(job.prose) && pathsIn(job).length > 0) ||
	namesFiles(job.prose) ||
	/^\W*(ls|list)\b/i.test(job.prose);

const listed = (path: string, text: string): string => {
	const names = text
		.trimEnd()
		.split('\n')
		.filter(line => line !== '');
	const where = path === '' ? 'The root folder' : code(`${path}/`);
	if (names.length === 0) return `${where} is empty.`;
	const shown = names.slice(0, MOST_ENTRIES).map(line => {
		const [, name = line, size] = /^(.*?)(?: {2}(\d+ bytes))?$/.exec(line) ?? [];
		return `- ${code(name)}${size === undefined ? '' : `, ${size}`}`;
	});
	const more = names.length > MOST_ENTRIES ? [`- … and ${names.length - MOST_ENTRIES} more`] : [];
	return paragraphs(
		`${where} holds ${names.length === 1 ? '1 entry' : `${names.length} entries`}:`,
		[...shown, ...more].join('\n'),
	);
};

export async function* inspectFiles(job: Job): Script {
	const {prose, about} = job;
	const found = pathsIn(job).slice(0, MOST_FILES);
	const lines = linesNamed(prose);
	const parts: string[] = [];
	for (const {path, isFolder} of found.length === 0 ? [{path: '', isFolder: true}] : found) {
		if (isFolder) {
			parts.push(listed(path, yield* carryOut({kind: 'list', argument: path})));
			continue;
		}
		const part = lines === null ? '' : `#L${lines[0]}-${lines[1]}`;
		const text = yield* carryOut({kind: 'read', argument: `${path}${part}`});
		parts.push(
			lines === null ? await describeEntry(path, about, prose) : paragraphs(`${code(path)}:`, fence(text)),
		);
	}
	return paragraphs(...parts);
}

export const wantsError = ({prose}: Job): boolean => namesError(prose);

/** Reads the lines that raised the last error, and explains it. */
export async function* explainError(job: Job): Script {
	const {about, tree} = job;
	let error = about.lastError();
	if (error === null && !job.mayNot('run')) {
		// The error may come from a cell that ran over the live link, which bypasses the service,
		// so the kernel is asked.
		const quoted = errorInText(yield* carryOut({kind: 'run', text: LAST_ERROR_CODE}));
		error = quoted === null ? null : {...quoted, source: ''};
	}
	if (error === null)
		return paragraphs(
			'No error of this server is known here since it was started.',
			job.mayNot('run') &&
				`If a cell that ran over the live link raised an error, its kernel may know it: ${code('--allow run')} lets me ask.`,
		);
	const place = framesOf(error.traceback)
		.flatMap(frame => {
			const path = pathOnServer(frame, tree);
			return path === null ? [] : [{path, line: frame.line}];
		})
		.at(-1);
	if (place !== undefined)
		yield* attempt({
			kind: 'read',
			argument: `${place.path}#L${Math.max(1, place.line - AROUND)}-${place.line + AROUND}`,
		});
	return describeError(error, about, tree);
}

export const wantsSearch = ({prose}: Job): boolean => searchTermIn(prose) !== null;

export async function* search(job: Job): Script {
	const text = searchTermIn(job.prose) ?? '';
	const folders = job.tree.entries.filter(({type}) => type === 'directory');
	const [, named] = /\bin\s+[`"']?([^\s`"'?]+)/i.exec(job.prose) ?? [];
	const folder =
		folders.find(({path}) => path === named?.replaceAll(/^\/|[/.,]$/g, '')) ??
		entriesNamed(folders, job.prose)[0];
	needs(job, 'run');
	const printed = yield* carryOut({kind: 'run', text: findCode(text, folder?.path ?? '')});
	const lines = printed.trimEnd().split('\n');
	const [hits = 0, files = 0] = (lines.at(-1)?.match(/\d+/g) ?? []).map(Number);
	const where = folder === undefined ? '' : ` in ${code(`${folder.path}/`)}`;
	return paragraphs(
		`${code(text)}${where}: ${count(hits, 'line')} in ${count(files, 'file')}.`,
		lines.length > 1 && fence(lines.slice(0, -1).join('\n'), 'text'),
	);
}

const FILE_TO_RUN = /\.py$/;
const fileToRun = ({prose, tree}: Job): string | null =>
	/\b(run|execute|start|launch)\b/i.test(wordsOf(prose))
		? (entriesNamed(tree.entries, prose).find(({path}) => FILE_TO_RUN.test(path))?.path ?? null)
		: null;
const codeToRun = (prose: string): string | null =>
	/\b(?:run|execute|evaluate)\s+(?:the\s+code\s+)?`([^`]+)`/i.exec(prose)?.[1] ?? null;

export const wantsRun = (job: Job): boolean => fileToRun(job) !== null || codeToRun(job.prose) !== null;

const LAST_LINES = 20;

export async function* runIt(job: Job): Script {
	const path = fileToRun(job);
	needs(job, 'run');
	const request: StepRequest = {
		kind: 'run',
		text: path === null ? `${codeToRun(job.prose)}\n` : runFileCode(path),
	};
	const [result] = yield* attempt(request);
	const what = path === null ? 'The code' : code(path);
	const lines = (result?.text ?? '').trimEnd().split('\n').slice(-LAST_LINES);
	const shown = lines.join('\n') === '' ? null : fence(lines.join('\n'), 'text');
	if (result?.isGood)
		return paragraphs(
			shown === null ? `${what} ran and printed nothing.` : `${what} ran. Its last lines:`,
			shown,
		);
	if (!result?.head.startsWith(RAISED)) throw new CannotDo(failureText(result));
	const error = errorInText(result.text);
	throw new CannotDo(
		paragraphs(
			`${what} ${result.head}.`,
			error === null ? shown : await describeError({...error, source: ''}, job.about, job.tree),
		),
	);
}
