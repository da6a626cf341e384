// Screen-reader mode. The program draws onto an invisible screen. Changes of this screen and of the
// store are written as lines of text. Ink's own mode is not used, because it erases and rewrites
// the whole screen at each change, and passes escape sequences on.
import {Writable} from 'node:stream';
import type {WriteStream} from 'node:tty';
import {keyNameOf} from '../../text/key-name.ts';
import {boxOnScreen, followBox, type BoxRect} from '../../tui/core/frame/box-rect.ts';
import {followCursor} from '../../tui/core/frame/cursor.tsx';
import type {Store} from '../../tui/core/program.ts';
import {dialogSpec, isClosed, isPane, screenSpec} from '../../tui/core/features.ts';
import {boxAt, rowAsSentence, isTyped, typedAt, withoutNumbers, type Area} from './frame.ts';
import {createAnnouncer} from './announcements.ts';
import {bodyArea, dialogLines, screenLines, SIZE, type SpokenView} from './screen-text.ts';
import {createStream, type Prompt} from './stream.ts';
import {locationInWords, spokenKey} from './descriptions.ts';

/** Appearance of the invisible screen. It is fixed, because marks and colours are parsed. */
export const READER_APPEARANCE = {
	theme: 'terminal',
	depth: 4,
	ground: null,
	dimBy: 'faint',
	ascii: false,
} as const;

/** Texts announced at the current location. */
type Said = {readonly key: string; row: string; readonly lines: Set<string>};
const NOTHING = {key: '', row: ''} as const;

/** Interval for checking whether the terminal is available again, in ms. */
const AWAY = 200;
/** Longest time from a state change to its frame, in ms. */
const FRAME_MAY_TAKE = 50;

export type ScreenReader = {
	/** Output stream for Ink. */
	readonly screen: WriteStream;
	/** Announces this store from now on. */
	follow(store: Store): void;
	/** Repeats the current location. */
	again(): void;
	/** Ends the input line, so that the next output starts a new line. */
	end(): void;
};

const key = (entry: string): string => spokenKey(keyNameOf(entry));

/** `isAway`: true while another program has the terminal. */
export const createScreenReader = (
	write: (text: string) => void,
	{columns, isAway}: {readonly columns: () => number; readonly isAway: () => boolean},
): ScreenReader => {
	const stream = createStream(write, columns);
	let store: Store | undefined;
	/** Line typed last, with its prompt. */
	let typed = '';
	const wasTyped = (line: string): boolean => isTyped(typed, line);
	let news = createAnnouncer(wasTyped);
	let frame: readonly string[] = [];
	let cursor: SpokenView['cursor'] = null;
	/**
	 * Box of a dialog. Like the cursor's position, it arrives right after a frame, or before the
	 * next one.
	 */
	let box: BoxRect | null = null;
	let said: Said = {...NOTHING, lines: new Set()};
	/** Kinds of dialogs whose keys have been announced. */
	const keysRead = new Set<string>();
	/** True if the store has changed since the last frame. */
	let isBehind = false;
	let late: NodeJS.Timeout | undefined;
	/** Visible lines of a text, and its location. */
	let text = {key: '', lines: new Set<string>()};
	let isDue = false;
	let stopFollowing = (): void => {};

	const promptOf = ({rows}: SpokenView, area: Area, key: string): Prompt | null => {
		if (cursor === null) return null;
		const row = area.rows[cursor.y - area.y];
		return row === undefined ? null : {key: `${key} ${rows.length}`, ...typedAt(row, cursor.x - area.x)};
	};

	const look = (): void => {
		isDue = false;
		if (store === undefined || frame.length === 0) return;
		clearTimeout(late);
		if (isAway()) {
			late = setTimeout(look, AWAY);
			return;
		}
		const state = store.getState();
		const lines = [...news(state)];
		if (isBehind) {
			// The screen still shows an earlier state. The timer is needed because a change that is
			// not visible produces no frame.
			late = setTimeout(() => {
				isBehind = false;
				look();
			}, FRAME_MAY_TAKE);
			return stream.say(lines);
		}
		const now: SpokenView = {state, rows: frame, cursor};
		const dialog = state.dialogs.at(-1);
		const area: Area = dialog && box ? boxAt(frame, box) : bodyArea(frame);
		const part = isPane(state.screen) ? state.paneFocus[state.screen] : '';
		const key = dialog
			? `${dialog.kind} ${state.dialogCount} ${area.title}`
			: `${state.screen} ${isPane(state.screen) ? `${state.current} ${isClosed(state)}` : ''} ${part}`;
		const isNew = key !== said.key;
		if (isNew) {
			said = {key, row: '', lines: new Set()};
			const title = dialog ? area.title : locationInWords(state, isPane(state.screen));
			if (title !== '') lines.push(/[.?!]$/.test(title) ? title : `${title}.`);
		}
		const tell = (each: readonly string[]): void => {
			for (const line of each) {
				const id = withoutNumbers(line);
				if (line === '' || said.lines.has(id)) continue;
				said.lines.add(id);
				lines.push(line);
			}
		};
		const found = dialog ? {...dialogLines(now, area, isNew), exact: []} : screenLines(now);
		tell(found.lines);
		if (!dialog) {
			const seen = text.key === key ? text.lines : new Set();
			lines.push(...found.exact.filter(line => line.trim() !== '' && !seen.has(line)));
			text = {key, lines: new Set(found.exact)};
		}
		if (found.row.id !== '' && found.row.id !== said.row) lines.push(...found.row.words.split('\n'));
		said.row = found.row.id;
		if (isNew && dialog && !dialogSpec(dialog).saysKeys?.(dialog) && !keysRead.has(dialog.kind)) {
			keysRead.add(dialog.kind);
			lines.push(`Keys: ${rowAsSentence(frame.at(-1) ?? '')}.`);
		}
		stream.say(lines);
		const prompt = promptOf(now, area, key);
		if (prompt !== null && /\w/.test(prompt.text)) typed = prompt.text.trimEnd();
		// While something runs, the prompt appears only once the user types.
		const isBusy = !dialog && screenSpec(state.screen).isBusy?.(state, state.current ?? '') === true;
		stream.prompt(isBusy && !/\w/.test(prompt?.text ?? '') ? null : prompt);
	};
	const due = (): void => {
		if (isDue) return;
		isDue = true;
		setImmediate(look);
	};
	followCursor(at => {
		cursor = at;
		due();
	});
	followBox(() => {
		box = boxOnScreen();
		due();
	});

	const screen = new Writable({
		decodeStrings: false,
		write(chunk: string, _, done) {
			const rows = String(chunk).split('\n');
			// Other writes are shorter and set terminal modes, which this screen ignores.
			if (rows.length >= SIZE.rows - 1) {
				frame = rows;
				isBehind = false;
				due();
			}
			done();
		},
	});
	return {
		screen: Object.assign(screen, SIZE, {isTTY: true}) as unknown as WriteStream,
		follow(next) {
			store = next;
			news = createAnnouncer(wasTyped);
			said = {...NOTHING, lines: new Set()};
			stopFollowing();
			stopFollowing = next.subscribe(() => {
				isBehind = true;
				due();
			});
			stream.say([
				`svc-tui, screen-reader mode. ${key('global.help')} lists keys, ${key('always.redraw')} tells your position, ${key('global.quit')} quits.`,
			]);
		},
		again() {
			text = {key: '', lines: new Set()};
			said = {...NOTHING, lines: new Set()};
			due();
		},
		end: stream.end,
	};
};
