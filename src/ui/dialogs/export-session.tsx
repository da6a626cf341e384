import {formatOf, type ExportTarget} from '../../store/cell-actions.ts';
import {NOTEBOOK_FORMATS, type NotebookFormat} from '../../store/notebook.ts';
import type {Rect} from '../frame/layout.ts';
import {useApp, useGetState} from '../store-context.ts';
import {Chooser, type Choice} from './chooser.tsx';

const KINDS: Readonly<Record<NotebookFormat, string>> = {ipynb: 'notebook', py: 'Python', md: 'Markdown'};

/** A name of the server's as a part of a file's name. */
const fileWord = (name: string): string => name.replaceAll(/[^\w.-]+/g, '-').slice(0, 40).replace(/^[.-]+/, '') || 'session';

/** Writes the cells of a server to a file: a name is typed or taken as it is offered, and a line says as what and where. */
export const ExportSession = ({server, body}: {readonly server: string; readonly body: Rect}) => {
	const get = useGetState();
	const hasTurns = useApp(state => (state.conversations.get(server)?.turns.length ?? 0) > 0);
	const stem = `${fileWord(server)}-${new Date().toLocaleString('sv').slice(0, 16).replace(' ', '-').replace(':', '')}`;
	const choiceOf = (target: ExportTarget): Choice => ({
		text: target.path,
		note: `${KINDS[formatOf(target.path) ?? 'ipynb']}${target.withTurns ? ' with the questions and answers' : ''}, ${target.place === 'here' ? 'on this machine' : 'on the server'}`,
		choose: () => void get().exportSession(server, target),
	});
	const choicesFor = (typed: string): readonly Choice[] => {
		const name = typed.trim() || stem;
		const format = formatOf(name);
		const paths = format === null ? NOTEBOOK_FORMATS.map(each => `${name}.${each}`) : [name];
		const targets = (place: ExportTarget['place'], withTurns: boolean): readonly ExportTarget[] => paths.map(path => ({path, place, withTurns}));
		return [
			...targets('here', false),
			...(hasTurns ? targets('here', true) : []),
			...(get().readOnly ? [] : [...targets('server', false), ...(hasTurns ? targets('server', true) : [])]),
		].map(choiceOf);
	};
	return <Chooser title="Write the session to a file" body={body} width={100} empty="Type a name." choicesFor={choicesFor}/>;
};
