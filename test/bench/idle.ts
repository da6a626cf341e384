import {setTimeout as delay} from 'node:timers/promises';
import {allScreens} from '../../src/tui/core/features.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Measurement} from './measurement.ts';
import {cpuTime} from './process-costs.ts';

const WINDOW_MS = 180_000;
/** Frames of a poll twice a minute, and of ages that change once a minute. */
const MOST_FRAMES = ((2 + 1) * WINDOW_MS) / 60_000;
const SETTLE_MS = 4000;

/**
 * Six programs, each on another screen, idle for three minutes at the same time. Measures drawn
 * frames and the share of a core.
 */
export const idle = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	await using stack = new AsyncDisposableStack();
	const first = stack.use(await openProgram({home, columns: 150, rows: 40}));
	await first.until(/welcome\s.*offline/);
	pressAction(first, 'servers', 'start');
	await first.until('Start welcome?');
	pressAction(first, 'confirm', 'yes');
	await first.until(/welcome\s.*ready/);
	const programs = [];
	for (const screen of allScreens().map(({id}) => id)) {
		const terminal =
			screen === 'servers' ? first : stack.use(await openProgram({home, columns: 150, rows: 40}));
		await terminal.until(/welcome\s.*ready/);
		pressAction(terminal, 'global', screen);
		programs.push({screen, terminal, frames: 0});
	}
	await delay(SETTLE_MS);
	for (const program of programs) {
		program.terminal.onOutput(chunk => {
			// Each frame ends a synchronized update.
			program.frames += chunk.split('\u001B[?2026l').length - 1;
		});
	}
	const before = await Promise.all(programs.map(({terminal}) => cpuTime(terminal.pid)));
	await delay(WINDOW_MS);
	const after = await Promise.all(programs.map(({terminal}) => cpuTime(terminal.pid)));
	return programs.flatMap(({screen, frames}, index): Measurement[] => [
		{
			id: 'P5',
			what: `frames in three idle minutes, ${screen}`,
			unit: 'frames',
			values: [frames],
			budget: {figure: 'median', atMost: MOST_FRAMES},
		},
		{
			id: 'P5',
			what: `idle for three minutes, ${screen}`,
			unit: '% of a core',
			values: [(((after[index] ?? 0) - (before[index] ?? 0)) / WINDOW_MS) * 100],
			budget: {figure: 'median', atMost: 0.2},
		},
	]);
};
