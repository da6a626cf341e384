import type {State} from '../program.ts';
import {screenSpec, workspaceInfo} from '../features.ts';
import {keyPath} from '../keys/scopes.ts';
import {part, type App} from '../app.ts';

/** Returns true while a notice still applies. */
export type NoticeCondition = (state: State) => boolean;

export type Notice = {
	readonly id: number;
	readonly kind: 'info' | 'good' | 'bad';
	readonly text: string;
	readonly at: number;
	readonly holds?: NoticeCondition;
	/** Opens the place that the notice is about. */
	readonly leads?: () => void;
	/** True if the notice explains why a key could not act. The next key that acts removes it. */
	readonly isAnswer?: boolean;
};

/**
 * Time for which a notice stays above the footer, in ms. The list of messages shows it after that.
 */
export const NOTICE_TIME = 6000;
const KEPT = 200;

export type NoticesState = {
	readonly notices: readonly Notice[];
	/** Current notice above the footer. */
	readonly notice: Notice | null;
};

export type Notices = {
	/** Shows a notice for a few seconds, or until its condition `holds` is no longer true. */
	notify(kind: Notice['kind'], text: string, more?: NoticeCondition | Pick<Notice, 'holds' | 'leads'>): void;
	/** Shows why a key cannot act, until that no longer applies. */
	refuse(text: string): void;
	/** Opens the place of the newest notice that has one. Returns a sentence if there is none. */
	followNotice(): string | void;
	dismissNotice(): void;
	/** Empties the list of messages. */
	clearNotices(): void;
};

/** Text that identifies the user's location and the state that decides what keys can do. */
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
		const show = (said: Pick<Notice, 'kind' | 'text' | 'holds' | 'leads' | 'isAnswer'>): void => {
			const notice = {id: ++last, at: now(), ...said};
			set({notices: [...get().notices.slice(1 - KEPT), notice], notice});
			setTimeout(() => {
				if (get().notice?.id === notice.id) set({notice: null});
			}, NOTICE_TIME).unref();
		};
		return {
			notify: (kind, text, more) =>
				show({kind, text, ...(typeof more === 'function' ? {holds: more} : more)}),
			followNotice() {
				const leading = get().notices.findLast(({leads}) => leads !== undefined);
				if (leading?.leads === undefined) return 'No message is about a place to go to';
				leading.leads();
			},
			refuse(text) {
				const where = whereIn(get());
				show({kind: 'info', text, isAnswer: true, holds: state => whereIn(state) === where});
			},
			dismissNotice: () => set({notice: null}),
			clearNotices: () => set({notices: [], notice: null}),
		};
	},
	firstNotices,
);

/** Removes a notice as soon as it no longer applies. */
export const expireNotices = (app: App): void => {
	app.subscribe(state => {
		if (state.notice?.holds?.(state) === false) notices(app).dismissNotice();
	});
};
