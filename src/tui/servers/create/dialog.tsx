import {useEffect} from 'react';
import {rateOf} from '../costs/rentals.ts';
import {TextField} from '../../core/components/text-field.tsx';
import {CursorAt} from '../../core/frame/cursor.tsx';
import type {Rect} from '../../core/frame/layout.ts';
import {useFields, useGetState} from '../../core/store-context.ts';
import {boxPlace, CARD_WIDTH, DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {environmentList} from '../../environments/environments.ts';
import {catalogue} from '../../compute/catalogue.ts';
import {cardLines, cardTitle} from './card.ts';
import {choicesOf} from './choices.ts';
import {formErrors, knowledge} from './errors.ts';
import {isSelected, type CreateForm} from './form.ts';
import {accept} from './form-keys.ts';
import {formLines, HEAD} from './lines.ts';
import {heightIn} from './open-form.ts';

const WIDTH = 96;

/**
 * Form for a new server or for the start of an offline server: the fields, then a last page. Enter
 * does not submit that page; another key does.
 */
export const ServerForm = ({form, body}: {readonly form: CreateForm; readonly body: Rect}) => {
	const get = useGetState();
	const {rentals, compute, ...lists} = useFields('servers', 'environments', 'compute', 'isLocal', 'rentals');
	const known = knowledge({...lists, compute});
	useEffect(() => {
		if (get().environments.status === 'idle') void environmentList(get).refreshEnvironments();
		if (get().compute.status === 'idle') void catalogue(get).refreshCompute();
	}, [get]);
	const errors = formErrors(form, known);
	const before = form.server === null ? undefined : rateOf({rentals, compute}, form.server);
	if (form.at === 'review')
		return (
			<DialogBox
				title={cardTitle(form)}
				body={body}
				width={CARD_WIDTH}
				lines={[...cardLines({form, errors, known, before, width: lineWidth(body, CARD_WIDTH)})]}
			/>
		);
	const width = lineWidth(body, WIDTH);
	const height = heightIn(body);
	const {lines, cursor, room, position} = formLines({
		form,
		errors,
		known,
		before,
		choices: choicesOf(form, known),
		width,
		height,
	});
	const place = boxPlace(body, WIDTH, lines.length, height);
	return (
		<>
			<DialogBox
				title={cardTitle(form)}
				body={body}
				width={WIDTH}
				lines={lines}
				most={height}
				position={position}
			>
				{form.at === 'port' && (
					<TextField
						editor={form.editor}
						left={1 + HEAD}
						top={cursor.y}
						width={room}
						isSelected={isSelected(form)}
						onSubmit={() => accept(get)}
					/>
				)}
			</DialogBox>
			<CursorAt x={place.left + 2 + Math.min(cursor.x, width)} y={place.top + 1 + cursor.y} />
		</>
	);
};
