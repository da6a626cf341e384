// Parses the steps in an answer. Only answers are parsed, never text of a file or an output.
import {pathFault, typedPath} from '../contract/paths.ts';
import {endsFence, fenceIn, type Fence} from '../text/markdown/fence.ts';
import {editsIn, type Edit} from './edits.ts';

/** Lines are 1-based and inclusive. Paths are relative to the server's root, which is ''. */
export type Step =
	| {readonly kind: 'read'; readonly path: string; readonly from: number | null; readonly to: number | null}
	| {readonly kind: 'list'; readonly path: string}
	| {readonly kind: 'run' | 'shell'; readonly code: string}
	| {readonly kind: 'write'; readonly path: string; readonly text: string}
	| {readonly kind: 'edit'; readonly path: string; readonly edits: readonly Edit[]}
	/** A question to the user, or the end with its outcome or obstacle. */
	| {readonly kind: LastKind; readonly text: string};

/** Kinds of steps that are not executed and end an answer. */
const LAST_KINDS = ['ask', 'done', 'give-up'] as const;
type LastKind = (typeof LAST_KINDS)[number];
const isLast = (kind: string): kind is LastKind => LAST_KINDS.some(each => each === kind);
export const endsAnswer = (step: Step): step is Extract<Step, {readonly kind: LastKind}> => isLast(step.kind);

/** `fault`: reason why no step of the answer is executed, in sentences for the model. */
export type ReadAnswer = {readonly steps: readonly Step[]; readonly fault: string | null};

type Block = {readonly line: number; readonly info: string; readonly indent: number; readonly text: string};

/** Text after the opening marks of a fence. */
const infoOf = (line: string, {mark}: Fence): string => line.trim().slice(mark.length).trim();

/** Top-level fenced blocks. Null if a block is not closed. */
const blocksIn = (answer: string): readonly Block[] | null => {
	const blocks: Block[] = [];
	let open: {readonly fence: Fence; readonly line: number; readonly info: string} | null = null;
	let text = '';
	for (const [at, line] of answer.split('\n').entries()) {
		const plain = line.replace(/\r$/, '');
		if (open === null) {
			const fence = fenceIn(plain);
			if (fence !== null) open = {fence, line: at + 1, info: infoOf(plain, fence)};
			text = '';
		} else if (endsFence(plain, open.fence)) {
			blocks.push({line: open.line, info: open.info, indent: open.fence.indent, text});
			open = null;
		} else text += `${line}\n`;
	}
	return open === null ? blocks : null;
};

const READ = /^(.*?)(?:#L(\d{1,9})(?:-L?(\d{1,9}))?)?$/;

/** A step. A string describes a fault in it. */
const stepOf = (kind: string, argument: string, text: string): Step | string => {
	if (kind === 'run' || kind === 'shell')
		return text.trim() === '' ? `the ${kind} block is empty` : {kind, code: text};
	if (isLast(kind)) return {kind, text: text.trim()};
	const [, typed = '', first, last = first] = (kind === 'read' && READ.exec(argument)) || [null, argument];
	const path = typedPath(typed.trim());
	const fault = pathFault(path);
	if (fault !== undefined) return fault;
	if (kind === 'list') return {kind, path};
	if (path === '') return `${kind} needs a path`;
	switch (kind) {
		case 'read': {
			const [from, to] = [first, last].map(each => (each === undefined ? null : Number(each)));
			if (typeof from === 'number' && (from < 1 || (to ?? from) < from))
				return 'lines count from 1, as in #L1-20';
			return {kind, path, from: from ?? null, to: to ?? null};
		}
		case 'write':
			return {kind, path, text};
		case 'edit': {
			const edits = editsIn(text);
			return typeof edits === 'string' ? edits : {kind, path, edits};
		}
		default:
			return `there is no step of the kind ${JSON.stringify(kind.slice(0, 20))}`;
	}
};

/** Removes a model's thoughts before its answer. */
const withoutThoughts = (answer: string): string =>
	/^\s*<think>/.test(answer) ? (answer.split('</think>').slice(1).join('</think>') ?? '') : answer;

/**
 * Steps of a complete answer: top-level fenced blocks that start in the first column, with a kind
 * and the task's mark. An answer that runs or writes must not contain other blocks. Otherwise a
 * step that contains a fence as long as its own would end early, and only its first part would run.
 */
export const stepsIn = (answer: string, mark: string): ReadAnswer => {
	const refuse = (fault: string): ReadAnswer => ({steps: [], fault});
	const isMarked = (info: string): boolean => info.split(/\s+/)[1] === mark;
	const said = withoutThoughts(answer);
	const blocks = blocksIn(said);
	if (blocks === null)
		return refuse(
			said.includes(mark)
				? 'A fenced block is not closed. Where the text of a step has lines of backticks, put the step into a longer fence.'
				: 'A fenced block is not closed, and no step was found.',
		);
	const steps: Step[] = [];
	for (const {line, info, indent, text} of blocks) {
		if (!isMarked(info)) continue;
		if (indent > 0)
			return refuse(`The fence in line ${line} is indented: a step starts in the first column.`);
		const [kind = ''] = info.split(/\s+/);
		const step = stepOf(kind, info.slice(info.indexOf(mark) + mark.length).trim(), text);
		if (typeof step === 'string')
			return refuse(`The step in line ${line} cannot be read: ${step.replace(/\.$/, '')}.`);
		steps.push(step);
	}
	const acts = steps.some(({kind}) => kind !== 'read' && kind !== 'list' && !isLast(kind));
	const other = acts ? blocks.find(({info}) => !isMarked(info)) : undefined;
	if (other !== undefined)
		return refuse(
			`The block in line ${other.line} is not a step. An answer that runs or writes must not contain other blocks; where the text of a step has lines of backticks, put the step into a longer fence.`,
		);
	const end = steps.findIndex(({kind}) => isLast(kind));
	if (end !== -1 && end !== steps.length - 1)
		return refuse(`There are steps after ${steps[end]?.kind}: it must be the last of an answer.`);
	return {steps, fault: null};
};
