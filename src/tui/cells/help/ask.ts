import type {Live, LiveSession} from '../../../api/client-types.ts';
import {sessionOf} from '../../../run/open-kernel.ts';
import {label} from '../../../text/safe.ts';
import {clamp} from '../../core/components/scroll.ts';
import type {CodeField} from './code-field.ts';
import {complete, usedNames} from './completion.ts';
import type {Documentation} from './documentation.ts';
import {accepted, followed, opened, type Menu} from './menu.ts';
import {part, type App} from '../../core/app.ts';
import {notices} from '../../core/store/notices.ts';
import {serverLinks} from '../../live/links.ts';

export type Inspected = {
	readonly code: string;
	readonly cursor: number;
	/** Level of detail: 1 adds the source code. */
	readonly detail: 0 | 1;
	/** True if the user asked, so that an empty result needs a notice. */
	readonly isAsked: boolean;
};

/** The field for which the completions or the documentation were requested. */
type InField = {readonly field: CodeField};

/**
 * Completions and documentation beside typed code. They are requested over the live link, and run
 * no cell.
 */
export type CodeHelpState = {
	readonly completions: (Menu & InField) | null;
	readonly documentation: (Documentation & InField) | null;
};

export type CodeHelp = {
	/** Requests completions at the cursor from the kernel. */
	completeCode(field: CodeField): string | void;
	moveInCompletions(by: number): void;
	acceptCompletion(): void;
	/** Requests documentation of the name at the cursor from the kernel. */
	inspectCode(field: CodeField, what: Inspected): void;
	showDocumentation(documentation: (Documentation & InField) | null): void;
	closeCompletions(): void;
};

/** Time after which a notice says that the kernel has not replied, in ms. */
const SLOW_MS = 1000;
const SLOW = 'The kernel has not replied yet: it may be busy, or starting';
const BUSY = 'The kernel is running a cell: try again when it has ended';

const lastName = (code: string): string =>
	/[\p{L}\p{N}_.]+(?=[^\p{L}\p{N}_]*$)/u.exec(code.slice(-400))?.[0] ?? '';

const firstCodeHelp = (): CodeHelpState => ({completions: null, documentation: null});

export const codeHelp = part(
	'codeHelp',
	({get, set, subscribe}: App): CodeHelp => {
		let questions = 0;

		subscribe((state, old) => {
			const {completions, documentation} = state;
			if (completions !== null) {
				const draft = completions.field.typed(state);
				if (draft === null) set({completions: null});
				else if (draft !== completions.field.typed(old)) {
					const next = followed(completions, draft);
					if (next !== completions) set({completions: next});
				}
			}
			if (documentation === null) return;
			const {field, name} = documentation;
			const text = field.typed(state)?.text ?? '';
			if (text === '' || !text.includes(name)) set({documentation: null});
		});

		/**
		 * Asks the kernel. Resolves to null, with a notice, if the kernel does not reply.
		 * `isStill`: true while the result is still useful.
		 */
		const askKernel = async <T>(
			field: CodeField,
			isStill: () => boolean,
			question: (link: Live, session: LiveSession) => Promise<T | null>,
			isAsked = true,
		): Promise<T | 'no link' | {readonly unchosen: string} | null> => {
			const say = (words: string): void => {
				if (isAsked && isStill()) notices(get).notify('info', words);
			};
			const slow = setTimeout(say, SLOW_MS, SLOW).unref();
			const unchosen = (await field.unchosen?.(get())) ?? null;
			const session = sessionOf(field.kernel(get()).document);
			const link = unchosen === null ? await serverLinks(get).linkOf(field.server, session) : null;
			const found =
				unchosen !== null ? {unchosen} : link === null ? 'no link' : await question(link, session);
			clearTimeout(slow);
			if (get().notice?.text === SLOW) notices(get).dismissNotice();
			if (found === null) say('The kernel did not reply: it is busy, or its connection is broken');
			return found;
		};
		const put = (field: CodeField, completion: Parameters<typeof opened>[1]): void => {
			const draft = field.typed(get());
			if (draft === null) return;
			const next = opened(draft, completion);
			if (next === null) {
				const typed = draft.text.slice(Math.min(completion.from, draft.cursor), draft.cursor);
				notices(get).notify(
					'info',
					typed === '' ? 'Nothing to complete here' : `No other names start with ${label(typed, 60)}`,
				);
				return;
			}
			if (next.draft !== draft) field.put(get(), next.draft);
			set({completions: next.menu && {...next.menu, field}});
		};

		return {
			completeCode(field) {
				const draft = field.typed(get());
				if (draft === null) return;
				const asked = ++questions;
				/**
				 * Inserts a completion from names used so far. If no name fits, returns `unless`.
				 */
				const putUsed = (unless: string): string | void => {
					const {from, names} = usedNames(draft, field.sources(get()));
					if (names.length === 0) return unless;
					put(field, {
						from,
						to: draft.cursor,
						words: names.map(text => ({text, kind: 'used', signature: ''})),
					});
				};
				if (field.kernel(get()).isBusy) return putUsed(BUSY);
				const isStill = (): boolean => asked === questions && field.typed(get()) === draft;
				void askKernel(field, isStill, (link, session) =>
					link.complete(draft.text, draft.cursor, session),
				).then(found => {
					if (!isStill() || found === null) return;
					if (found !== 'no link' && !('unchosen' in found)) return put(field, found);
					const words = found === 'no link' ? complete(get, field) : putUsed(found.unchosen);
					if (words !== undefined) notices(get).notify('info', words);
				});
			},
			moveInCompletions(by) {
				const {completions: menu} = get();
				if (menu === null) return;
				const count = menu.fitting.length;
				// A step by one wraps around at the ends of the list; a step by a page does not.
				const at = Math.abs(by) === 1 ? (menu.at + by + count) % count : clamp(menu.at + by, 0, count - 1);
				set({completions: {...menu, at}});
			},
			acceptCompletion() {
				const {completions: menu} = get();
				if (menu === null) return;
				set({completions: null});
				const draft = menu.field.typed(get());
				if (draft !== null) menu.field.put(get(), accepted(menu, draft));
			},
			inspectCode(field, {code, cursor, detail, isAsked}) {
				if (field.kernel(get()).isBusy) {
					if (isAsked) notices(get).notify('info', BUSY);
					return;
				}
				const asked = ++questions;
				const before = code.slice(0, cursor);
				// The user may continue typing during the request.
				const isStill = (): boolean =>
					asked === questions && field.typed(get())?.text.startsWith(before) === true;
				void askKernel(
					field,
					isStill,
					(link, session) => link.inspect(code, cursor, detail, session),
					isAsked,
				).then(found => {
					if (!isStill() || found === null) return;
					if (typeof found !== 'string') {
						if (isAsked) notices(get).notify('info', found.unchosen);
					} else if (found !== 'no link' && found.trim() !== '')
						set({
							documentation: {field, name: lastName(before), text: found, hasSource: detail === 1, top: 0},
						});
					else if (isAsked)
						notices(get).notify(
							'info',
							found === 'no link'
								? 'Documentation needs the live link: ":live" shows why there is none'
								: 'There is no documentation for the code before the cursor',
						);
				});
			},
			showDocumentation: documentation => set({documentation}),
			closeCompletions: () => set({completions: null}),
		};
	},
	firstCodeHelp,
);
