import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {startModelServer, type ModelServer} from '../support/model-server.ts';
import {pressAction} from '../support/press-action.ts';
import {type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';

/**
 * Starts the selected server, which is `welcome` in a new home, and waits until the header shows it
 * as ready.
 */
export const startWelcome = async (terminal: Terminal): Promise<void> => {
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'servers', 'start');
	await terminal.until('Start welcome?');
	pressAction(terminal, 'confirm', 'yes');
	await terminal.until(/welcome \S ready/);
};

/** Opens the REPL and waits for its prompt. */
export const openRepl = async (terminal: Terminal): Promise<void> => {
	pressAction(terminal, 'anywhere', 'repl');
	await terminal.until('>>>');
};

export const openAssistant = async (terminal: Terminal): Promise<void> => {
	pressAction(terminal, 'anywhere', 'assistant');
	await terminal.until(/Assistant · welcome/);
	await terminal.until('^J new line');
};

/** Types a command of the `:` line and runs it. */
export const order = async (terminal: Terminal, command: string): Promise<void> => {
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Tab complete');
	terminal.type(command);
	pressAction(terminal, 'chooser', 'accept');
};

/** Moves from the REPL's prompt to the cells above it, one of which is then selected. */
export const readCells = async (terminal: Terminal): Promise<void> => {
	// Waits until the cell has ended: its output appears earlier, and until the end Esc applies to
	// the cell.
	await terminal.gone(/esc (?:stop waiting|interrupt)/);
	pressAction(terminal, 'repl', 'leave');
	await terminal.until('⏎ type code');
};

/** Types code at the prompt and presses Enter. */
export const runCode = (terminal: Terminal, code: string): void => {
	terminal.type(code);
	pressAction(terminal, 'repl', 'run');
};

const HELD =
	'import os, time\ndef held():\n    open("begun", "w").close()\n    while not os.path.exists("go"): time.sleep(0.01)\n';

/**
 * Defines `held()` at the prompt. Code that calls it waits there. A cell that was sent may not have
 * started, but `begun` proves that it has.
 */
export const defineHeld = async (
	terminal: Terminal,
	home: Home,
): Promise<{readonly folder: string; begun(): Promise<void>; letGo(): void}> => {
	terminal.paste(HELD);
	pressAction(terminal, 'repl', 'run');
	await terminal.until('[1]');
	const folder = serverFolder(serviceFolder(home));
	return {
		folder,
		begun: async () => waitFor(() => expect(existsSync(join(folder, 'begun'))).toBe(true)),
		letGo: () => writeFileSync(join(folder, 'go'), ''),
	};
};

/**
 * Configures a model in slot 2 of the local service whose answers continue until they are stopped.
 * Answers of the built-in assistant would end within two seconds.
 */
export const withEndlessAnswers = async (home: Home): Promise<ModelServer> => {
	const server = await startModelServer(async stream => {
		await stream.text('It begins');
		stream.beat(`data: ${JSON.stringify({choices: [{delta: {content: ' and goes on'}}]})}\n\n`);
	});
	const folder = join(home.folder, '.config/svc-tui');
	mkdirSync(folder, {recursive: true});
	writeFileSync(
		join(folder, 'models.json'),
		JSON.stringify({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}),
	);
	return server;
};

export const ask = (terminal: Terminal, question: string): void => {
	terminal.type(question);
	pressAction(terminal, 'assistant', 'send');
};

/** Opens `src/prices.py` of the server `welcome` in the viewer. */
export const openPricesFile = async (terminal: Terminal): Promise<void> => {
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until(/▹ data/);
	pressAction(terminal, 'tree', 'down');
	await terminal.until(/▸ ▹ src/);
	pressAction(terminal, 'tree', 'open');
	await terminal.until('prices.py');
	pressAction(terminal, 'tree', 'down');
	await terminal.until(/▸ +prices\.py/);
	pressAction(terminal, 'tree', 'open');
	await terminal.until('def load(');
};

/** The part of the screen between two columns, without spaces at the ends of its rows. */
export const columnsOf = (screen: string, from: number, to?: number): string =>
	screen
		.split('\n')
		.map(row => row.slice(from, to).trimEnd())
		.join('\n');
