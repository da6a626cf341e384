import {startModelServer, type ModelServer} from './model-server.ts';

/** Returns the text with which a model requests a step, for the marker of the task. */
export type Say = (mark: string) => string;

export const step =
	(kind: string, argument = '', text = ''): Say =>
	mark =>
		`\`\`\`\`${kind} ${mark} ${argument}\n${text}\`\`\`\`\n`;

export const steps =
	(...all: readonly Say[]): Say =>
	mark =>
		`I go on.\n\n${all.map(each => each(mark)).join('\n')}`;

/** Starts a model that gives these answers in a task, one after the other. */
export const startWorkModel = async (): Promise<
	ModelServer & {play(script: readonly Say[]): void; heard(): string}
> => {
	let script: readonly Say[] = [];
	const server = await startModelServer(async stream => {
		const {messages} = stream.asked.body;
		const told = messages.find(({role}) => role === 'user')?.content ?? '';
		const mark = /the mark (\S+) of this task/.exec(told)?.[1] ?? '';
		const say = script[messages.filter(({role}) => role === 'assistant').length];
		// The answer is sent in pieces, like a stream.
		for (const piece of (say?.(mark) ?? 'I have nothing to say.').match(/[^]{1,7}/g) ?? [])
			await stream.text(piece);
		await stream.finish();
		await stream.done();
	});
	return {
		...server,
		play(next) {
			script = next;
		},
		/** The most recent messages. */
		heard: () =>
			server.asked
				.at(-1)
				?.body.messages.map(({content}) => content)
				.join('\n---\n') ?? '',
	};
};
