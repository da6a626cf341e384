import {fuzzyFilter} from '../../text/editor/fuzzy.ts';
import type {Editor} from '../../text/editor/editor.ts';
import {mentionOf} from './attachments.ts';
import {conversationOf, type Conversation} from './conversation.ts';
import {notebookOn} from '../notebook/open-notebook.ts';
import {replOf} from '../repl/transcript.ts';
import {newestError, selectedCell} from './server-cells.ts';
import {treeOf} from '../files/tree/listing.ts';
import type {FileTree} from '../files/tree/tree.ts';
import {lastResult} from '../core/store/last-result.ts';
import type {State} from '../core/program.ts';

/** Commands that can follow `/` in the assistant's field. An `argument` in brackets is optional. */
export const COMMANDS = [
	{name: 'help', argument: '', does: 'List commands'},
	{name: 'new', argument: '', does: 'Start a new conversation; this one stays in the list'},
	{name: 'resume', argument: '', does: 'Continue an earlier conversation'},
	{name: 'fork', argument: '', does: 'Continue in a copy of this conversation'},
	{name: 'delete', argument: '', does: 'Delete this conversation from the disk'},
	{name: 'export', argument: '[file.md]', does: 'Write this conversation to a file here'},
	{name: 'model', argument: '[name]', does: 'The model for the next questions'},
	{name: 'retry', argument: '[model]', does: 'Ask the last question again'},
	{
		name: 'compare',
		argument: '[models]',
		does: 'Ask several models the last question, and choose one of the answers',
	},
	{name: 'edit', argument: '', does: 'Edit the last question'},
	{name: 'find', argument: '[text]', does: 'Find in this conversation'},
	{
		name: 'work',
		argument: 'goal',
		does: 'Let the assistant do it on this server, step by step, with your permission',
	},
	{name: 'undo', argument: '', does: 'Undo the file changes of the last task'},
	{name: 'cells', argument: '[name]', does: "Put the task's cells into a notebook"},
	{name: 'steps', argument: '', does: "Show code and output of the task's steps, or only their lines"},
	{name: 'compact', argument: '', does: 'Replace the turns so far with a summary; again: undo that'},
	{name: 'context', argument: '', does: 'Show the attachments of the next question'},
	{name: 'copy', argument: '', does: 'Copy the last answer'},
	{name: 'raw', argument: '', does: 'Show answers raw or formatted'},
] as const;
export type CommandName = (typeof COMMANDS)[number]['name'];

export type Suggestion = {
	readonly insert: string;
	readonly note: string;
	readonly command: CommandName | null;
};

/** The text to complete, and its choices, best first. */
export type Suggestions = {
	readonly from: number;
	readonly to: number;
	readonly choices: readonly Suggestion[];
	readonly at: number;
};

type Cells = Pick<State, 'repls' | 'notebooks' | 'viewers'>;

const MOST = 8;
/** Longest mention that is completed, in UTF-16 units: the length of the longest path. */
const LONGEST_MENTION = 4096;

const filesOf = (tree: FileTree): readonly Suggestion[] =>
	[...tree.folders.values()]
		.flatMap(folder => folder.value ?? [])
		.filter(leaf => !leaf.isFolder)
		.map(leaf => ({
			insert: mentionOf({kind: 'file', path: leaf.path}),
			note:
				leaf.size === null ? '' : leaf.size < 1000 ? `${leaf.size} B` : `${(leaf.size / 1000).toFixed(1)} K`,
			command: null,
		}));

const firstLine = (source: string): string => source.trim().split('\n', 1)[0]?.slice(0, 60) ?? '';

/** Cells that a question can mention: the newest error, the selected cell, cells of the REPL. */
const cellsIn = (state: Cells, server: string): readonly Suggestion[] => {
	const failed = newestError(state, server);
	const selected = notebookOn(state, server) && selectedCell(state, server);
	const {cells} = replOf(state, server);
	return [
		...(failed
			? [{insert: '@error', note: `the last one, of ${firstLine(failed.cell.source)}`, command: null}]
			: []),
		...(selected
			? [{insert: '@cell', note: `${selected.name}: ${firstLine(selected.cell.source)}`, command: null}]
			: []),
		...cells.toReversed().flatMap(cell => {
			const number = cell.result?.execution_count;
			return number == null ? [] : [{insert: `@cell:${number}`, note: firstLine(cell.source), command: null}];
		}),
	];
};

const find = (
	draft: Editor,
	hidden: string | null,
	at: number,
	tree: FileTree,
	cells: readonly Suggestion[],
): Suggestions | null => {
	if (draft.text === hidden || draft.text.length > 20_000) return null;
	const before = draft.text.slice(0, draft.cursor);
	const command = /^\/(\w*)$/.exec(draft.text);
	if (command && before === draft.text) {
		const typed = command[1] ?? '';
		if (COMMANDS.some(({name}) => name === typed)) return null;
		const choices = fuzzyFilter(typed, COMMANDS, ({name}) => name).map(
			({name, argument, does}): Suggestion => ({
				insert: `/${name}${argument === '' ? '' : ' '}`,
				note: `${argument}  ${does}`.trim(),
				command: name,
			}),
		);
		return choices.length === 0
			? null
			: {from: 0, to: draft.text.length, choices, at: Math.min(at, choices.length - 1)};
	}
	const mention = /(?:^|[\s(])(@"?([^\s"#]*))$/.exec(before.slice(-LONGEST_MENTION));
	if (mention === null || /^[^\s]/.test(draft.text.slice(draft.cursor))) return null;
	const all = [...cells, ...filesOf(tree)];
	const typed = mention[2] ?? '';
	if (all.some(each => each.insert === `@${typed}`)) return null;
	const choices = fuzzyFilter(typed, all, each => each.insert.slice(1)).slice(0, MOST);
	return choices.length === 0
		? null
		: {
				from: draft.cursor - (mention[1]?.length ?? 0),
				to: draft.cursor,
				choices,
				at: Math.min(at, choices.length - 1),
			};
};

const NO_CELLS: readonly Suggestion[] = [];
const remembered = lastResult(find);
const rememberedCells = lastResult(
	(
		repls: Cells['repls'],
		notebooks: Cells['notebooks'],
		viewers: Cells['viewers'],
		server: string,
	): readonly Suggestion[] => cellsIn({repls, notebooks, viewers}, server),
);

/** Suggestions of the assistant's field; null if there are none. */
export const suggestionsIn = (
	state: Cells & Pick<State, 'conversations' | 'files'>,
	server: string,
): Suggestions | null => {
	const {draft, hiddenFor, suggestedAt}: Conversation = conversationOf(state, server);
	// Listing cells is slow, and only a mention needs them.
	const cells = isMentioning({draft})
		? rememberedCells(state.repls, state.notebooks, state.viewers, server)
		: NO_CELLS;
	return remembered(draft, hiddenFor, suggestedAt, treeOf(state, server), cells);
};

/** True while the user types a mention. The server's folders are loaded then. */
export const isMentioning = ({draft}: Pick<Conversation, 'draft'>): boolean =>
	/(?:^|[\s(])@"?[^\s"#]*$/.test(draft.text.slice(0, draft.cursor).slice(-LONGEST_MENTION));
