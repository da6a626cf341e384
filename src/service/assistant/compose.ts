import type {Message} from '../../contract/assistant.ts';
import type {FileEntry} from '../../contract/files.ts';
import {FileFault} from '../../engines/files.ts';
import type {About, LastError} from './about.ts';
import {describeError, pathOnServer} from './error-answer.ts';
import {describeEntry, entryLine} from './file-answer.ts';
import {INTRODUCTION, capabilitiesText} from './help-answer.ts';
import {code, count, paragraphs} from './markdown.ts';
import {describeName} from './name-answer.ts';
import {describePackages} from './packages-answer.ts';
import {describePython} from './python-file.ts';
import {
	asksHow,
	namesError,
	namesFiles,
	namesIn,
	namesPackages,
	pointsBack,
	questionsOf,
	wantsHelp,
	type Question,
} from './question.ts';
import {entriesNamed, entriesOfKind, similar, walk, type Tree} from './server-files.ts';
import {errorInText, framesOf} from './traceback.ts';

const MAX_TARGETS = 3;
const MAX_LOOKUPS = 8;
const MAX_LISTED = 60;

/** Returns the answer, or null if it does not handle this kind of question. */
type Answerer = (
	question: Question,
	about: About,
	tree: Tree,
	earlier: readonly Question[],
) => Promise<string | null> | string | null;

const lastErrorOf = ({fences}: Question, about: About): LastError | null => {
	// An error quoted in the user's message takes precedence over the server's last error.
	const quoted = fences.map(errorInText).findLast(error => error !== null) ?? null;
	const last = about.lastError();
	if (quoted === null || (last?.ename === quoted.ename && last.evalue === quoted.evalue)) return last;
	return {...quoted, source: ''};
};

const aboutError: Answerer = async (question, about, tree) => {
	const quoted = question.fences.some(text => errorInText(text) !== null);
	const {ename} = about.lastError() ?? {};
	const byName =
		ename !== undefined &&
		question.prose.includes(ename) &&
		/\b(why|get|got|getting|fix|explain|happened|here)\b/i.test(question.prose);
	if (!namesError(question.prose) && !byName && !(quoted && question.prose.split(/\s+/).length < 6))
		return null;
	const error = lastErrorOf(question, about);
	const unseen =
		'Cells that ran over the live link are not visible here: press `E` on such a cell to attach its error.';
	if (error !== null)
		return paragraphs(await describeError(error, about, tree), !about.seesLiveCells && !quoted && unseen);
	return /\b(last|latest|this|that|the|my|any|why|what\s+(happened|went|errors?|exceptions?))\b|^\W*(errors?|exceptions?|traceback)\W*$/i.test(
		question.prose,
	)
		? about.seesLiveCells
			? 'No error has been raised on this server since it was started.'
			: paragraphs('No error of this server is known here since it was started.', unseen)
		: null;
};

/**
 * Handles "Why did train.py fail": the question names a file that occurs in the last error's
 * traceback.
 */
const aboutErrorInFile: Answerer = (question, about, tree) => {
	if (!namesError(question.prose)) return null;
	const error = lastErrorOf(question, about);
	if (error === null) return null;
	const named = new Set(entriesNamed(tree.entries, question.prose).map(entry => entry.path));
	return framesOf(error.traceback).some(frame => named.has(pathOnServer(frame, tree) ?? ''))
		? describeError(error, about, tree)
		: null;
};

const describeAll = async (entries: readonly FileEntry[], about: About, prose: string): Promise<string> => {
	const answers: string[] = [];
	for (const {path} of entries.slice(0, MAX_TARGETS)) {
		answers.push(
			await describeEntry(path, about, prose).catch((error: unknown) => {
				if (error instanceof FileFault) return `${code(path)} cannot be read: ${error.message}`;
				throw error;
			}),
		);
	}
	const left = entries.slice(MAX_TARGETS).map(({path}) => code(path));
	return paragraphs(
		...answers,
		left.length > 0 && `The question also names ${left.join(', ')}: ask for them one by one.`,
	);
};

const listEntries = (entries: readonly FileEntry[]): string =>
	entries
		.slice(0, MAX_LISTED)
		.map(entry => entryLine(entry, entry.path))
		.join('\n');

const aboutNamedFile: Answerer = ({prose}, about, {entries}, earlier) => {
	let targets = entriesNamed(entries, prose);
	if (targets.length === 0 && pointsBack(prose))
		targets =
			earlier.map(question => entriesNamed(entries, question.prose)).find(found => found.length > 0) ?? [];
	return targets.length === 0 ? null : describeAll(targets, about, prose);
};

const aboutKind: Answerer = ({prose}, about, {entries}) => {
	const found = asksHow(prose) ? [] : entriesOfKind(entries, prose);
	if (found.length === 0) return null;
	if (found.length === 1) return describeAll(found, about, prose);
	return paragraphs(
		`There are ${found.length} of them:`,
		listEntries(found),
		`Ask for one, as in ${code(`what is in ${found[0]?.path}`)}.`,
	);
};

const ENDINGS = 'py|csv|tsv|md|ipynb|txt|json|toml|ya?ml|log|png|jpe?g|gif|pdf|parquet|html|js|sh|zip';
const FILE_NAME = new RegExp(`[\\p{L}\\p{N}_][\\p{L}\\p{N}_./-]*\\.(?:${ENDINGS})\\b`, 'giu');

const aboutMissingFile: Answerer = async ({prose}, {lookup}, {entries}) => {
	const [name] = prose.match(FILE_NAME) ?? [];
	// `requests.json` may be a Python name instead of a file.
	if (name === undefined || (!name.includes('/') && (await lookup.pydoc(name)) !== null)) return null;
	const near = similar(entries, name);
	return `${code(name)} is not on this server.${near.length > 0 ? ` There is ${near.map(entry => code(entry.path)).join(', ')}.` : ` Ask me to ${code('list the files')}.`}`;
};

const aboutFiles: Answerer = ({prose}, about, tree) => {
	if (!namesFiles(prose)) return null;
	if (tree.entries.length === 0)
		return tree.whole
			? `There are no files on ${code(about.serverName)} yet.`
			: `The files of ${code(about.serverName)} cannot be read.`;
	const shown = tree.entries
		.filter(entry => !entry.name.startsWith('.'))
		.toSorted((a, b) => (a.path < b.path ? -1 : 1));
	const files = shown.filter(entry => entry.type === 'file');
	return paragraphs(
		`${code(about.serverName)} has ${count(files.length, 'file')} in ${count(shown.length - files.length + 1, 'folder')}${tree.whole ? '' : ', as far as I looked'}:`,
		listEntries(shown),
		shown.length > MAX_LISTED && `… and ${shown.length - MAX_LISTED} more. Ask for one folder.`,
	);
};

const aboutName: Answerer = async ({prose}, about, tree) => {
	const candidates = namesIn(prose).slice(0, MAX_LOOKUPS);
	for (const {name, sure} of candidates) {
		const text = await about.lookup.pydoc(name);
		if (text === null) continue;
		return paragraphs(
			!sure && `I cannot answer that question itself, but ${code(name)} in it is a name that Python knows.`,
			describeName(name, text),
		);
	}
	const [asked] = candidates.filter(({sure}) => sure);
	return asked === undefined
		? null
		: paragraphs(
				`Python on this server has no documentation of ${code(asked.name)}: nothing of that name is built in or can be imported. For names from your own code, use ${code('help(NAME)')} in the REPL.`,
				capabilitiesText(tree, about),
			);
};

const aboutQuotedCode: Answerer = async ({fences}, {lookup}) => {
	const [text] = fences.filter(candidate => candidate.trim() !== '');
	return text === undefined
		? null
		: describePython('The code in your message', text, Buffer.byteLength(text), lookup, '');
};

// Functions in order of priority: a file on the server takes precedence over other words of the
// question.
const answerers: readonly Answerer[] = [
	aboutErrorInFile,
	aboutNamedFile,
	aboutError,
	({prose}, about) =>
		namesPackages(prose) && !asksHow(prose) && !namesFiles(prose) ? describePackages(prose, about) : null,
	({prose}, about, tree) => (wantsHelp(prose) && prose !== '' ? capabilitiesText(tree, about) : null),
	aboutMissingFile,
	aboutKind,
	aboutFiles,
	aboutName,
	({prose}, about) => (namesPackages(prose) ? describePackages(prose, about) : null),
	aboutQuotedCode,
];

/**
 * Composes the answer to the last question of a conversation, in Markdown.
 * @throws Any error of a look-up except FileFault.
 */
export const compose = async (messages: readonly Message[], about: About): Promise<string> => {
	const [question = {prose: '', fences: []}, ...earlier] = questionsOf(messages);
	const first = !messages.some(message => message.role === 'assistant');
	const introduction = (first || wantsHelp(question.prose)) && INTRODUCTION;
	const tree = await walk(about.files);
	for (const answerer of answerers) {
		const answer = await answerer(question, about, tree, earlier);
		if (answer !== null) return `${paragraphs(introduction, answer)}\n`;
	}
	return `${paragraphs(introduction, question.prose !== '' && 'I found nothing in that question that I can look up.', capabilitiesText(tree, about))}\n`;
};
