import {isOpen} from '../../servers/opened.ts';
import {formatOf, nameOfSession, type ExportTarget, sessionExport} from '../export.ts';
import {NOTEBOOK_FORMATS, type NotebookFormat} from '../export-formats.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {turnsOf} from '../ports.ts';

const KINDS: Readonly<Record<NotebookFormat, string>> = {ipynb: 'notebook', py: 'Python', md: 'Markdown'};

const PLACES = {here: 'On this machine', server: 'On the server'} as const;

/**
 * Writes the cells of a server to a file, whose name the user types or chooses. Each row shows
 * format and target.
 */
export const exportSession = chooser(
	{kind: 'export', line: ({server}) => ({field: 'export', server})},
	({get}, {server}) => {
		const hasTurns = turnsOf(get, server).length > 0;
		const cells = get().repls.get(server)?.cells ?? [];
		const hasEarlier = cells.some(cell => cell.earlier !== null);
		const hasNow = cells.some(cell => cell.earlier === null);
		const stem = nameOfSession(server);
		const choiceOf = (target: ExportTarget, isTyped: boolean): Choice => ({
			text: target.path,
			id: JSON.stringify(target),
			// While the user types a name, the sections are hidden, so the note names the target.
			note: `${KINDS[formatOf(target.path) ?? 'ipynb']}${target.withTurns ? ' and chat' : ''}${hasEarlier ? (target.withEarlier ? ', all sessions' : ', this session') : ''}${isTyped ? `, ${PLACES[target.place].toLowerCase()}` : ''}`,
			section: PLACES[target.place],
			choose: () => void sessionExport(get).exportSession(server, target),
		});
		return {
			title: 'Write the session to a file',
			alignsNotes: true,
			enterLabel: 'write',
			empty: 'Type a name.',
			choicesFor(typed) {
				const name = typed.trim() || stem;
				const format = formatOf(name);
				const paths = format === null ? NOTEBOOK_FORMATS.map(each => `${name}.${each}`) : [name];
				const canWriteThere = !get().readOnly && isOpen(get(), server);
				const places: readonly ExportTarget['place'][] = canWriteThere ? ['here', 'server'] : ['here'];
				const turns = hasTurns ? [false, true] : [false];
				const sessions = [...(hasNow || !hasEarlier ? [false] : []), ...(hasEarlier ? [true] : [])];
				return places
					.flatMap(place =>
						turns.flatMap(withTurns =>
							sessions.flatMap(withEarlier => paths.map(path => ({path, place, withTurns, withEarlier}))),
						),
					)
					.map(target => choiceOf(target, typed !== ''));
			},
		};
	},
);
