// Descriptions for the screen reader: the row under the cursor, with the meaning of columns and
// marks, cells, files and keys.
import {isCharged} from '../../text/charged.ts';
import type {ComputeOption} from '../../contract/compute.ts';
import {perHour} from '../../text/money.ts';
import {knownText, numberText} from '../../text/known.ts';
import {keyText} from '../../text/key-name.ts';
import {PIECE} from '../../text/columns/line-index.ts';
import {block, label, lineFrom} from '../../text/safe.ts';
import {regionCount} from '../../query/search-keys.ts';
import {gpuModel} from '../../query/option.ts';
import {list as computeList} from '../../tui/compute/keys.ts';
import {computeRows, regionsAsked} from '../../tui/compute/rows.ts';
import {list as environmentList} from '../../tui/environments/keys.ts';
import {shownEnvironments} from '../../tui/environments/environments.ts';
import {cursorAt, layoutOf, rowsOf, shownIn} from '../../tui/files/layout.ts';
import {treeOf} from '../../tui/files/tree/listing.ts';
import {lineIndexOf} from '../../tui/files/viewer/open-file.ts';
import {everyKey} from '../../tui/core/keys/actions.ts';
import type {Rect, State} from '../../tui/core/program.ts';
import {screenSpec} from '../../tui/core/features.ts';
import {replOf} from '../../tui/repl/transcript.ts';
import {selectedIn} from '../../tui/repl/cell-position.ts';
import {outputOfCell} from '../../tui/cells/cell-text.ts';
import {stateText} from './announcements.ts';
import {list as serverList} from '../../tui/servers/keys.ts';
import {rateNow} from '../../tui/servers/costs/rentals.ts';
import {shownServers} from '../../tui/servers/rows.ts';

const priceText = (rate: number | undefined): string => perHour(rate).replace(/\/h$/, ' per hour');

/** Words of a row with its position. `at`: counted from 1. */
const placed = (words: readonly string[], at: number, count: number): string =>
	`${words.filter(each => each !== '').join(', ')}; ${at} of ${count}`;

const offerTexts = (option: ComputeOption, within: ReadonlySet<string>): readonly string[] => {
	const {open, offered} = regionCount(option, within);
	const gpus =
		option.num_gpus === 0
			? 'no GPU'
			: `${numberText(option.num_gpus)} GPU${option.num_gpus === 1 ? '' : 's'} of ${label(knownText(option.vram_per_gpu), 12)}`;
	return [
		label(gpuModel(option), 40),
		gpus,
		`${numberText(option.cpus)} CPU${option.cpus === 1 ? '' : 's'}`,
		`${label(knownText(option.memory), 12)} memory`,
		priceText(option.hourly_price),
		offered === 0 ? 'regions unknown' : `available in ${open} of ${offered} regions`,
		label(knownText(option.cloud_host), 24),
	];
};

/**
 * `id`: changes if another row is selected, or if the row is expanded or collapsed. Only then is
 * the row announced again.
 */
export type RowInWords = {readonly id: string; readonly words: string};

const rowOf: Partial<Readonly<Record<State['screen'], (state: State) => RowInWords | undefined>>> = {
	servers(state) {
		const server = serverList.selected(state);
		if (server === undefined) return undefined;
		const rows = shownServers(state);
		// True if the list was loaded before the start request.
		const isOld = server.status === 'offline' && state.awaited.has(server.name);
		const rate = isCharged(server.status) === false ? '' : priceText(rateNow(state, server));
		const words = placed(
			[
				label(server.name, 60),
				isOld ? 'starting' : label(knownText(server.status), 24),
				`environment ${label(knownText(server.environment), 40)}`,
				`compute ${label(knownText(server.server_request), 40)}`,
				rate,
			],
			rows.indexOf(server) + 1,
			rows.length,
		);
		return {id: server.name, words};
	},
	compute(state) {
		const row = computeList.selected(state);
		if (row === undefined) return undefined;
		const rows = computeRows(state);
		const at = rows.findIndex(({id}) => id === row.id) + 1;
		if (row.kind === 'offer')
			return {id: row.id, words: placed(offerTexts(row.option, regionsAsked(state)), at, rows.length)};
		const {name, options, available} = row.group;
		const words = placed(
			[
				`group ${label(name, 60)}`,
				row.unfolded ? 'expanded' : 'collapsed',
				`${options.length} options`,
				`${available} available`,
			],
			at,
			rows.length,
		);
		return {id: `${row.id} ${row.unfolded}`, words};
	},
	environments(state) {
		const environment = environmentList.selected(state);
		if (environment === undefined) return undefined;
		const rows = shownEnvironments(state);
		const {environment_id: id, name, description} = environment;
		const words = placed(
			[label(id, 60), name === id ? '' : label(knownText(name), 80), label(knownText(description), 200)],
			rows.indexOf(environment) + 1,
			rows.length,
		);
		return {id, words};
	},
	files(state) {
		const server = state.current ?? '';
		if (state.paneFocus.files !== 'tree') return undefined;
		const rows = rowsOf(state, server);
		const at = cursorAt(rows, treeOf(state, server));
		const row = rows[at];
		if (row === undefined) return undefined;
		const {isFolder, unfolded, size, depth, note} = row;
		const words = placed(
			[
				label(row.name, 200),
				isFolder ? `folder, ${unfolded ? 'expanded' : 'collapsed'}` : size === null ? '' : `${size} bytes`,
				depth > 0 ? `level ${depth + 1}` : '',
				label(note ?? '', 80),
			],
			at + 1,
			rows.length,
		);
		return {id: `${row.path} ${unfolded} ${note}`, words};
	},
};

/** Row under the cursor of the focused list. Undefined if there is none. */
export const rowInWords = (state: State): RowInWords | undefined => rowOf[state.screen]?.(state);

/** Selected cell, for a user who moves through the cells. */
export const cellInWords = (state: State): readonly string[] => {
	const {cells, selected} = replOf(state, state.current ?? '');
	const at = selectedIn({cells, selected});
	const cell = cells[at];
	if (cell === undefined) return ['No cells yet.'];
	const lines = (text: string): readonly string[] => block(text).split('\n');
	const given = outputOfCell(cell);
	return [
		`Cell ${at + 1} of ${cells.length} ${stateText(cell)}:`,
		...lines(cell.source),
		...(given === '' ? ['No output.'] : ['Output:', ...lines(given.replace(/\n$/, ''))]),
	];
};

/**
 * Visible lines of the open file, unshortened, with their numbers. `lines` is null if the file is
 * shown formatted.
 */
export const fileInWords = (
	state: State,
	rect: Rect,
): {readonly title: string; readonly lines: readonly string[] | null} | null => {
	const server = state.current ?? '';
	const viewer = state.viewers.get(server);
	const file = viewer?.file.value;
	const shown = shownIn(state, server, rect);
	if (viewer === undefined || file === undefined || shown === null) return null;
	const title = label(viewer.path, 400);
	const index = shown.isLaidOut ? null : lineIndexOf(file);
	if (index === null) return {title, lines: null};
	const {line: from} = viewer.top;
	const to = Math.min(index.count, from + layoutOf(state, server, rect).viewerRows);
	return {
		title: `${title}, ${index.complete ? '' : 'more than '}${index.count} line${index.count === 1 ? '' : 's'}`,
		lines: Array.from({length: Math.max(0, to - from)}, (_, at) => {
			const text = index.text.slice(index.start(from + at), index.end(from + at)).slice(0, PIECE);
			return `${from + at + 1}  ${lineFrom(text, 0)}`;
		}),
	};
};

export const spokenKey = (key: string): string => keyText(key).replaceAll(/\^(?=.)/g, 'Ctrl-');

/** Keys that work at the current location, the most important first. */
export const keysInWords = (state: State): readonly string[] => {
	const here = everyKey(state).filter(({isHere}) => isHere);
	const reading = new Set<string>(
		here.flatMap(({scope, binding}) => (scope === 'global' ? [binding.action] : [])),
	);
	return here
		.filter(({scope, binding}) => scope !== 'anywhere' || !reading.has(binding.action))
		.map(({binding: {keys, label: does}}) => `${keys.map(spokenKey).join(' or ')}: ${does}`);
};

/** Location of the focus. */
export const locationInWords = (state: State, isPane: boolean): string => {
	const {title} = screenSpec(state.screen);
	if (!isPane || state.current === null) return title;
	const parts: Readonly<Record<string, string>> = {
		tree: ', the tree',
		viewer: ', the open file',
		cells: ', cells',
		cellFind: ', search',
		turns: ', answers',
	};
	const part: string = state.paneFocus[state.screen as keyof State['paneFocus']];
	return `${title} of ${label(state.current, 60)}${parts[part] ?? ''}`;
};
