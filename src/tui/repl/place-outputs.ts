import type {CellOutput} from '../../contract/cells.ts';
import type {State} from '../core/program.ts';
import type {Picture} from '../pictures/read-picture.ts';
import {pictureIn} from './cell.ts';

/** Has the terminal hold the pictures among the outputs of a cell that is in view. `most`: the room of each, in cells. */
export const placeOutputs = (
	{placePicture}: Pick<State, 'placePicture'>,
	outputs: readonly CellOutput[],
	pictureOf: (output: CellOutput, index: number) => Picture | undefined,
	most: {readonly width: number; readonly height: number},
): void => {
	for (const [index, output] of outputs.entries()) {
		const picture = pictureOf(output, index);
		if (picture === undefined || 'problem' in picture) continue;
		placePicture({
			key: picture,
			size: picture.size,
			bytes: () => Buffer.from(pictureIn(output) ?? '', 'base64'),
			most,
		});
	}
};
