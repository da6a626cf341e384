import type {Load} from '../../api/client-types.ts';
import {loadText} from '../live/load.ts';
import {EMPTY_REPL, type Repl} from './transcript.ts';
import {queuedCells} from '../cells/cell.ts';
import type {LinkState} from '../live/link-state.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, fit} from '../../text/width/width.ts';
import {durationText} from '../core/components/age.ts';
import type {EditorLines} from '../core/components/editor-lines.ts';
import {findNote, markingFound} from '../core/components/find-rows.ts';
import {belowMark} from '../core/components/transcript.ts';
import {TranscriptPane} from '../core/components/transcript-pane.tsx';
import {isKeyAvailable, keyFor, keysFor} from '../core/keys/live-keys.ts';
import {paint} from '../core/theme/theme.ts';

type Props = {
	readonly server: string;
	readonly repl: Repl;
	/** Link over which outputs arrive; undefined while unknown. */
	readonly link: LinkState | undefined;
	/** True while the host of the server is out of reach. */
	readonly isAway?: boolean;
	/** Resource use during a cell, if the server reports it. */
	readonly load?: Load | null;
	readonly blocks: readonly (readonly string[])[];
	readonly editor: EditorLines;
	/** Completions or documentation, drawn over the last rows of the cells. */
	readonly over?: readonly string[];
	/** Time since the cell started, in ms. */
	readonly elapsed: number | null;
	/** First visible row; null follows the end. */
	readonly top: number | null;
	/** True while the user reads the cells, so that keys move in them. */
	readonly reading: boolean;
	/** Index of the selected cell, if any. */
	readonly marked: number | undefined;
	/** Index of the current search hit's row among all rows. */
	readonly found: number | null;
	/** Search text; null while no search is open. */
	readonly field: string | null;
	readonly focused: boolean;
	readonly edge?: 0 | 1 | undefined;
	readonly width: number;
	readonly height: number;
};

const welcome = (): string =>
	!isKeyAvailable('repl.run')
		? 'This profile is read-only: no code is sent.'
		: `Type Python below and press ${keyFor('repl.run')} to run it. A block runs after an empty line; ${keysFor('repl.newline')} always starts a new line.`;
const countText = ({cells, older}: Pick<Repl, 'cells' | 'older'>): string => {
	const count = cells.length + older.length;
	return count === 0 ? '' : `${count.toLocaleString('en')} cell${count === 1 ? '' : 's'}`;
};
const FIELD = 30;
/** Shortest duration that is shown, in ms. */
const COUNTED = 1000;

/** The cells, and below them the editor, under a rule that shows what is running. */
export const ReplView = ({
	repl,
	link,
	isAway = false,
	load,
	elapsed,
	reading,
	found,
	field,
	...pane
}: Props) => {
	const {kernel, find, asks} = repl;
	const query = find.field.text;
	const queued = queuedCells(repl);
	const waiting = queued > 0 ? paint('dim', `, ${queued} waiting`) : '';
	const took = (elapsed ?? 0) < COUNTED ? '' : ` ${durationText(elapsed ?? 0)}`;
	const does = asks === null ? `running${took}` : 'waits for your input';
	const runs = elapsed === null ? '' : ` ${paint('busy', does)}${waiting} `;
	const how = isAway
		? ' · its host cannot be reached now'
		: link?.kind === 'live'
			? ' · live'
			: link?.kind === 'none'
				? ` · output comes at the end${link.isHeld ? ' until ":live"' : ''}`
				: '';
	const finds =
		field === null
			? reading && query !== ''
				? ` ${findNote(query, find.at, 'cells')} `
				: ''
			: ` ${paint('accent', '/')} ${fit(field, FIELD)} `;
	// Shown only while a cell is running, because the resource use may arrive after its end.
	const uses = load && elapsed !== null ? loadText(load) : '';
	const said = (below: number, room: number, isShort = false): string => {
		const words = `${finds}${runs}${below === 0 ? '' : ` ${belowMark(below, 'cells', isShort)} `}`;
		return isShort || cellWidth(words) <= room ? words : said(below, room, true);
	};
	return (
		<TranscriptPane
			name="REPL"
			detail={`${kernel === EMPTY_REPL.kernel ? 'Python' : label(kernel, 40)}${how}${uses === '' ? '' : ` · ${uses}`}`}
			right={countText(repl)}
			welcome={welcome()}
			said={(below, room) => said(below, room)}
			highlight={reading && query !== '' ? markingFound(query, found) : undefined}
			{...pane}
		/>
	);
};
