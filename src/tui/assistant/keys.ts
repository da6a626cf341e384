import {editing, list, reading, type KeyScope, type Tab} from '../core/keys/binding-sets.ts';

export const assistantTab: Tab = {
	id: 'assistant',
	title: 'Assistant',
	short: 'Chat',
	jump: '6',
	pane: {name: 'assistant', sentence: 'The assistant', dock: 'ctrl+x c', part: 'assistant'},
};

export const assistantKeys = {
	assistant: {
		where: 'assistant, typing',
		name: 'Assistant',
		screen: 'assistant',
		part: 'assistant',
		isText: true,
		rows: [
			{action: 'send', keys: ['enter'], label: 'send', hint: true, writes: true},
			...editing,
			{action: 'model', keys: ['ctrl+x m'], label: 'model', hint: true},
			{action: 'compare', keys: ['ctrl+x a'], label: 'ask several models', writes: true},
			{action: 'tray', keys: ['ctrl+x t'], label: 'attachments'},
			{action: 'conversations', keys: ['ctrl+x h'], label: 'conversations'},
			{action: 'thinking', keys: ['ctrl+t'], label: 'Show or hide what the model thought'},
			{action: 'fold', keys: ['ctrl+o'], label: 'Expand or collapse pasted text'},
			{action: 'external', keys: ['ctrl+x e', 'ctrl+x ctrl+e'], label: 'edit in $EDITOR'},
			{action: 'complete', keys: ['tab'], label: 'Next pane from an empty field'},
			{action: 'leave', keys: ['esc'], label: 'read the answers'},
		],
	},
	/** Suggestions above the assistant's field after `@` or `/`. */
	suggest: {
		where: 'assistant, behind @ or /',
		rows: [
			{action: 'accept', keys: ['enter'], label: 'accept', hint: true},
			{action: 'complete', keys: ['tab'], label: 'complete', hint: true},
			{action: 'up', keys: ['up', 'ctrl+p'], label: 'Suggestion above'},
			{action: 'down', keys: ['down', 'ctrl+n'], label: 'Suggestion below'},
			{action: 'close', keys: ['esc'], label: 'close suggestions'},
		],
	},
	turns: {
		where: 'assistant, reading',
		name: 'Assistant, reading',
		screen: 'assistant',
		part: 'turns',
		rows: [
			...reading,
			{action: 'edit', keys: ['enter', 'i'], label: 'ask', hint: true},
			{action: 'previousBlock', keys: ['['], label: 'Previous code block'},
			{action: 'nextBlock', keys: [']'], label: 'Next code block'},
			{action: 'copyBlock', keys: ['y'], label: 'copy', hint: true},
			{action: 'runBlock', keys: ['r'], label: 'run', hint: true, writes: true},
			{action: 'writeBlock', keys: ['w'], label: 'write', hint: true, writes: true},
			{action: 'putBlock', keys: ['a'], label: 'put in the REPL'},
			{action: 'copyAnswer', keys: ['Y'], label: 'Copy the last answer'},
			{action: 'raw', keys: ['M'], label: 'Raw or formatted Markdown'},
			{action: 'thinking', keys: ['T', 'ctrl+t'], label: 'Show or hide what the model thought'},
			{action: 'retry', keys: ['R'], label: 'ask again', hint: true, writes: true},
			{action: 'retryWith', keys: ['O'], label: 'Ask again with another model', writes: true},
			{action: 'compare', keys: ['C', 'ctrl+x a'], label: 'Ask several models', writes: true},
			{action: 'editQuestion', keys: ['e'], label: 'Edit the last question'},
			{action: 'model', keys: ['m', 'ctrl+x m'], label: 'model'},
			{action: 'tray', keys: ['t', 'ctrl+x t'], label: 'attachments'},
			{action: 'conversations', keys: ['c', 'ctrl+x h'], label: 'conversations'},
			{action: 'place', keys: ['o'], label: 'Open a file named in the answers'},
			{action: 'find', keys: ['/'], label: 'Find in the conversation'},
			{action: 'findNext', keys: ['n'], label: 'Next match'},
			{action: 'findPrevious', keys: ['N'], label: 'Previous match'},
		],
	},
	/** Answers of several models to one question, which replace the conversation. */
	comparison: {
		where: 'assistant, answers side by side',
		name: 'Assistant, answers side by side',
		isPassing: true,
		rows: [
			...reading,
			{action: 'left', keys: ['left', 'h'], label: 'Previous answer'},
			{action: 'right', keys: ['right', 'l'], label: 'next answer', hint: true},
			{action: 'adopt', keys: ['enter'], label: 'continue with this one', hint: true},
			{action: 'copyAnswer', keys: ['y'], label: 'copy', hint: true},
			{action: 'thinking', keys: ['T', 'ctrl+t'], label: 'Show or hide what the models thought'},
			{action: 'leave', keys: ['esc'], label: 'choose none'},
		],
	},
	/** Models that answer one question. */
	models: {
		where: 'models to ask together',
		isDialog: true,
		rows: [
			...list,
			{action: 'mark', keys: ['space'], label: 'mark', hint: true},
			{action: 'accept', keys: ['enter'], label: 'ask the marked models', hint: true},
			{action: 'close', keys: ['esc'], label: 'close'},
		],
	},
	/** A step of a task that waits for permission. */
	permit: {
		where: 'permission for a step',
		isDialog: true,
		rows: [
			...reading,
			{action: 'once', keys: ['y'], label: 'allow it once', hint: true},
			{action: 'folder', keys: ['f'], label: 'allow this kind in its folder for the task'},
			{action: 'task', keys: ['t'], label: 'allow this kind for the task', hint: true},
			{action: 'always', keys: ['a'], label: 'allow this kind until the program ends'},
			{action: 'refuse', keys: ['n'], label: 'refuse', hint: true},
			{action: 'close', keys: ['esc'], label: 'decide later'},
		],
	},
	/** The server's `AGENTS.md`, before it is first sent. */
	context: {
		where: "a server's own context",
		isDialog: true,
		rows: [
			...reading,
			{action: 'carry', keys: ['y'], label: 'send it too', hint: true},
			{action: 'without', keys: ['n'], label: 'send without it', hint: true},
			{action: 'close', keys: ['esc'], label: 'send nothing yet'},
		],
	},
	/** Everything that would be sent. */
	packet: {
		where: 'a request to explain an error',
		isDialog: true,
		rows: [
			...reading,
			{action: 'send', keys: ['y'], label: 'yes', hint: true},
			{action: 'close', keys: ['esc', 'n'], label: 'no'},
		],
	},
} as const satisfies Record<string, KeyScope>;
