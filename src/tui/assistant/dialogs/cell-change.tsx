import {diffLines, type DiffLine} from '../../../text/columns/diff-lines.ts';
import {indexOfKey} from '../../../text/notebook/edit.ts';
import {label} from '../../../text/safe.ts';
import {keyHints} from '../../core/components/key-hint.ts';
import type {KeyScope} from '../../core/keys/action.ts';
import type {DialogProps, Rect, State} from '../../core/program.ts';
import {readerActions} from '../../core/dialogs/scrolled.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {route, topDialog} from '../../core/store/route.ts';
import {useApp} from '../../core/store-context.ts';
import {keyOf} from '../../files/content.ts';
import {DiffDialog} from '../../files/saving/diff-dialog.tsx';
import {asTyped, type OpenNotebook} from '../../notebook/open-notebook.ts';
import {codeBlocks, type CellChange} from '../blocks.ts';

const difference = lastResult((before: string, after: string): readonly DiffLine[] =>
	diffLines(`${before}\n`, `${after}\n`),
);

const openOf = ({notebooks}: Pick<State, 'notebooks'>, {file}: CellChange): OpenNotebook | undefined =>
	notebooks.get(keyOf(file));

/** The lines that would change; none if the cell no longer exists. */
const rowsOf = (open: OpenNotebook | undefined, {key, code}: CellChange): readonly DiffLine[] => {
	const cell = open && asTyped(open).cells.find(each => each.key === key);
	return cell === undefined ? [] : difference(cell.source, code);
};

const roomIn = ({height}: Rect): number => Math.max(1, height - 5);

/** Keys of the dialog that replaces a notebook's cell with code of an answer. */
export const cellChangeKeys: KeyScope = {
	where: "code of an answer for a notebook's cell",
	isDialog: true,
	actions: {
		...readerActions('cell-change', ({change}, {get, rect}) => ({
			count: rowsOf(openOf(get(), change), change).length,
			room: roomIn(rect),
		})),
		accept: {
			keys: ['y'],
			label: 'change the cell',
			hint: true,
			run({get}) {
				const change = topDialog(get(), 'cell-change')?.change;
				route(get).closeDialog();
				return change && codeBlocks(get).changeCell(change);
			},
		},
		addBelow: {
			keys: ['b'],
			label: 'new cell below',
			hint: true,
			run({get}) {
				const change = topDialog(get(), 'cell-change')?.change;
				route(get).closeDialog();
				if (change) codeBlocks(get).putIntoNotebook(change.file.server, change.code);
			},
		},
		close: {keys: ['esc', 'n'], label: 'no', run: ({get}) => route(get).closeDialog()},
	},
};

/** Shows which lines of a notebook's cell the code of an answer would change, and asks. */
export const ChangeCell = ({change, top = 0, body}: DialogProps<'cell-change'>) => {
	const open = useApp(state => openOf(state, change));
	const rows = rowsOf(open, change);
	const number = open === undefined ? 0 : indexOfKey(open.notebook, change.key) + 1;
	const title = `Change cell ${number} of ${label(change.file.path, 120)}?`;
	const foot = [
		keyHints(
			['cellChange.accept', 'change'],
			['cellChange.addBelow', 'new cell'],
			['cellChange.close', 'cancel'],
		),
	];
	return <DiffDialog {...{title, rows, top, foot, body}} room={roomIn(body)} />;
};
