import {spawn} from 'node:child_process';
import {createWriteStream} from 'node:fs';
import {finished} from 'node:stream/promises';
import {label} from '../../../text/safe.ts';

/** Maximum length of a progress line, in UTF-16 units. */
const LINE = 300;
/**
 * Maximum numbers of lines quoted in a failure reason: of lines marked as errors, or else of the
 * last lines.
 */
const MARKED = 3;
const LAST = 6;
const MOST_KEPT = 100;

export type BuilderOptions = {
	readonly command: readonly [file: string, ...args: string[]];
	readonly environment: NodeJS.ProcessEnv;
	/** File that all output is appended to. */
	readonly logFile: string;
	readonly signal: AbortSignal;
	/** Called with each line of output. */
	readonly onLine: (line: string) => void;
};

const failureIn = (lines: readonly string[]): string => {
	const marked = lines.filter(line => /^\s*(?:error|ERROR)\b|×|No space left/.test(line));
	return (marked.length > 0 ? marked.slice(-MARKED) : lines.slice(-LAST)).join(' ');
};

/**
 * Runs one program of a build until it exits, in a separate process group.
 * @throws {Error} with the last lines of its output if it fails.
 */
export const runBuilder = async (options: BuilderOptions): Promise<void> => {
	const {command, environment, logFile, signal, onLine} = options;
	signal.throwIfAborted();
	const [file, ...args] = command;
	const log = createWriteStream(logFile, {flags: 'a', mode: 0o600});
	// Ignored, because a full disk must not crash the service. The build itself reports it.
	log.on('error', () => undefined);
	log.write(`$ ${command.join(' ')}\n`);
	const child = spawn(file, args, {env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true});
	const lines: string[] = [];
	const add = (text: string): void => {
		const line = label(text.trim(), LINE);
		if (line === '') return;
		lines.push(line);
		if (lines.length > MOST_KEPT) lines.shift();
		onLine(line);
	};
	for (const stream of [child.stdout, child.stderr]) {
		let unended = '';
		stream
			.setEncoding('utf8')
			.on('data', (text: string) => {
				log.write(text);
				const parts = (unended + text).split(/[\r\n]+/);
				unended = (parts.pop() ?? '').slice(0, LINE);
				for (const part of parts) add(part);
			})
			.on('end', () => add(unended));
	}
	const end = (): void => {
		if (child.pid === undefined) return;
		try {
			process.kill(-child.pid, 'SIGKILL');
		} catch {
			// The process group has already ended.
		}
	};
	signal.addEventListener('abort', end);
	try {
		const code = await new Promise<number | null>((resolve, reject) => {
			child.on('error', reject);
			child.on('close', resolve);
		});
		signal.throwIfAborted();
		if (code !== 0) throw new Error(failureIn(lines) || `${file} ended with exit code ${code ?? '?'}`);
	} finally {
		signal.removeEventListener('abort', end);
		log.end();
		await finished(log).catch(() => undefined);
	}
};
