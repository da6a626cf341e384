import type {Decision, Grant} from '../../work/permission.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {messageOf} from '../../text/errors.ts';
import {label} from '../../text/safe.ts';
import {CONTEXT_FILES} from '../../work/server-context.ts';
import {changed, type ByServer} from '../core/store/by-server.ts';
import {createEditor} from '../../text/editor/editor.ts';
import {contextToSend} from './context-file.ts';
import {answerInProgress, conversationAccess, isAsking, modelIn, TASK_PREFIX} from './conversation.ts';
import type {PermitQuestion, TaskJournals, WorkHandle} from './work.ts';
import type {startWork} from './work-runner.ts';
import {part, type App} from '../core/app.ts';
import {route} from '../core/store/route.ts';
import {notices} from '../core/store/notices.ts';
import {chat} from './conversations.ts';
import {questionContext} from './context.ts';
import {serverLinks} from '../live/links.ts';
import {sessionExport} from '../repl/export.ts';
import {notebookOpening} from '../notebook/open.ts';

declare module '../core/store/deps.ts' {
	interface Deps {
		/**
		 * Storage of tasks. Without it no task starts: a step that cannot be recorded is not run.
		 */
		readonly tasks?: () => Promise<TaskJournals>;
	}
}

/**
 * State of a task. `looks`: it waits for the server's `AGENTS.md` before it starts. `waits`: the
 * step that waits for permission. `asks`: it waits for the user's answer.
 */
export type Work = {
	readonly looks: boolean;
	readonly waits: PermitQuestion | null;
	readonly asks: boolean;
	readonly isStopping: boolean;
};

export type WorkState = {readonly works: ByServer<Work | null>};

export type Tasks = {
	/** Starts a task; without a goal, resumes the last one. If it fails, returns the reason. */
	beginWork(server: string, goal: string): string | void;
	/** Shows the step that waits for permission; false if no step does. */
	showPermit(server: string): boolean;
	/** Decides on the step in `question`, if that step still waits for permission. */
	decideWork(server: string, question: PermitQuestion, decision: Decision): string | void;
	/** Answers the question of the task; false if the task has none. */
	answerWork(server: string, text: string): boolean;
	/** Stops after the current step; a second call stops that step too. False if no task runs. */
	stopWork(server: string): boolean;
	/** Reverts the file changes of the last task. */
	undoWork(server: string): void;
	/**
	 * Adds the cells of the last task to the open notebook. Creates a notebook if a name was typed
	 * or no notebook is open.
	 */
	takeCells(server: string, typed: string): void;
	/** Shows code and output of the steps, or one line each. If it fails, returns the reason. */
	toggleSteps(server: string): string | void;
};

const NONE: Work = {looks: false, waits: null, asks: false, isStopping: false};

const firstWork = (): WorkState => ({works: new Map()});

export const tasks = part(
	'tasks',
	({get, set, deps: {client, tasks}}: App): Tasks => {
		const {of, changeTurn} = conversationAccess(set, get);
		const handles = new Map<string, WorkHandle>();
		/** Controllers that cancel tasks before they start, by server. */
		const looks = new Map<string, AbortController>();
		/** Permissions that last until the program ends. */
		const always = new Map<string, readonly Grant[]>();
		const change = (server: string, how: Partial<Work> | null): void =>
			set({
				works: changed(get().works, server, null, old => (how === null ? null : {...(old ?? NONE), ...how})),
			});
		const closePermit = (server: string): void => {
			const top = get().dialogs.at(-1);
			if (top?.kind === 'permit' && top.server === server) route(get).closeDialog();
		};

		const loaded = async () => {
			if (tasks === undefined) throw new Error('Task not started: its journal cannot be written to disk.');
			const [{beginWork, resumeWork, startWork: start}, book] = await Promise.all([
				import('./work-runner.ts'),
				tasks(),
			]);
			return {beginWork, resumeWork, start, book};
		};

		/** Runs a task and shows it in a turn. `begin` creates the task or resumes the last one. */
		const work = async (
			server: string,
			model: string,
			turn: number,
			begin: (all: Awaited<ReturnType<typeof loaded>>) => Parameters<typeof startWork>[1],
		): Promise<void> => {
			let how: {readonly phase: string; readonly says?: string};
			try {
				const [all, api, link] = await Promise.all([
					loaded(),
					client(),
					serverLinks(get).addressLink(server),
				]);
				const handle = await all.start(
					{
						...{client: api, server, model, live: link},
						decideKey: keyFor('assistant.send'),
						hear: {
							// Also called after the end of the task, when the user unfolds its
							// steps.
							text: answer =>
								changeTurn(server, turn, ({state}) => ({
									answer,
									state: state === 'waiting' ? 'streaming' : state,
								})),
							waits(waits) {
								change(server, {waits});
								if (waits === null) closePermit(server);
								else
									notices(get).notify(
										'info',
										`The assistant waits for your permission: ${waits.title}`,
										({works}) => works.get(server)?.waits === waits,
									);
							},
							asks: asks => change(server, {asks}),
						},
					},
					begin(all),
				);
				handles.set(server, handle);
				// The user may have pressed Esc before there was a handle to stop the task.
				if (get().works.get(server)?.isStopping) handle.stop();
				how = await handle.ended;
			} catch (error) {
				how = {phase: 'failed', says: messageOf(error)};
			}
			change(server, null);
			if (how.phase === 'failed')
				changeTurn(server, turn, () => ({state: 'incomplete', notes: how.says ?? ''}));
			else
				changeTurn(server, turn, () => ({
					state: how.phase === 'stopped' || how.phase === 'asked' ? 'stopped' : 'done',
					finishReason: how.phase,
				}));
		};

		/** Resumes the task that was stopped last. */
		const resume = async (server: string): Promise<void> => {
			try {
				const {resumeWork, book} = await loaded();
				if (isAsking(of(server))) return;
				const begun = resumeWork(book.last(server), always.get(server) ?? []);
				if (typeof begun === 'string') {
					notices(get).notify('bad', begun);
					return;
				}
				const {model} = begun.task;
				const turn = chat(get).addTurn(server, TASK_PREFIX.trim(), model);
				change(server, NONE);
				await work(server, model, turn, () => begun);
			} catch (error) {
				notices(get).notify('bad', messageOf(error));
			}
		};

		const putBack = (server: string, goal: string): void => {
			if (of(server).draft.text === '')
				chat(get).changeConversation(server, {draft: createEditor(`${TASK_PREFIX}${goal}`)});
		};
		/** Context file for the first message of a task, which includes no earlier turns. */
		const carriedTo = (server: string) => contextToSend({...of(server), draft: {text: ''}}, [])[0];
		const begin = (server: string, goal: string): void => {
			const carried = carriedTo(server);
			const context = carried?.packed ?? null;
			if (context !== null && carried?.unseen !== undefined) {
				putBack(server, goal);
				const {screen, current, dialogs} = get();
				// If the user is on another screen by now, a dialog must not take the focus there.
				if (screen !== 'assistant' || current !== server || dialogs.length > 0)
					return notices(get).notify(
						'bad',
						`The task on ${label(server, 40)} has not started: review ${context.mention} first`,
					);
				return route(get).openDialog({
					kind: 'context',
					server,
					packed: context,
					change: carried.unseen,
					goal,
				});
			}
			const model = modelIn(get().models, of(server).model);
			const turn = chat(get).addTurn(
				server,
				`${TASK_PREFIX}${goal}`,
				model,
				context === null ? [] : [context],
			);
			change(server, NONE);
			const grants = always.get(server) ?? [];
			void work(server, model, turn, ({beginWork, book}) =>
				beginWork({server, model, goal, grants, context}, id => book.begin(server, id)),
			);
		};
		/**
		 * Starts a task once the server's `AGENTS.md` is loaded: only the first message can include
		 * it.
		 */
		const lookAndBegin = async (server: string, goal: string): Promise<void> => {
			const looking = new AbortController();
			looks.set(server, looking);
			change(server, {looks: true});
			const isKnown = await questionContext(get).awaitContext(server, looking.signal);
			looks.delete(server);
			change(server, null);
			if (looking.signal.aborted) return putBack(server, goal);
			if (isAsking(of(server))) {
				putBack(server, goal);
				return notices(get).notify('bad', 'Another answer is in progress: the task was not started');
			}
			if (!isKnown)
				notices(get).notify(
					'bad',
					`Could not check for ${CONTEXT_FILES[0]} on the server; continuing without it`,
				);
			begin(server, goal);
		};

		return {
			beginWork(server, goal) {
				if (isAsking(of(server))) return answerInProgress();
				if (looks.has(server)) return `A task is about to start: ${keyFor('global.back')} cancels it`;
				if (goal.trim() === '') void resume(server);
				// The user must review the loaded `AGENTS.md` first. It is loaded again afterwards.
				else if (carriedTo(server)?.unseen) begin(server, goal);
				else void lookAndBegin(server, goal);
			},
			showPermit(server) {
				const question = get().works.get(server)?.waits;
				if (!question) return false;
				route(get).openDialog({kind: 'permit', server, question});
				return true;
			},
			decideWork(server, shown, decision) {
				const question = get().works.get(server)?.waits;
				closePermit(server);
				if (question !== shown) return 'This step is no longer waiting: nothing was decided';
				if (decision === 'always' && !question.isPrivate)
					always.set(server, [...(always.get(server) ?? []), {kind: question.kind, folder: null}]);
				handles.get(server)?.decide(decision);
			},
			answerWork(server, text) {
				if (!get().works.get(server)?.asks) return false;
				handles.get(server)?.reply(text);
				return true;
			},
			stopWork(server) {
				const now = get().works.get(server);
				if (!now) return false;
				if (now.looks) {
					looks.get(server)?.abort();
					return true;
				}
				change(server, {isStopping: true});
				handles.get(server)?.stop();
				if (!now.isStopping)
					notices(get).notify(
						'info',
						`The task stops after the running step; ${keyFor('global.back')} again stops that step too`,
					);
				return true;
			},
			undoWork(server) {
				void (async () => {
					try {
						const [{undoWork}, book, api, link] = await Promise.all([
							import('./work-runner.ts'),
							tasks?.(),
							client(),
							serverLinks(get).addressLink(server),
						]);
						const {isGood, says} = await undoWork(
							api,
							server,
							link?.files ?? null,
							book?.last(server) ?? null,
						);
						notices(get).notify(isGood ? 'good' : 'bad', says);
					} catch (error) {
						notices(get).notify('bad', messageOf(error));
					}
				})();
			},
			takeCells(server, typed) {
				void (async () => {
					try {
						const [{cellsOfWork}, book] = await Promise.all([import('./work-runner.ts'), tasks?.()]);
						const cells = cellsOfWork(book?.last(server) ?? null);
						if (typeof cells === 'string') return notices(get).notify('bad', cells);
						if (typed !== '' && !(await sessionExport(get).makeNotebook(server, typed))) return;
						const make = async (): Promise<unknown> => sessionExport(get).makeNotebook(server, '');
						await notebookOpening(get).putInNotebook(server, cells, {atEnd: true, isOnce: true, make});
					} catch (error) {
						notices(get).notify('bad', messageOf(error));
					}
				})();
			},
			toggleSteps(server) {
				const handle = handles.get(server);
				if (handle === undefined) return 'There are no steps of a task here yet';
				handle.toggle();
			},
		};
	},
	firstWork,
);
