import type {Load} from '../../api/client-types.ts';
import {loadWords} from '../live/load.ts';
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
	/** How its output comes; undefined while that is not known. */
	readonly link: LinkState | undefined;
	/** What it uses while a cell runs, as far as it tells. */
	readonly load?: Load | null;
	readonly blocks: readonly (readonly string[])[];
	readonly editor: EditorLines;
	/** Completions or documentation, over the last rows of the cells. */
	readonly over?: readonly string[];
	/** Time of the running cell so far, in ms. */
	readonly elapsed: number | null;
	/** First row in view; null follows the end. */
	readonly top: number | null;
	/** The keys read the cells. */
	readonly reading: boolean;
	/** Index of the cell under the cursor, where there is one. */
	readonly marked: number | undefined;
	/** Which row of all was found last. */
	readonly found: number | null;
	/** What is typed to be found; null while nothing is. */
	readonly field: string | null;
	readonly focused: boolean;
	readonly width: number;
	readonly height: number;
};

const welcome = (): string =>
	!isKeyAvailable('repl.run')
		? 'This profile is read-only: no code is sent.'
		: `Type Python below and press ${keyFor('repl.run')} to run it. A block runs after an empty line; ${keysFor('repl.newline')} always starts a new line.`;
const FIELD = 30;
/** A cell that runs for less, in ms, has no time beside it. */
const COUNTED = 1000;

/** Cells above, the editor below a rule that says what runs. */
export const ReplView = ({repl, link, load, elapsed, reading, found, field, ...pane}: Props) => {
	const {kernel, find, asks} = repl;
	const query = find.field.text;
	const queued = queuedCells(repl);
	const waiting = queued > 0 ? paint('dim', `, ${queued} waiting`) : '';
	const took = (elapsed ?? 0) < COUNTED ? '' : ` ${durationText(elapsed ?? 0)}`;
	const does = asks === null ? `running${took}` : 'waits for your input';
	const runs = elapsed === null ? '' : ` ${paint('busy', does)}${waiting} `;
	const how =
		link?.kind === 'live'
			? ', live'
			: link?.kind === 'none'
				? `, output comes at the end${link.isHeld ? ' until ":live"' : ''}`
				: '';
	const finds =
		field === null
			? reading && query !== ''
				? ` ${findNote(query, find.at, 'cells')} `
				: ''
			: ` ${paint('accent', '/')} ${fit(field, FIELD)} `;
	// What was asked while a cell ran may be answered when it is over.
	const uses = load && elapsed !== null ? loadWords(load) : '';
	const said = (below: number, room: number, isShort = false): string => {
		const words = `${finds}${runs}${below === 0 ? '' : ` ${belowMark(below, 'cells', isShort)} `}`;
		return isShort || cellWidth(words) <= room ? words : said(below, room, true);
	};
	return (
		<TranscriptPane
			name="REPL"
			detail={`${kernel === EMPTY_REPL.kernel ? 'Python' : label(kernel, 40)}${how}${uses === '' ? '' : ` · ${uses}`}`}
			welcome={welcome()}
			said={(below, room) => said(below, room)}
			highlight={reading && query !== '' ? markingFound(query, found) : undefined}
			{...pane}
		/>
	);
};
