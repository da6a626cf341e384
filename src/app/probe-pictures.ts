// Queries the terminal for the ways in which it can draw pictures: in the screens when the first
// picture is opened, in `info` always.
import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {promisify} from 'node:util';
import {
	GRAPHICS_QUESTION,
	pictureQuestion,
	SIXEL_QUESTION,
	withReply,
	type PictureReplies,
} from '../text/pixels/terminal-replies.ts';
import {
	choosePictureMode,
	type PictureSupport,
	type PictureMode,
	type TmuxInfo,
} from '../text/pixels/choose.ts';
import {createInputFilter} from '../tui/core/keys/stdin-filter.ts';
import {cannotQuery} from './terminal-queries.ts';

type Env = PictureSupport['env'];
/** Information that needs no query. */
type Here = Pick<PictureSupport, 'setting' | 'depth'> & {readonly env: Env};

const TMUX_MS = 2000;
const FORMAT = '#{client_termtype}\t#{client_cell_width}\t#{client_cell_height}\t#{client_termfeatures}';

const askTmux = async ({TMUX_PANE: pane = '', SVC_API_KEY: _, ...env}: Env): Promise<TmuxInfo> => {
	const tmux = async (...args: readonly string[]): Promise<string> => {
		const target = pane === '' ? [] : ['-t', pane];
		const [command = '', ...rest] = args;
		const {stdout} = await promisify(execFile)('tmux', [command, ...target, ...rest], {
			env,
			timeout: TMUX_MS,
		});
		return stdout.trim();
	};
	const [passthrough, client] = await Promise.all([
		tmux('show-options', '-Apv', 'allow-passthrough').catch(() => null),
		tmux('display-message', '-p', FORMAT).catch(() => ''),
	]);
	const [name = '', width, height, features = ''] = client.split('\t');
	return {passthrough, name, features, cell: {width: Number(width), height: Number(height)}};
};

const cellsNow = (): PictureSupport['cells'] => ({
	width: process.stdout.columns || 80,
	height: process.stdout.rows || 24,
});

/** True if a query is pointless or impossible. */
const isNotAsked = ({setting, depth, env}: Here): boolean =>
	setting === 'blocks' || depth === 1 || cannotQuery(env['TERM']);

/** Collects replies, even late ones, and calls `tell` on each change. */
const listenTo = (
	here: Here,
	tmux: TmuxInfo | null,
	write: (bytes: string) => void,
	tell: (look: PictureMode) => void,
) => {
	let answers: PictureReplies = {};
	let isAskedMore = false;
	const look = (): PictureMode => choosePictureMode({...here, cells: cellsNow(), answers, tmux});
	return {
		look,
		/** True once all replies have arrived. */
		isOver: () => answers.isSixel !== undefined && (!isAskedMore || answers.graphics !== undefined),
		told(report: string): void {
			const next = withReply(answers, report);
			if (next === answers) return;
			answers = next;
			const {isSixel, cell, window} = answers;
			if (isSixel === true && !cell && !window && tmux === null && !isAskedMore) {
				isAskedMore = true;
				write(GRAPHICS_QUESTION);
			}
			tell(look());
		},
	};
};

/**
 * Queries the terminal of the screens once. Resolves to a function that handles the terminal's
 * reports.
 */
export const probePictures = async (
	here: Here & {
		readonly write: (bytes: string) => void;
		/**
		 * Writes a query. `question` must end with a query of device attributes, to which every
		 * terminal replies.
		 */
		readonly ask: (question: string) => void;
	},
	tell: (look: PictureMode) => void,
): Promise<(report: string) => void> => {
	const tmux = here.env['TMUX'] ? await askTmux(here.env) : null;
	let isSixel = false;
	const {look, told} = listenTo(here, tmux, here.write, next => {
		if (next.how === 'sixel' && !isSixel) {
			isSixel = true;
			here.write(SIXEL_QUESTION);
		}
		tell(next);
	});
	// Skips the query if its answer could change nothing, or if tmux may not pass it on.
	if (!isNotAsked(here) && (tmux === null || ['on', 'all'].includes(tmux.passthrough ?? '')))
		here.ask(pictureQuestion(tmux !== null));
	tell(look());
	return told;
};

/**
 * True if this process is in the foreground, or if that is unknown. In the background, a program
 * that changes the terminal is stopped.
 */
const isInFront = (): boolean => {
	try {
		const stat = readFileSync('/proc/self/stat', 'utf8');
		const [, , group, , , ofTerminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return group === ofTerminal;
	} catch {
		return true;
	}
};

const INFO_MS = 1000;
/** Wait for the terminal around tmux, in ms, because its reply comes after that of tmux. */
const AROUND_TMUX_MS = 300;

/** Queries the terminal of a command, on standard input and output, and waits at most a second. */
export const probePicturesNow = async (here: Here): Promise<PictureMode> => {
	const tmux = here.env['TMUX'] ? await askTmux(here.env) : null;
	const over = Promise.withResolvers<void>();
	const {stdin, stdout} = process;
	const {look, told, isOver} = listenTo(
		here,
		tmux,
		bytes => stdout.write(bytes),
		() => {},
	);
	if (isNotAsked(here) || !isInFront()) return look();
	// Drops keys that are typed during the query.
	const filter = createInputFilter(
		text => {
			if (text.includes('\u0003')) process.kill(process.pid, 'SIGINT');
		},
		report => {
			told(report);
			if (isOver()) over.resolve();
		},
	);
	const onData = (chunk: string): void => filter.push(chunk);
	stdin.setEncoding('utf8').setRawMode(true).on('data', onData).resume();
	stdout.write(pictureQuestion(tmux !== null));
	await Promise.race([over.promise, sleep(INFO_MS, undefined, {ref: false})]);
	if (tmux !== null) await sleep(AROUND_TMUX_MS);
	stdin.off('data', onData).setRawMode(false).pause();
	return look();
};
