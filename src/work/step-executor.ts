// Executes steps over the service's API. Callers must have the user's permission.
import {isUtf8} from 'node:buffer';
import type {Client, Live} from '../api/client-types.ts';
import {bytesOf, sendBytes} from '../api/file-bytes.ts';
import {explainFailure, type Failure, type Reply} from '../api/failure.ts';
import {childrenOf} from '../api/file-tree.ts';
import type {CellOutput} from '../contract/cells.ts';
import {DEFAULT_KERNEL} from '../contract/names.ts';
import {listedHead, RAISED, RAN, readHead, writtenHead} from '../contract/task-sentences.ts';
import {openKernel} from '../run/open-kernel.ts';
import {edited} from './edits.ts';
import type {Change, EventOf} from './events.ts';
import {outputsText, type Result} from './results.ts';
import {SHELL_ERROR, shellCode} from './shell-code.ts';
import type {Step} from './steps.ts';

/**
 * Largest file that a step may change, in bytes. Limited because the whole previous content is
 * saved.
 */
const LARGEST = 8 << 20;

/**
 * A step ready for review. `canUndo`: false if the step creates a file that this program could not
 * delete again.
 */
export type PreparedStep = {
	readonly change: Change | null;
	readonly tag: string | null;
	readonly canUndo: boolean;
};

/** Outcome of a step. `took`: true if the step changed a file, or may have done so. */
export type StepOutcome = Result & Pick<EventOf<'end'>, 'ok' | 'took' | 'cell'>;

export type StepExecutor = {
	/** Reads the file to change. `cannot`: reason why the step is impossible. */
	prepare(step: Step, signal: AbortSignal): Promise<PreparedStep | {readonly cannot: Result}>;
	perform(step: Step, prepared: PreparedStep, signal: AbortSignal): Promise<StepOutcome>;
};

const failureText = (failure: Failure): string => explainFailure(failure).what;
const failed = (head: string, text: string | null = null, took = false): StepOutcome => ({
	ok: false,
	took,
	head,
	text,
});

const NO_CHANGE: PreparedStep = {change: null, tag: null, canUndo: true};

const linesOf = (text: string): readonly string[] => {
	const lines = text.split('\n');
	if (lines.at(-1) === '') lines.pop();
	return lines;
};

const base64 = (bytes: Buffer): string => bytes.toString('base64');

type Outputs = readonly CellOutput[];

/** Observes the link while code runs. `end`: called when the code has ended. */
export type LinkWatch = {readonly onLink: (isOpen: boolean) => void; readonly end: () => void};

/** Outputs of code. `isCut`: true if the user stopped it. */
type Ran = {readonly outputs: Outputs; readonly count: number | null; readonly isCut: boolean};

/**
 * Limit of saved outputs as JSON, in UTF-16 units. Limited because a journal of forty steps must
 * load quickly.
 */
const LARGEST_OUTPUTS = 4 << 20;

const keptCell = ({outputs, count}: Ran): Pick<StepOutcome, 'cell'> =>
	JSON.stringify(outputs).length > LARGEST_OUTPUTS ? {} : {cell: {outputs: [...outputs], count}};

/** `onOutput` is called at each change of the outputs, with a function that returns all of them. */
type Watches = {readonly onOutput: (look: () => Outputs) => void; readonly watchLink: () => LinkWatch};

/**
 * `live`: the server's own API, which can delete files and stream output. Null if there is none.
 */
export const createStepExecutor = (
	client: Client,
	server: string,
	live: Live | null,
	{onOutput = () => {}, watchLink = () => ({onLink() {}, end() {}})}: Partial<Watches> = {},
): StepExecutor => {
	const document = {kind: 'repl', kernel: DEFAULT_KERNEL} as const;
	// Any value of `isLocal` would do, because a run whose request was closed counts as stopped
	// below.
	const kernel = openKernel(
		{live: async () => live, client: async () => client, isLocal: false},
		server,
		document,
	);
	const read = async (
		{path, from, to}: Extract<Step, {kind: 'read'}>,
		signal: AbortSignal,
	): Promise<StepOutcome> => {
		const reply = await client.getFile(server, path, {signal});
		if (!reply.ok) return failed(failureText(reply.failure));
		const bytes = bytesOf(reply.value);
		if (typeof bytes === 'string') return failed(`${path}: ${bytes}`);
		if (!isUtf8(bytes)) return failed(`${path} is not text: ${bytes.length} bytes`);
		const lines = linesOf(bytes.toString('utf8'));
		const [first, last] = [from ?? 1, Math.min(to ?? lines.length, lines.length)];
		if (from !== null && first > lines.length) return failed(`${path} has ${lines.length} lines`);
		const text = lines
			.slice(first - 1, last)
			.map(line => `${line}\n`)
			.join('');
		return {ok: true, took: false, head: readHead(path, first, last, lines.length), text};
	};
	const list = async ({path}: Extract<Step, {kind: 'list'}>, signal: AbortSignal): Promise<StepOutcome> => {
		const reply = await client.getFile(server, path, {signal});
		if (!reply.ok) return failed(failureText(reply.failure));
		if (!Array.isArray(reply.value.content)) return failed(`${path} is not a folder or cannot be listed`);
		const names = childrenOf(reply.value, path).map(({name, isFolder, size}) =>
			isFolder ? `${name}/` : `${name}${size === null ? '' : `  ${size} bytes`}`,
		);
		const head = listedHead(path === '' ? 'the root' : path, names.length);
		return {ok: true, took: false, head, text: names.map(name => `${name}\n`).join('')};
	};
	const ran = async (code: string, signal: AbortSignal): Promise<Reply<Ran>> => {
		const watch = live && watchLink();
		const started = kernel.run(
			code,
			{answers: false, signal, ...(watch && {onLink: watch.onLink})},
			event => {
				// Ignores late output, which threads may print after the end of a cell.
				if (event.type === 'output' && !event.isLate) onOutput(() => event.cell.now().outputs);
			},
		);
		const end = await started.ended;
		watch?.end();
		if (end.how === 'failed' && !signal.aborted) return {ok: false, failure: end.failure};
		const result = started.now();
		const isCut = signal.aborted || end.how === 'interrupted' || end.how === 'gave-up';
		return {ok: true, value: {outputs: result?.outputs ?? [], count: result?.execution_count ?? null, isCut}};
	};
	const run = async (kind: 'run' | 'shell', code: string, signal: AbortSignal): Promise<StepOutcome> => {
		const reply = await ran(kind === 'run' ? code : shellCode(code), signal);
		if (!reply.ok) return failed(failureText(reply.failure));
		const {outputs, isCut} = reply.value;
		const error = outputs.findLast(output => output.output_type === 'error');
		// The traceback within the wrapper is irrelevant to the command.
		const isOurs = kind === 'shell' && (isCut || error?.['ename'] === SHELL_ERROR);
		const text = outputsText(isOurs ? outputs.filter(output => output !== error) : outputs) || null;
		const kept = kind === 'run' ? keptCell(reply.value) : {};
		if (isCut) return {...failed('stopped while it ran: its effects up to then remain', text), ...kept};
		if (error === undefined)
			return {ok: true, took: false, head: text === null ? `${RAN}, no output` : RAN, text, ...kept};
		const head = isOurs ? `failed: ${String(error['evalue'])}` : `${RAISED}${String(error['ename'])}`;
		return {...failed(head, text), ...kept};
	};
	/** Bytes and tag of a file. Null if the file does not exist. A sentence if that is unknown. */
	const look = async (path: string, signal: AbortSignal) => {
		const reply = await client.getTaggedFile(server, path, {signal});
		if (!reply.ok) return reply.failure.kind === 'not-found' ? null : failureText(reply.failure);
		const bytes = bytesOf(reply.value.entry);
		if (typeof bytes === 'string') return `${path}: ${bytes}`;
		return bytes.length > LARGEST
			? `${path} has ${bytes.length} bytes, too large to undo`
			: {bytes, tag: reply.value.tag};
	};
	/** Missing folders above a file, the outermost first. */
	const missingAbove = async (path: string, signal: AbortSignal): Promise<string[]> => {
		const missing: string[] = [];
		for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
			const reply = await client.getFile(server, path.slice(0, at), {signal});
			if (reply.ok || reply.failure.kind !== 'not-found') break;
			missing.unshift(path.slice(0, at));
		}
		return missing;
	};
	const write = async ({change, tag}: PreparedStep, signal: AbortSignal): Promise<StepOutcome> => {
		if (change === null) return failed('there is nothing to write');
		const {path} = change;
		const now = await look(path, signal);
		if (typeof now === 'string') return failed(now);
		const held = now === null ? null : base64(now.bytes);
		if (held !== change.before)
			return failed(`${path} was changed by someone else and was left alone. Read it again.`);
		const bytes = Buffer.from(change.after, 'base64');
		const reply = await sendBytes(client, server, path, bytes, {signal, tag});
		if (!reply.ok) return failed(failureText(reply.failure), null, reply.failure.ambiguous ?? false);
		return {ok: true, took: true, head: writtenHead(path, bytes.length), text: null};
	};
	return {
		async prepare(step, signal) {
			if (step.kind !== 'write' && step.kind !== 'edit') return NO_CHANGE;
			const {path} = step;
			const cannot = (head: string) => ({cannot: {head, text: null}});
			const found = await look(path, signal);
			if (typeof found === 'string') return cannot(found);
			if (found === null && step.kind === 'edit') return cannot(`there is no ${path}`);
			const before = found === null ? null : base64(found.bytes);
			const folders = found === null ? await missingAbove(path, signal) : [];
			const ready = (after: string): PreparedStep => ({
				change: {path, before, after: base64(Buffer.from(after, 'utf8')), folders},
				tag: found?.tag ?? null,
				canUndo: found !== null || live !== null,
			});
			if (step.kind === 'write') return ready(step.text);
			if (found === null || !isUtf8(found.bytes)) return cannot(`${path} is not text`);
			const made = edited(found.bytes.toString('utf8'), step.edits);
			return 'says' in made ? cannot(made.says) : ready(made.text);
		},
		async perform(step, prepared, signal) {
			switch (step.kind) {
				case 'read':
					return read(step, signal);
				case 'list':
					return list(step, signal);
				case 'run':
				case 'shell':
					return run(step.kind, step.code, signal);
				case 'write':
				case 'edit':
					return write(prepared, signal);
				case 'ask':
				case 'done':
				case 'give-up':
					return failed('this step cannot be carried out');
			}
		},
	};
};
