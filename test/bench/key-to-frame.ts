import {setTimeout as delay} from 'node:timers/promises';
import type {Terminal} from '../support/terminal.ts';

const FRAME_END = '\u001B[?2026l';
const FRAME_WITHIN_MS = 2000;
const FRAME_MS = 1000 / 60;

/**
 * Milliseconds from a key press to the end of the frame drawn for it. @throws {Error} if the key
 * changes nothing.
 */
export const keyToFrame = async (terminal: Terminal, press: () => void): Promise<number> => {
	const before = terminal.screen();
	let tail = '';
	let stop = (): void => {};
	const ms = await new Promise<number>((resolve, reject) => {
		const giveUp = setTimeout(() => {
			reject(new Error(`no frame within ${FRAME_WITHIN_MS} ms:\n${terminal.screen()}`));
		}, FRAME_WITHIN_MS);
		stop = terminal.onOutput((chunk, at) => {
			// The end mark of a frame may be split between two chunks.
			tail = (tail + chunk).slice(-chunk.length - FRAME_END.length);
			if (!tail.includes(FRAME_END)) return;
			clearTimeout(giveUp);
			resolve(at - from);
		});
		const from = performance.now();
		press();
	}).finally(() => {
		stop();
	});
	await terminal.untilTrue(
		'the key to change the screen',
		() => terminal.screen() !== before,
		FRAME_WITHIN_MS,
	);
	// Pauses like a user, for random times that cannot coincide with the program's own frames.
	await delay(3 * FRAME_MS + Math.random() * 2 * FRAME_MS);
	return ms;
};
