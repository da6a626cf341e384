import {COMMANDS, type CommandName} from './suggest.ts';
import type {State} from '../core/program.ts';
import {fuzzyFilter} from '../../text/editor/fuzzy.ts';
import {label} from '../../text/safe.ts';
import {modelsOf} from './model-name.ts';
import {conversationOf} from './conversation.ts';
import {route} from '../core/store/route.ts';
import {attaching} from './attached.ts';
import {clipboard} from '../core/store/clipboard.ts';
import {chat} from './conversations.ts';
import {tasks} from './tasks.ts';

type Run = (get: () => State, server: string, argument: string) => string | void;

const modelFor = (state: State, typed: string): string | undefined =>
	fuzzyFilter(typed, modelsOf(state), ({id, name}) => `${id} ${name}`)[0]?.id;

const noModel = (name: string): string => `No model is called ${label(name, 60)}`;

/**
 * Asks several models, each given by its name or id; the best fuzzy match is used. Without names,
 * opens a list of models.
 */
export const compareNamed = (get: () => State, server: string, names: string): string | void => {
	if (names === '') return route(get).openDialog({kind: 'compare-models', server});
	const ids: string[] = [];
	for (const name of names.split(/[\s,]+/)) {
		const id = modelFor(get(), name);
		if (id === undefined) return noModel(name);
		ids.push(id);
	}
	return attaching(get).compareModels(server, ids);
};

export const copyAnswer = (get: () => State, server: string): string | void => {
	const last = conversationOf(get(), server).turns.findLast(turn => turn.answer !== '');
	return last === undefined ? 'There is no answer yet' : clipboard(get).copy(last.answer, 'The answer');
};
export const toggleRaw = (get: () => State, server: string): void =>
	chat(get).changeConversation(server, {raw: !conversationOf(get(), server).raw, top: null});

export const toggleThinking = (get: () => State, server: string): void =>
	chat(get).changeConversation(server, {
		showsThinking: !conversationOf(get(), server).showsThinking,
		top: null,
	});

const RUN: Readonly<Record<CommandName, Run>> = {
	help: () => COMMANDS.map(({name}) => `/${name}`).join('  '),
	new: (get, server) => chat(get).newConversation(server),
	resume: (get, server) => route(get).openDialog({kind: 'conversations', server}),
	fork: (get, server) => get().library?.copy(server) ?? 'Conversations are not saved here',
	delete: (get, server) =>
		conversationOf(get(), server).turns.length === 0
			? 'There is nothing to delete yet'
			: route(get).openDialog({kind: 'delete-conversation', server}),
	export: (get, server, argument) => {
		if (conversationOf(get(), server).turns.length === 0) return 'There is nothing to write yet';
		void chat(get).exportConversation(
			server,
			argument === ''
				? `conversation-${new Date().toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')}.md`
				: argument,
		);
	},
	model(get, server, argument) {
		if (argument === '') return route(get).openDialog({kind: 'model', server, again: false});
		const id = modelFor(get(), argument);
		if (id === undefined) return noModel(argument);
		chat(get).setModel(server, id);
	},
	retry(get, server, argument) {
		const id = argument === '' ? undefined : modelFor(get(), argument);
		return argument !== '' && id === undefined ? noModel(argument) : attaching(get).retry(server, id);
	},
	compare: compareNamed,
	edit: (get, server) => chat(get).editQuestion(server),
	find: (get, server, argument) => route(get).openDialog({kind: 'find-turn', server, text: argument}),
	context: (get, server) => route(get).openDialog({kind: 'tray', server}),
	compact: (get, server) => chat(get).foldTurns(server),
	copy: copyAnswer,
	raw: toggleRaw,
	work: (get, server, argument) => tasks(get).beginWork(server, argument),
	undo: (get, server) => tasks(get).undoWork(server),
	cells: (get, server, argument) => tasks(get).takeCells(server, argument),
	steps: (get, server) => tasks(get).toggleSteps(server),
};

/** Name and argument of a typed command. Null if the text is a question. */
export const commandIn = (text: string): {readonly name: string; readonly argument: string} | null => {
	const [, name, argument = ''] = /^\/([a-z]+)(?:[ \t]([^\n]*))?$/.exec(text.trimEnd()) ?? [];
	return name === undefined ? null : {name, argument: argument.trim()};
};

export const runCommand = (
	get: () => State,
	server: string,
	{name, argument}: {readonly name: string; readonly argument: string},
): string | void => {
	const known = COMMANDS.find(each => each.name === name);
	return known === undefined
		? `Unknown command /${label(name, 40)}: /help lists the commands. To send the text as a question, type a space before the slash`
		: RUN[known.name](get, server, argument);
};
