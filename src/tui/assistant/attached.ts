import {setText} from '../../text/editor/editor.ts';
import {keyFor} from '../../text/key-name.ts';
import {label} from '../../text/safe.ts';
import {endSentence} from '../../text/sentence.ts';
import {mentionOf, mentionsIn, packFile, type Attached, type Attachment, type Packed} from './attachments.ts';
import {
	answerInProgress,
	conversationAccess,
	isAnswering,
	isAsking,
	isSummary,
	modelIn,
	NOTHING_TYPED,
	messageContextOf,
	TASK_PREFIX,
} from './conversation.ts';
import {explainingQuestion, packedError} from './explain.ts';
import type {ErrorPacket} from '../cells/error-packet.ts';
import {packFromCells} from './server-cells.ts';
import {part, type App} from '../core/app.ts';
import {modelComparison, MOST_COMPARED} from './compare.ts';
import {messageQueue} from './queue.ts';
import {tasks} from './tasks.ts';
import {chat} from './conversations.ts';
import {notices} from '../core/store/notices.ts';
import {questionContext} from './context.ts';
import {route} from '../core/store/route.ts';

export type Attaching = {
	/**
	 * Sends the text of the field to several models. If the field is empty, sends the last question
	 * again. If it fails, returns the reason.
	 */
	compareModels(server: string, models: readonly string[]): string | void;
	/**
	 * Asks the last question again with the same or another model. If it fails, returns the reason.
	 */
	retry(server: string, model?: string): string | void;
	/**
	 * Stops the task, the answer or the comparison, and keeps the text received so far. False if
	 * none is in progress.
	 */
	stopAnswer(server: string): boolean;
	/**
	 * Loads an attachment and adds it to the next question for the current server's assistant. If
	 * it fails, returns the reason.
	 */
	addAttachment(attachment: Attachment): string | void;
	/** Removes an attachment, and its mention from the question. */
	removeAttachment(server: string, mention: string): void;
	/** Loads what the question mentions, except a mention that the user is still typing. */
	findMentioned(server: string): Promise<void>;
	/**
	 * Sends the text of the field with all listed attachments, to several models if `models` are
	 * given. While an answer is in progress, queues the message. If it fails, returns the reason.
	 */
	sendQuestion(server: string, models?: readonly string[]): string | void;
	/**
	 * Opens a dialog with the full text of a request to explain an error, to send it from there.
	 */
	explainError(packet: ErrorPacket): void;
	sendExplanation(server: string, packet: ErrorPacket): string | void;
};

export const attaching = part('attaching', ({get, set, deps: {client}}: App): Attaching => {
	const {of, change, changeTurn} = conversationAccess(set, get);
	const put = (server: string, next: Attached): void =>
		change(server, ({attached}) => {
			const at = attached.findIndex(each => each.mention === next.mention);
			const explicit = next.explicit || (attached[at]?.explicit ?? false);
			return {attached: at === -1 ? [...attached, next] : attached.with(at, {...next, explicit})};
		});

	const looks = new Map<string, Promise<void>>();
	const lookUpNow = async (server: string, found: Attached, attachment: Attachment): Promise<void> => {
		put(server, found);
		const packing =
			attachment.kind === 'file'
				? packFile(attachment, await (await client()).getFile(server, attachment.path))
				: packFromCells(attachment, get(), server);
		// The user may have removed the attachment while it was loading.
		if (of(server).attached.some(each => each.mention === found.mention)) put(server, {...found, ...packing});
	};
	const lookUp = async (server: string, attachment: Attachment, explicit: boolean): Promise<void> => {
		const mention = mentionOf(attachment);
		const key = JSON.stringify([server, mention]);
		const running =
			looks.get(key) ??
			lookUpNow(server, {mention, attachment, explicit, packed: null, problem: null}, attachment).finally(
				() => looks.delete(key),
			);
		looks.set(key, running);
		await running;
	};

	const sendNow = (
		server: string,
		tray: readonly Attached[],
		models: readonly string[] | undefined,
	): void => {
		const {draft, editing} = of(server);
		// Omits attachments that were added after the user saw the list.
		const carried = tray.flatMap(({packed, unseen}): readonly Packed[] =>
			packed === null || unseen !== undefined ? [] : [packed],
		);
		if (models !== undefined)
			return modelComparison(get).beginComparison(server, models, {
				question: draft.text.trim(),
				carried,
				replaces: editing,
				isFromField: true,
			});
		if (isAsking(of(server)))
			return messageQueue(get).add(
				server,
				tray.filter(({unseen}) => unseen === undefined),
			);
		change(server, () => NOTHING_TYPED);
		void chat(get).ask(server, draft.text.trim(), {carried, replaces: editing});
	};

	/** Reason why the question cannot be sent. Call it once all mentions have been loaded. */
	const problemIn = (server: string): string | undefined => {
		const {draft, refused} = of(server);
		const failed = messageContextOf(of(server)).find(
			each => each.problem !== null && (each.explicit || refused !== draft.text),
		);
		if (failed === undefined) return undefined;
		change(server, ({attached}) => ({
			refused: draft.text,
			attached: attached.filter(each => each.explicit || each.problem === null),
		}));
		return `${endSentence(`Not sent. ${failed.problem}`)} ${failed.explicit ? 'Remove it from the attachments' : `${keyFor('assistant.send')} again sends the question without it`}.`;
	};

	return {
		compareModels(server, models) {
			const {draft, turns, comparison} = of(server);
			if (isAsking(of(server))) return answerInProgress();
			if (comparison !== null) return 'You are comparing answers already. Choose one first';
			const asked = [...new Set(models)].slice(0, MOST_COMPARED);
			if (asked.length < 2) return 'Mark two models or more: each answers the same question';
			change(server, () => ({comparedWith: asked}));
			if (draft.text.trim() !== '') return attaching(get).sendQuestion(server, asked);
			const last = turns.at(-1);
			if (last === undefined) return 'Type a question first: it is sent to all the models';
			modelComparison(get).beginComparison(server, asked, {
				question: last.question,
				carried: last.carried,
				replaces: last.id,
				isFromField: false,
			});
		},
		retry(server, model) {
			const last = of(server).turns.at(-1);
			if (last === undefined) return 'Nothing has been asked yet';
			if (isAnswering(last)) return answerInProgress();
			if (last.question.startsWith(TASK_PREFIX))
				return tasks(get).beginWork(server, last.question.slice(TASK_PREFIX.length));
			void chat(get).ask(server, last.question, {
				carried: last.carried,
				model: model ?? modelIn(get().models, of(server).model),
				replaces: last.id,
			});
		},
		stopAnswer: server =>
			tasks(get).stopWork(server) ||
			chat(get).stopStream(server) ||
			modelComparison(get).stopComparison(server),
		addAttachment(attachment) {
			const server = get().current;
			if (server === null) return 'Choose a server first';
			const mention = mentionOf(attachment);
			void lookUp(server, attachment, true).then(() => {
				const found = of(server).attached.find(each => each.mention === mention);
				if (found === undefined) return;
				if (found.problem === null)
					return notices(get).notify('info', `${label(mention, 200)} is attached to the next question`);
				change(server, ({attached}) => ({attached: attached.filter(each => each.mention !== mention)}));
				notices(get).notify('bad', `Not attached. ${label(found.problem, 400)}`);
			});
		},
		removeAttachment(server, mention) {
			const {context} = of(server);
			if (context?.packed.mention === mention)
				questionContext(get).ruleContext(server, context.packed, 'refused');
			let {text} = of(server).draft;
			for (const each of mentionsIn(text).toReversed()) {
				if (mentionOf(each.attachment) === mention)
					text = text.slice(0, each.from) + text.slice(each.to).replace(/^ /, '');
			}
			change(server, ({draft, attached}) => ({
				attached: attached.filter(each => each.mention !== mention),
				...(text !== draft.text && {draft: setText(draft, text), folds: []}),
			}));
		},
		async findMentioned(server) {
			const {draft, attached} = of(server);
			const isKnown = (mention: string): boolean => attached.some(each => each.mention === mention);
			const finished = mentionsIn(draft.text).filter(
				({attachment, from, to}) =>
					(draft.cursor <= from || draft.cursor > to) && !isKnown(mentionOf(attachment)),
			);
			await Promise.all(finished.map(async ({attachment}) => lookUp(server, attachment, false)));
		},
		sendQuestion(server, models) {
			const {draft} = of(server);
			if (draft.text.trim() === '') return;
			if (isAsking(of(server)) && (models !== undefined || of(server).comparison !== null))
				return answerInProgress();
			const edited = of(server).turns.find(({id}) => id === of(server).editing);
			if (edited !== undefined && isSummary(edited)) {
				changeTurn(server, edited.id, () => ({answer: draft.text}));
				return change(server, () => NOTHING_TYPED);
			}
			for (const {packed, unseen} of messageContextOf(of(server)))
				if (packed !== null && unseen !== undefined)
					return route(get).openDialog({
						kind: 'context',
						server,
						packed,
						change: unseen,
						...(models && {models}),
					});
			const waiting = messageContextOf(of(server)).filter(
				each =>
					each.packed === null &&
					each.problem === null &&
					(each.explicit || of(server).refused !== draft.text),
			);
			if (waiting.length === 0) {
				const problem = problemIn(server);
				if (problem !== undefined) return problem;
				return sendNow(server, messageContextOf(of(server)), models);
			}
			void Promise.all(
				waiting.map(async ({attachment, explicit}) => attachment && lookUp(server, attachment, explicit)),
			).then(() => {
				// Sends nothing if the user has edited the text since.
				if (of(server).draft.text !== draft.text) return;
				const tray = messageContextOf(of(server));
				const problem = problemIn(server);
				if (problem !== undefined) notices(get).notify('bad', problem);
				else sendNow(server, tray, models);
			});
		},
		explainError(packet) {
			const server = get().current;
			if (server !== null) route(get).openDialog({kind: 'explain', server, packet});
		},
		sendExplanation(server, packet) {
			if (isAsking(of(server)))
				return `An answer is in progress. ${keyFor('global.back')} in the assistant stops it`;
			if (of(server).comparison !== null)
				return 'You are comparing answers in the assistant. Choose one first';
			void chat(get).ask(server, explainingQuestion(packet), {carried: packedError(packet)});
		},
	};
});
