import type {DialogProps} from '../../core/program.ts';
import {perHour} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, cut} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import type {KeyContext} from '../../core/feature.ts';
import type {Effects} from '../../core/keys/shared-rows.ts';
import {paint} from '../../core/theme/theme.ts';
import {QUESTION_WIDTH} from '../../core/dialogs/question.tsx';
import {DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {route} from '../../core/store/route.ts';

export const priceKeys = ({get}: KeyContext): Effects<'told'> => ({close: () => route(get).closeDialog()});

/** Maximum width of the box, wide enough for a long name. */
const WIDEST = 110;

/**
 * Warning that the service charges another rate than the user confirmed, with both rates and what
 * the user can do.
 */
export const PriceDialog = ({server, quoted, charged, body}: DialogProps<'price'>) => {
	const more = Number((charged - quoted).toPrecision(10));
	const percent = quoted > 0 ? `, ${more > 0 ? '+' : ''}${Math.round((100 * more) / quoted)} %` : '';
	// If the title is too long, only the name is shortened.
	const costs = ` costs ${more > 0 ? 'more' : 'less'} than you confirmed`;
	const title = `${label(server)}${costs}`;
	const width = Math.min(WIDEST, Math.max(QUESTION_WIDTH, cellWidth(title) + 8));
	const row = (head: string, value: string): string => `  ${paint('dim', head.padEnd(24))}${value}`;
	return (
		<DialogBox
			title={`${cut(label(server), lineWidth(body, width) - 2 - cellWidth(costs))}${costs}`}
			body={body}
			width={width}
			lines={[
				'',
				row('you confirmed', `${perHour(quoted)}`),
				row(
					'the service charges',
					paint(more > 0 ? 'bad' : 'good', `${perHour(charged)}`) +
						paint('dim', `   ${more > 0 ? '+' : ''}${perHour(more)}${percent}`),
				),
				'',
				...wrap(
					`It is starting at ${perHour(charged)}. It cannot be stopped from here. Its web page may offer a shutdown: ${keyFor('servers.addresses')} in the list of servers opens it.`,
					lineWidth(body, width) - 4,
				).map(line => `  ${line}`),
				'',
			]}
		/>
	);
};
