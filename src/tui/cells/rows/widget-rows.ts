// A line of a widget, such as a progress bar, as rows.
import {label} from '../../../text/safe.ts';
import type {WidgetLine} from '../../../text/output/widget-lines.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {paint} from '../../core/theme/theme.ts';

const ROLES = {good: 'good', bad: 'bad', busy: 'busy', title: 'heading'} as const;
const LONGEST = 2000;

export const widgetTextRows = (
	{text, role}: Extract<WidgetLine, {readonly text: string}>,
	width: number,
): readonly string[] =>
	wrap(label(text, LONGEST), width).map(row => (role === undefined ? row : paint(ROLES[role], row)));
