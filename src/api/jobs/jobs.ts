import {randomBytes} from 'node:crypto';
import type {ExecutedCell} from '../../contract/cells.ts';
import {joinMultiline} from '../../text/output/multiline.ts';
import {jsonIn} from '../../text/record.ts';
import type {CallOptions, Client} from '../client-types.ts';
import type {Failure} from '../failure.ts';
import {jobsAnswer, type JobsAnswer} from './job.ts';
import {SUPERVISOR} from './supervisor.ts';
import {PROGRAM} from './job-script.ts';

export type JobOrder =
	| {
			readonly do: 'run';
			/** Name, or null for the first free one of STEM-1, STEM-2 and so on. */
			readonly name: string | null;
			readonly stem: string;
			readonly command: readonly string[];
	  }
	| {readonly do: 'list'}
	| {readonly do: 'look' | 'remove'; readonly name: string}
	/** Signals the whole process group. `kill`: SIGKILL instead of SIGTERM. */
	| {readonly do: 'cancel'; readonly name: string; readonly kill: boolean}
	/**
	 * Reads up to `most` bytes of output, starting at byte `start`. If that is null, starts at the
	 * last `lines` lines.
	 */
	| {
			readonly do: 'logs';
			readonly name: string;
			readonly start: number | null;
			readonly lines: number;
			readonly most: number;
	  };

/** `answered`: the order was executed. `raised`: the kernel failed to execute it. */
export type JobsReply =
	| {readonly kind: 'answered'; readonly answer: JobsAnswer}
	| {readonly kind: 'failed'; readonly failure: Failure}
	| {readonly kind: 'raised'; readonly says: string};

/** A Python string literal. Python accepts the escapes of JSON. */
const quoted = (text: string): string => JSON.stringify(text);

/** Code that executes an order. It contains the user's input only as JSON text within a string. */
export const codeOfOrder = (order: JobOrder, mark: string): string => {
	const given = JSON.stringify({...order, mark, ...(order.do === 'run' && {keeper: SUPERVISOR})});
	return `exec(${quoted(PROGRAM)}, {'main': globals(), 'given': ${quoted(given)}})`;
};

/**
 * Reply in the printed text. It is between the marks, because other cells may print before and
 * after it. Null if there is none.
 */
export const answerIn = ({outputs}: Pick<ExecutedCell, 'outputs'>, mark: string): JobsAnswer | null => {
	const printed = outputs
		.map(output => (output['name'] === 'stdout' ? joinMultiline(output['text']) : ''))
		.join('');
	const [, json = ''] = printed.split(mark);
	return jobsAnswer.safeParse(jsonIn(json)).data ?? null;
};

/** Executes an order about a server's jobs in its kernel, after the cells that run there. */
export const orderJobs = async (
	client: Pick<Client, 'runCode'>,
	server: string,
	kernel: string,
	order: JobOrder,
	options: CallOptions = {},
): Promise<JobsReply> => {
	const mark = `<${randomBytes(12).toString('hex')}>`;
	const reply = await client.runCode(server, {code: codeOfOrder(order, mark), kernel_name: kernel}, options);
	if (!reply.ok) return {kind: 'failed', failure: reply.failure};
	const answer = answerIn(reply.value, mark);
	if (answer) return {kind: 'answered', answer};
	const error = reply.value.outputs.find(output => output.output_type === 'error');
	return {
		kind: 'raised',
		says: error ? `${joinMultiline(error['ename'])}: ${joinMultiline(error['evalue'])}` : 'it sent no reply',
	};
};
