import {SetupError} from '../../settings/setup-error.ts';
import {messageOf} from '../../text/errors.ts';
import {label} from '../../text/safe.ts';
import {CommandError} from '../command-error.ts';
import type {Context, Service, Sink} from '../context.ts';
import {printNotice} from '../print.ts';
import {errorResult, resultOf} from './answer.ts';
import {ZodError, type CallToolResult} from './sdk.ts';
import type {Call, Consent, Question, Tool} from './tool.ts';

/** Maximum number of notices in a result. */
const MOST_NOTES = 20;

/** Output stream that collects lines instead of printing them. */
const collector = (lines: string[]): Sink => ({
	isTTY: false,
	columns: Infinity,
	async write(data) {
		const line = data.toString().trim();
		if (line !== '' && lines.length < MOST_NOTES) lines.push(line);
	},
});

/** Connection to the service. The first call opens it, and all later calls share it. */
export const sharedConnection = (context: Context) => {
	let held: Promise<Service> | undefined;
	return {
		connect(): Promise<Service> {
			held ??= context.connect().catch((error: unknown) => {
				held = undefined;
				throw error;
			});
			return held;
		},
		/**
		 * Drops the connection to a stopped service, so that the next call finds or starts a
		 * service.
		 */
		forget() {
			held = undefined;
		},
	};
};

/** Permissions and limits of a call, and functions to reach its client. */
export type CallContext = Pick<Call, 'allowed' | 'maxPrice' | 'runs' | 'tell'> & {
	readonly signal: AbortSignal;
	confirm(question: Question, signal: AbortSignal): Promise<Consent>;
};

const wrongArguments = ({issues}: ZodError, {name}: Tool): CommandError => {
	const [first] = issues;
	const at = first === undefined || first.path.length === 0 ? '' : `${first.path.join('.')}: `;
	return new CommandError(
		'usage',
		`Invalid arguments for ${name}: ${label(`${at}${first?.message ?? ''}`, 300)}.`,
		'Nothing was sent.',
	);
};

/** Runs a tool. Never throws: an error becomes the tool's result. */
export const callTool = async (
	context: Context,
	services: ReturnType<typeof sharedConnection>,
	tool: Tool,
	given: unknown,
	{allowed, maxPrice, runs, tell, signal, confirm}: CallContext,
): Promise<CallToolResult> => {
	const notes: string[] = [];
	const printed: string[] = [];
	let service: Service | undefined;
	const keyless = (text: string): string => service?.client.keyless(text) ?? text;
	try {
		service = await services.connect();
		const connected = service;
		const own: Context = {
			...context,
			json: false,
			jsonl: false,
			colour: false,
			stdout: collector(printed),
			stderr: collector(notes),
			signal,
			ask: undefined,
			runShell: undefined,
			// Unlike commands, tools never start servers of a local service.
			connect: async () => ({...connected, isLocal: false, started: false}),
		};
		const call: Call = {
			context: own,
			service,
			allowed,
			maxPrice,
			runs,
			tell,
			printed: () => printed.join('\n'),
			confirm: question => confirm(question, signal),
		};
		return resultOf(await tool.run(call, given), notes, keyless);
	} catch (error) {
		if (error instanceof CommandError) {
			if (error.code === 'unreachable' && service?.isLocal === true) services.forget();
			return errorResult(error, notes, keyless);
		}
		if (error instanceof ZodError) return errorResult(wrongArguments(error, tool), notes, keyless);
		if (error instanceof SetupError) return errorResult({message: error.message, next: ''}, notes, keyless);
		if (signal.aborted) return errorResult({message: 'Stopped.', next: ''}, notes, keyless);
		const message = `svc-tui hit an internal error: ${messageOf(error)}`;
		await printNotice(context, keyless(message));
		return errorResult({message, next: 'Please report it, with the tool and its arguments.'}, notes, keyless);
	}
};
