import {keyHints} from '../components/key-hint.ts';
import type {Dialog, DialogOf, Rect, State} from '../program.ts';
import {dialog, type DialogSpec} from '../feature.ts';
import {topDialog, route} from '../store/route.ts';
import {DialogBox, lineWidth} from './dialog-box.tsx';

type Question<Kind extends Dialog['kind']> = Pick<DialogSpec<Kind>, 'kind' | 'Dialog'> & {
	/** Reason why the answer yes is not possible yet. */
	readonly whyNot?: (asked: DialogOf<Kind>) => string | undefined;
	/** Called after the dialog was closed. A returned sentence becomes a notice. */
	readonly onYes: (get: () => State, asked: DialogOf<Kind>) => string | void;
};

/** A question that the user answers with yes or no. Both close the dialog. */
export const question = <Kind extends Dialog['kind']>({
	kind,
	whyNot,
	onYes,
	Dialog: Box,
}: Question<Kind>): DialogSpec =>
	dialog<Kind>({
		kind,
		saysKeys: () => true,
		scope: 'confirm',
		handlers: {
			confirm: ({get}) => ({
				yes: {
					now() {
						const asked = topDialog(get(), kind);
						return asked !== undefined && whyNot?.(asked) !== undefined ? null : undefined;
					},
					run() {
						const asked = topDialog(get(), kind);
						if (asked === undefined) return;
						const why = whyNot?.(asked);
						if (why !== undefined) return why;
						route(get).closeDialog();
						return onYes(get, asked);
					},
				},
				no: () => route(get).closeDialog(),
			}),
		},
		Dialog: Box,
	});

/** Width of the box of a question, and of a short message, in cells. */
export const QUESTION_WIDTH = 76;

type BoxProps = {
	readonly title: string;
	readonly body: Rect;
	/** The question, in lines of this width. */
	readonly text: (width: number) => readonly string[];
	/** Effect of each answer, shown after its key. */
	readonly yes: string;
	readonly no?: string;
};

export const QuestionBox = ({title, body, text, yes, no = 'cancel'}: BoxProps) => (
	<DialogBox
		title={title}
		body={body}
		width={QUESTION_WIDTH}
		lines={[
			'',
			...text(lineWidth(body, QUESTION_WIDTH)),
			'',
			keyHints(['confirm.yes', yes], ['confirm.no', no]),
		]}
	/>
);
