import {Box} from 'ink';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {Rows} from '../../core/components/rows.tsx';
import {question, QuestionBox} from '../../core/dialogs/question.tsx';
import {CursorAt} from '../../core/frame/cursor.tsx';
import type {DialogSpec} from '../../core/feature.ts';
import type {DialogProps} from '../../core/program.ts';
import {useApp} from '../../core/store-context.ts';
import {variableLines} from './variable-lines.ts';
import {kernelVariables} from './variables.ts';

/** List of variables over the whole body of the screen. */
export const VariablesDialog = ({isFiltering = false, body}: DialogProps<'variables'>) => {
	const list = useApp(state => state.variableList);
	if (list === null) return null;
	const {lines, x} = variableLines(list, body.width, body.height, isFiltering);
	return (
		<>
			<Box position="absolute" top={body.y} left={body.x} width={body.width} height={body.height}>
				<Rows height={body.height} lines={lines} />
			</Box>
			{isFiltering && <CursorAt x={body.x + x} y={body.y} />}
		</>
	);
};

const DeleteDialog = ({name, body}: DialogProps<'delete-variable'>) => (
	<>
		<VariablesDialog body={body} />
		<QuestionBox
			title={`Delete ${label(name, 40)}?`}
			body={body}
			text={width =>
				wrap(
					'Code that uses this name fails until a cell assigns it again. Files are kept. The memory is freed once nothing else refers to the object.',
					width,
				)
			}
			yes="delete it"
		/>
	</>
);

/** Asks before a variable is deleted. */
export const deleteVariable = {
	coversTitles: true,
	...question({
		kind: 'delete-variable',
		onYes(get, {server, document, name, mark}) {
			kernelVariables(get).deleteVariable(server, document, {name, mark});
		},
		Dialog: DeleteDialog,
	}),
} as const satisfies DialogSpec;
