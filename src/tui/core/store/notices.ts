import type {State} from '../program.ts';
import {screenSpec, workspaceInfo} from '../features.ts';
import {keyPath} from '../keys/scopes.ts';
import {part, type App} from '../app.ts';

/** Whether what a notice says is still so. */
export type NoticeCondition = (state: State) => boolean;

export type Notice = {
	readonly id: number;
	readonly kind: 'info' | 'good' | 'bad';
	readonly text: string;
	readonly at: number;
	readonly holds?: NoticeCondition;
	/** Why a key could not act: the next one that acts makes it old. */
	readonly isAnswer?: boolean;
};

/** How long a notice stands above the footer at most, in ms; all stay in the list. */
export const NOTICE_TIME = 6000;
const KEPT = 200;

export type NoticesState = {
	readonly notices: readonly Notice[];
	/** The one above the footer now. */
	readonly notice: Notice | null;
};

export type Notices = {
	/** It stands there for a while, and no longer than it holds. */
	notify(kind: Notice['kind'], text: string, holds?: NoticeCondition): void;
	/** Answers a key that cannot act here and now: the sentence ends with what made it true. */
	refuse(text: string): void;
	dismissNotice(): void;
};

/** Where the user is, and what of it decides whether keys can act. */
const whereIn = (state: State): string => {
	const workspace = workspaceInfo();
	const {screen, dialogs, current} = state;
	const [top = 'always'] = keyPath(state).scopes;
	return [
		screen,
		dialogs.at(-1)?.kind,
		current,
		workspace?.isOpen(state),
		workspace?.isComing(state),
		workspace?.list(state).value === undefined,
		screenSpec(screen).stops?.(state, current ?? '', top),
	].join('\n');
};

const firstNotices = (): NoticesState => ({notices: [], notice: null});

export const notices = part(
	'notices',
	({get, set, deps: {now}}: App): Notices => {
		let last = 0;
		const show = (said: Pick<Notice, 'kind' | 'text' | 'holds' | 'isAnswer'>): void => {
			const notice = {id: ++last, at: now(), ...said};
			set({notices: [...get().notices.slice(1 - KEPT), notice], notice});
			setTimeout(() => {
				if (get().notice?.id === notice.id) set({notice: null});
			}, NOTICE_TIME).unref();
		};
		return {
			notify: (kind, text, holds) => show({kind, text, ...(holds && {holds})}),
			refuse(text) {
				const where = whereIn(get());
				show({kind: 'info', text, isAnswer: true, holds: state => whereIn(state) === where});
			},
			dismissNotice: () => set({notice: null}),
		};
	},
	firstNotices,
);

/** A notice that is not so any more goes at once. */
export const expireNotices = (app: App): void => {
	app.subscribe(state => {
		if (state.notice?.holds?.(state) === false) notices(app).dismissNotice();
	});
};
