import {cellWidth, cut} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyFor} from '../keys/live-keys.ts';
import {paint} from '../theme/theme.ts';

/** Key suggested on an empty screen, and its effect. */
export type Step = {readonly key: string; readonly action: string; readonly info?: string};

export type Invitation = {
	readonly title: string;
	/** A sentence below the title. */
	readonly note?: string;
	readonly steps: readonly Step[];
};

/**
 * Invitation if a filter hides all rows. `clear`, `edit`: keys that clear and change the filter.
 */
export const noHits = (
	nouns: string,
	{
		clear,
		edit,
		editing = 'change it',
	}: {readonly clear: string; readonly edit: string; readonly editing?: string},
	{
		filtering,
		elsewhere,
		note,
	}: {readonly filtering: boolean; readonly elsewhere: number; readonly note?: string},
): Invitation => ({
	title: `No ${nouns} match`,
	...(note === undefined ? {} : {note}),
	steps: [
		...(filtering
			? [
					{key: keyFor('filter.killToStart'), action: 'clear the filter'},
					{key: keyFor('filter.leave'), action: 'leave the field'},
				]
			: [
					{key: clear, action: 'clear the filter'},
					{key: edit, action: editing},
				]),
		...(elsewhere > 0
			? [{key: keyFor('anywhere.palette'), action: 'find anything', info: `${elsewhere} elsewhere`}]
			: []),
	],
});

/** Widest note in cells. */
const PROSE = 72;
/** Share of the empty rows that are above the text. */
const ABOVE = 0.4;

/** Blanks before the last column of a step. */
const GAP = '   ';

/** Rows of an invitation, placed within `height` rows. */
export const invitationRows = (
	{title, note = '', steps}: Invitation,
	width: number,
	height: number,
): readonly string[] => {
	const widest = (of: (step: Step) => string): number =>
		Math.max(0, ...steps.map(step => cellWidth(of(step))));
	const padded = (text: string, cells: number): string => text + ' '.repeat(cells - cellWidth(text));
	const [keys, actions] = [widest(({key}) => key), widest(({action}) => action)];
	const rows = steps.map(({key, action, info = ''}) =>
		`${paint('accent', padded(key, keys))}  ${padded(action, actions)}${GAP}${paint('dim', info)}`.trimEnd(),
	);
	const notes = note === '' ? [] : wrap(note, Math.min(PROSE, width - 4));
	const centred = (lines: readonly string[]): readonly string[] => {
		const left = Math.max(1, Math.floor((width - Math.max(0, ...lines.map(cellWidth))) / 2));
		return lines.map(line => cut(' '.repeat(left) + line, width - 1));
	};
	const lines = [
		...centred([paint('heading', title)]),
		...(notes.length === 0 ? [] : ['', ...centred(notes)]),
		...(rows.length === 0 ? [] : ['', ...centred(rows)]),
	];
	const above = Math.max(0, Math.floor((height - lines.length) * ABOVE));
	return [...Array.from({length: above}, () => ''), ...lines];
};
