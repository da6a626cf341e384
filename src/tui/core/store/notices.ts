import type {Slice} from '../program.ts';
import type {Deps} from './deps.ts';

export type Notice = {
	readonly id: number;
	readonly kind: 'info' | 'good' | 'bad';
	readonly text: string;
	readonly at: number;
};

/** How long a notice stands above the footer, in ms; all stay in the list. */
export const NOTICE_TIME = 6000;
const KEPT = 200;

export type NoticesSlice = {
	readonly notices: readonly Notice[];
	/** The one above the footer now. */
	readonly notice: Notice | null;
	notify(kind: Notice['kind'], text: string): void;
	dismissNotice(): void;
};

export const createNoticesSlice =
	({now}: Deps): Slice<NoticesSlice> =>
	(set, get) => {
		let last = 0;
		return {
			notices: [],
			notice: null,
			notify(kind, text) {
				const notice = {id: ++last, kind, text, at: now()};
				set({notices: [...get().notices.slice(1 - KEPT), notice], notice});
				setTimeout(() => {
					if (get().notice?.id === notice.id) set({notice: null});
				}, NOTICE_TIME).unref();
			},
			dismissNotice: () => set({notice: null}),
		};
	};
