import {CONTEXT_FILES} from '../../work/server-context.ts';
import {mentionsIn, type Attached, type Packed} from './attachments.ts';

/**
 * The user's decision about a text: `agreed` to send it, `refused`, or `new` if there is none yet.
 * `changed`: the user decided about an earlier version.
 */
export type ContextDecision = 'new' | 'changed' | 'agreed' | 'refused';
export type ContextFile = {readonly packed: Packed; readonly ruling: ContextDecision};

export const isContext = ({mention}: Pick<Packed, 'mention'>): boolean =>
	CONTEXT_FILES.some(path => path === mention);

/** Texts that the user has decided about. */
export type ContextDecisions = {readonly agreed: ReadonlySet<string>; readonly refused: ReadonlySet<string>};

export const contextDecisionOf = ({text}: Packed, {agreed, refused}: ContextDecisions): ContextDecision => {
	if (refused.has(text)) return 'refused';
	if (agreed.has(text)) return 'agreed';
	return agreed.size + refused.size > 0 ? 'changed' : 'new';
};

/**
 * Context file for the next message. Empty if the user refused it, the question mentions it, or an
 * earlier turn of the request includes the same text. `sent`: turns of the request.
 */
export const contextToSend = (
	{context, draft}: {readonly context: ContextFile | null; readonly draft: {readonly text: string}},
	sent: readonly {readonly carried: readonly Packed[]}[],
): readonly Attached[] => {
	if (context === null || context.ruling === 'refused') return [];
	const {packed, ruling} = context;
	const isMentioned = mentionsIn(draft.text).some(
		({attachment}) => attachment.kind === 'file' && attachment.path === packed.mention,
	);
	const last = sent.flatMap(({carried}) => carried).findLast(({mention}) => mention === packed.mention);
	if (isMentioned || last?.text === packed.text) return [];
	return [
		{
			...{mention: packed.mention, attachment: null, explicit: true, packed, problem: null},
			...(ruling !== 'agreed' && {unseen: ruling}),
		},
	];
};
