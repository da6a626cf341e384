import type {CellAccess} from './cell-access.ts';
import {pictureIn} from '../cells/pictures.ts';
import {type Cell} from '../cells/cell.ts';
import {readPicture} from '../pictures/read-picture.ts';

/**
 * Decodes the pictures among a cell's outputs, each once. If newer pictures replace a picture while
 * it is decoded, only the newest is decoded next, and the old one stays on screen until then.
 */
export const createPictureReader = ({cellOf, changeCell}: CellAccess) => {
	const reading = new Set<string>();
	const read = new WeakSet<object>();

	const readAt = (server: string, id: number, index: number): void => {
		const key = `${id} ${index} ${server}`;
		const output = cellOf(server, id)?.result?.outputs[index];
		if (output === undefined || read.has(output) || reading.has(key)) return;
		const bytes = pictureIn(output);
		if (bytes === null) return;
		read.add(output);
		reading.add(key);
		void readPicture(bytes).then(picture => {
			reading.delete(key);
			const cell = cellOf(server, id);
			if (cell === undefined) return;
			changeCell(server, id, {pictures: new Map(cell.pictures).set(index, picture)});
			readAt(server, id, index);
		});
	};
	return (server: string, {id, result}: Pick<Cell, 'id' | 'result'>): void => {
		for (const index of result?.outputs.keys() ?? []) readAt(server, id, index);
	};
};
